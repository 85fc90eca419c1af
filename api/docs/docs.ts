import { dirname, join } from 'node:path'
import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia } from 'elysia'
import type { ApiConfig } from '../../core/config/processes.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'
import { errorResponse } from '../openapi/responses.ts'
import { shareComponents } from './components.ts'
import { type Content, content } from './content.ts'

/**
 * The document at /openapi.json and Swagger UI at /docs. Elysia's plugin would build the document anew
 * at each request, which stops the process for as long, load Swagger UI from another host and start it
 * with inline scripts; so of the plugin only the description of routes is used, once, and this process
 * serves its own Swagger UI, under a policy that forbids both.
 */

const ASSETS = dirname(Bun.resolveSync('swagger-ui-dist/package.json', import.meta.dir))
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Remit API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Without a validator address, Swagger UI would send the document to one on the internet. */
const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
})
`

const DESCRIPTION = `Invoices in stablecoins: create one, show its deposit address, and the money
arrives at your treasury minus the fee. Pay per request with x402: register a price for a URL, and any
x402 client pays it.

Every answer has the envelope \`{ success, data }\` or \`{ success, error, traceId }\`, except the lists
of chains and tokens, which are bare arrays, and what x402 itself has a form for: verify, settle and
supported. Amounts are decimal strings in the token's major unit, except in payment requirements.
Keys are sent in the header \`X-Service-Key\`. Any path that is not listed here answers 404 "not found",
and a known path with another method 405 "method not allowed".`

/**
 * The page, its assets and the document of all routes that the app has when the first caller asks for
 * it. They count against the limit of public endpoints.
 */
export function docs(
  app: AnyElysia,
  config: ApiConfig,
  sections: readonly Tag[],
  guards: Pick<Guards, 'utility'>,
): readonly Page[] {
  const document = content(async () => JSON.stringify(describeApp(app, config, sections)), {
    type: 'application/json; charset=utf-8',
    cacheControl: 'no-cache',
  })
  const served: Readonly<Record<string, Content>> = {
    '/openapi.json': document,
    '/docs': page(async () => PAGE, 'text/html; charset=utf-8', 'no-cache'),
    '/docs/start.js': page(async () => START, 'text/javascript; charset=utf-8', 'no-cache'),
    '/docs/swagger-ui.css': asset('swagger-ui.css', 'text/css; charset=utf-8'),
    '/docs/swagger-ui-bundle.js': asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    '/docs/favicon-32x32.png': asset('favicon-32x32.png', 'image/png'),
  }
  return Object.entries(served).map(([path, body]) => ({
    path,
    async handle(exchange: Exchange) {
      await guards.utility(exchange)
      return body.answer(exchange)
    },
  }))
}

/** The document of an app's routes. */
export function describeApp(app: AnyElysia, config: Environmental, sections: readonly Tag[]) {
  // The plugin takes a path with a dot for a file; the CSV report has one.
  const routes = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, '3.0.3')
  const shared = shareComponents(routes.paths)
  return {
    openapi: '3.0.3',
    info: { title: 'Remit', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: '/', description: `This deployment (${config.environment})` }],
    tags: sections.map(({ name, description }) => ({ name, description })),
    paths: shared.paths,
    components: {
      securitySchemes: securitySchemes(config),
      responses: {
        ...shared.responses,
        notFound: errorResponse(404, ['not_found']),
        methodNotAllowed: errorResponse(405, ['method_not_allowed']),
      },
      headers: shared.headers,
      schemas: shared.schemas,
    },
  }
}

/** One path and what is there. */
interface Page {
  readonly path: string
  handle(exchange: Exchange): Promise<Response>
}

/** All that the document says of a deployment. */
type Environmental = Pick<ApiConfig, 'environment'>

/** A section of the document. */
interface Tag {
  readonly name: string
  readonly description: string
}

function securitySchemes(config: Environmental) {
  const word = config.environment === 'live' ? 'live' : 'test'
  return {
    secretKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Service-Key',
      description: `The secret key, \`sk_${word}_…\`, for servers only.`,
    },
    publishableKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Service-Key',
      description:
        `The publishable key, \`pk_${word}_…\`, safe in browsers. It creates checkout sessions of ` +
        'prices and nothing else: everywhere else it is refused as unauthorized.',
    },
  } as const
}

function page(
  make: () => Promise<string | Uint8Array>,
  type: string,
  cacheControl: string,
): Content {
  return content(make, { type, cacheControl, headers: { 'content-security-policy': POLICY } })
}

function asset(name: string, type: string): Content {
  return page(() => Bun.file(join(ASSETS, name)).bytes(), type, 'public, max-age=86400')
}
