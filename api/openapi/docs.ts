import { dirname, join } from 'node:path'
import { openapi } from '@elysiajs/openapi'
import { Elysia } from 'elysia'
import type { ApiConfig } from '../../core/config/processes.ts'
import { errorResponse } from './responses.ts'

/**
 * The document at /openapi.json and Swagger UI at /docs. The plugin would load Swagger UI from
 * another host and start it with inline scripts; this process serves its own, under a policy that
 * forbids both.
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

/** The page, its assets and the document. Use it after all documented routes. */
export function docs(config: ApiConfig, sections: readonly Tag[]) {
  return new Elysia({ name: 'docs' })
    .get('/docs', () => page(PAGE, 'text/html; charset=utf-8'), HIDDEN)
    .get('/docs/start.js', () => page(START, 'text/javascript; charset=utf-8'), HIDDEN)
    .get('/docs/swagger-ui.css', () => asset('swagger-ui.css'), HIDDEN)
    .get('/docs/swagger-ui-bundle.js', () => asset('swagger-ui-bundle.js'), HIDDEN)
    .get('/docs/favicon-32x32.png', () => asset('favicon-32x32.png'), HIDDEN)
    .use(
      openapi({
        provider: null,
        // The plugin takes a path with a dot for a file; the CSV report has one.
        exclude: { staticFile: false },
        specPath: '/openapi.json',
        openapiVersion: '3.0.3',
        documentation: {
          info: { title: 'Remit', version: '1.0.0', description: DESCRIPTION },
          servers: [{ url: '/', description: `This deployment (${config.environment})` }],
          tags: sections.map(({ name, description }) => ({ name, description })),
          components: {
            securitySchemes: securitySchemes(config),
            responses: {
              notFound: errorResponse(404, ['not_found']),
              methodNotAllowed: errorResponse(405, ['method_not_allowed']),
            },
          },
        },
      }),
    )
}

/** A section of the document. */
interface Tag {
  readonly name: string
  readonly description: string
}

const HIDDEN = { detail: { hide: true } }

function securitySchemes(config: ApiConfig) {
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
        `The publishable key, \`pk_${word}_…\`, safe in browsers. It opens checkouts and nothing ` +
        'else: on the endpoints below it is refused as unauthorized.',
    },
  } as const
}

function page(text: string, type: string): Response {
  return new Response(text, {
    headers: { 'content-type': type, 'content-security-policy': POLICY },
  })
}

function asset(name: string): Response {
  return new Response(Bun.file(join(ASSETS, name)), {
    headers: { 'cache-control': 'public, max-age=86400', 'content-security-policy': POLICY },
  })
}
