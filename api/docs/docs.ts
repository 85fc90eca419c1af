import { dirname, join } from 'node:path'
import type { AnyElysia } from 'elysia'
import { ERROR_DOCS } from '../../core/base/errors.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import { SDL } from '../books/graphqlSchema.ts'
import { openToAll } from '../http/cors.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'
import { type Content, content, htmlPage } from './content.ts'
import type { DescribedSection } from './document.ts'
import { ERROR_CSS, errorPage } from './errorPage.ts'
import {
  PLAYGROUND_CSS,
  PLAYGROUND_PATH,
  PLAYGROUND_SCRIPT,
  playgroundPage,
  SCHEMA_PATH,
} from './playground.ts'
import { startScript } from './start.ts'

/**
 * The document at /openapi.json, Swagger UI at /docs, the page of errors and the GraphQL playground.
 * Elysia's plugin would rebuild the document at each request, which blocks the process, load Swagger UI from
 * another host and start it with inline scripts. So the plugin describes the routes once, and this process serves
 * its own Swagger UI, under a policy that forbids both.
 */

const ASSETS = dirname(Bun.resolveSync('swagger-ui-dist/package.json', import.meta.dir))
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const PAGE = htmlPage(
  'Remit API',
  '/docs/swagger-ui',
  `<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
)

/**
 * The page, its assets and the document, which is built at the first request. All count against the
 * limit of public endpoints.
 */
export function docs(
  app: AnyElysia,
  config: ApiConfig,
  sections: readonly DescribedSection[],
  guards: Pick<Guards, 'utility'>,
): readonly Page[] {
  const served: Readonly<Record<string, Content>> = {
    '/openapi.json': content(() => documentOf(app, config, sections), {
      type: 'application/json; charset=utf-8',
      cacheControl: 'no-cache',
    }),
    '/docs': page('html', () => PAGE),
    '/docs/start.js': page('javascript', () => startScript(config.environment)),
    [ERROR_DOCS]: page('html', errorPage),
    [`${ERROR_DOCS}.css`]: page('css', () => ERROR_CSS),
    [PLAYGROUND_PATH]: page('html', playgroundPage),
    [`${PLAYGROUND_PATH}.js`]: page('javascript', () => PLAYGROUND_SCRIPT),
    [`${PLAYGROUND_PATH}.css`]: page('css', () => PLAYGROUND_CSS),
    [SCHEMA_PATH]: page('plain', () => SDL.trimStart()),
    '/docs/swagger-ui.css': asset('swagger-ui.css', 'text/css; charset=utf-8'),
    '/docs/swagger-ui-bundle.js': asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    '/docs/favicon-32x32.png': asset('favicon-32x32.png', 'image/png'),
  }
  return Object.entries(served).map(([path, body]) => {
    const isCrossOrigin = FOR_TOOLS.includes(path)
    return {
      path,
      isCrossOrigin,
      async handle(exchange: Exchange) {
        if (isCrossOrigin) openToAll(exchange)
        await guards.utility(exchange)
        return body.answer(exchange)
      },
    }
  })
}

async function documentOf(
  app: AnyElysia,
  config: ApiConfig,
  sections: readonly DescribedSection[],
): Promise<string> {
  const { describeApp } = await import('./document.ts')
  return JSON.stringify(describeApp(app, config, sections))
}

/** Descriptions of the API may be read by tools on other origins. */
const FOR_TOOLS: readonly string[] = ['/openapi.json', SCHEMA_PATH]

/** A path and its handler. */
interface Page {
  readonly path: string
  readonly isCrossOrigin: boolean
  handle(exchange: Exchange): Promise<Response>
}

const HEADERS = { 'content-security-policy': POLICY }

function page(type: 'html' | 'css' | 'javascript' | 'plain', make: () => string): Content {
  const options = { type: `text/${type}; charset=utf-8`, cacheControl: 'no-cache' }
  return content(async () => make(), { ...options, headers: HEADERS })
}

function asset(name: string, type: string): Content {
  const options = { type, cacheControl: 'public, max-age=86400', headers: HEADERS }
  return content(() => Bun.file(join(ASSETS, name)).bytes(), options)
}
