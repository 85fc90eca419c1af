import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia } from 'elysia'
import { ERROR_DOCS } from '../../core/base/errors.ts'
import { checksumAddress } from '../../core/chain/evm.ts'
import { type Chain, chainsOf, tokenOn } from '../../core/chain/registry.ts'
import type { Environment } from '../../core/chain/table.ts'
import type { Route } from '../http/route.ts'
import { EXAMPLE_CHAIN } from '../request/examples.ts'
import { LIMIT_HEADERS } from '../request/responses.ts'
import { GENERAL } from '../request/schema.ts'
import { shareComponents } from './components.ts'
import { rewrite, withChainOf } from './json.ts'
import { describeWebhooks, EVENTS_TAG, WEBHOOK_HEADERS, WEBHOOK_RESPONSES } from './webhooks.ts'

/** The OpenAPI document: all routes of the app, and all events. */

const DESCRIPTION = `Invoices in stablecoins: create one, show its deposit address, and the money
is sent to your treasury minus the fee. Pay per request with x402: register a price for a URL, and any
x402 client pays it.

Responses have the envelope \`{ success, data }\` or \`{ success, error, code, docs, traceId }\`, except the
lists of chains and tokens (bare arrays) and the formats of x402: verify, settle and supported.
\`code\` never changes, and [the page of errors](${ERROR_DOCS}) explains each. Amounts are decimal strings
in the token's major unit, except in payment requirements. Send your key in the header \`X-Service-Key\`.
Responses have \`X-Trace-Id\`, and where requests are counted \`X-RateLimit-Limit\` and
\`X-RateLimit-Remaining\`. In requests null means that an optional field is left out. Unknown paths
return 404 "not found", other methods 405 "method not allowed".`

const INFO = {
  title: 'Remit',
  version: '1.0.0',
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
}

/** A section of the document, and its routes. */
export interface DescribedSection {
  readonly name: string
  readonly description: string
  readonly routes: readonly Pick<Route, 'method' | 'path' | 'detail'>[]
}

/** The deployment that the document describes; by default with the chains of its environment. */
interface Deployment {
  readonly environment: Environment
  readonly chains?: readonly Chain[]
}

/** Describes all current routes of the app. */
export function describeApp(
  app: AnyElysia,
  config: Deployment,
  sections: readonly DescribedSection[],
): unknown {
  // The plugin takes a path with a dot for a file; the CSV report has one.
  const routes = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, '3.1.2')
  const parts = { paths: withOwnParameters(routes.paths, sections), webhooks: describeWebhooks() }
  const shared = shareComponents(parts, GENERAL)
  const document = {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: '/', description: `This deployment (${config.environment})` }],
    tags: [...sections.map(({ name, description }) => ({ name, description })), EVENTS_TAG],
    security: USUAL_SECURITY,
    ...Object(withoutUsualSecurity(shared.parts)),
    components: {
      securitySchemes: securitySchemes(config),
      responses: { ...shared.responses, ...WEBHOOK_RESPONSES },
      headers: LIMIT_HEADERS,
      parameters: { ...shared.parameters, ...WEBHOOK_HEADERS },
      schemas: shared.schemas,
    },
  }
  return withChainOf(document, chainNames(config))
}

/** The plugin replaces the described parameters by those of the path: restores them. */
function withOwnParameters(paths: object, sections: readonly DescribedSection[]): unknown {
  const described = new Map(
    sections.flatMap(({ routes }) => routes).map((route) => [route.detail.operationId, route]),
  )
  return rewrite(paths, (part) => {
    const parameters = described.get(String(part.operationId))?.detail.parameters
    return parameters === undefined ? part : { ...part, parameters }
  })
}

/** The default security of operations. */
const USUAL_SECURITY = [{ secretKey: ['read'] }]

function withoutUsualSecurity(parts: unknown): unknown {
  return rewrite(parts, ({ security, ...others }) =>
    security === undefined || Bun.deepEquals(security, USUAL_SECURITY)
      ? others
      : { security, ...others },
  )
}

/** Maps the names in the examples to those of a chain of the deployment. */
function chainNames({ environment, chains = chainsOf(environment) }: Deployment) {
  const names = new Map<unknown, string>()
  const usual = chainsOf('sandbox').find(({ networkId }) => networkId === EXAMPLE_CHAIN)
  const [first] = chains
  if (!usual || !first || chains.some(({ networkId }) => networkId === EXAMPLE_CHAIN)) return names
  names.set(usual.networkId, first.networkId).set(usual.name, first.name)
  names.set(usual.caip2, first.caip2)
  const [token, ours] = [tokenOn(usual, 'USDC'), tokenOn(first, 'USDC')]
  if (!token || !ours) return names
  return names.set(checksumAddress(token.address), checksumAddress(ours.address))
}

function securitySchemes(config: Deployment) {
  const word = config.environment === 'live' ? 'live' : 'test'
  return {
    secretKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Service-Key',
      description:
        `The secret key, \`sk_${word}_…\`, for servers only. A key with scopes opens operations that name one of ` +
        'them, never those with `full`; others return 403.',
    },
    operatorToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The `OPERATOR_TOKEN` of this deployment.',
    },
    publishableKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Service-Key',
      description:
        `The publishable key, \`pk_${word}_…\`, safe in browsers: it creates checkout sessions of ` +
        'prices only.',
    },
  } as const
}
