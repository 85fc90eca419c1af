import { scopesFor } from '../../core/access/scopes.ts'
import type { ErrorCode } from '../../core/base/errors.ts'
import type { Claim } from '../../store/access/idempotency.ts'
import type { Body } from '../request/body.ts'
import { describeIds, type PathIds, parseIds } from '../request/id.ts'
import { describeParameters, type Query, readQuery } from '../request/query.ts'
import { type Responses, responses, type SuccessResponses } from '../request/responses.ts'
import type { Documented } from '../request/schema.ts'
import { carryOutAudited } from './audit.ts'
import { openToAll } from './cors.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'
import {
  ACCESS_RULES,
  type Access,
  type Caller,
  confirmed,
  type Guards,
  isPendingCaller,
} from './guards.ts'
import {
  carryOutOnce,
  hasIdempotencyKey,
  IDEMPOTENCY_PARAMETER,
  idempotencyKeyOf,
} from './idempotency.ts'

const IDEMPOTENCY_ERRORS = ['idempotency_key_reused', 'idempotency_key_in_flight'] as const
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
/** Method and path in the router's notation, e.g. GET /v1/invoices/:id. */
type Operation = `${Method} /${string}`

/** An endpoint: its path, its description in the OpenAPI document, and its handler. */
export interface Route<Deps extends ApiDependencies = ApiDependencies> {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly operationId: string
  readonly detail: Documented
  /** Pages of other origins may call it: the router answers preflights (Fetch standard, section 3.2). */
  readonly isCrossOrigin: boolean
  readonly open: (deps: Deps, guards: Guards) => Handle
}

/** Handles a request; `sent` has the raw identifiers of its path. */
export type Handle = (
  exchange: Exchange,
  sent: Readonly<Record<string, unknown>>,
) => Promise<string | Response>

/** The declaration of a route, from which its operation in the document is derived. */
export interface RouteDefinition<A extends Access, Ids, Q, B, Deps> {
  readonly operation: Operation
  readonly access: A
  readonly ids?: PathIds<Ids>
  readonly query?: Query<Q>
  readonly body?: Body<B>
  /** True if the body is checked before the path's identifiers, not after them. */
  readonly isBodyFirst?: boolean
  /** True if an Idempotency-Key is accepted: only for callers with a secret key. */
  readonly isIdempotent?: boolean
  readonly isCrossOrigin?: boolean
  readonly summary: string
  readonly description: string
  readonly operationId: string
  readonly successes: SuccessResponses
  /** Errors beyond those of its access, identifiers, query and body. */
  readonly errors?: readonly ErrorCode[]
  /** Responses that errors alone don't describe. */
  readonly responses?: Responses
  readonly handle: (deps: Deps, call: Call<A, Ids, Q, B>) => Promise<string | Response>
}

type AnyDefinition<Deps> = RouteDefinition<Access, Record<string, unknown>, unknown, unknown, Deps>

/** An admitted request with its parsed input. */
export interface Call<A extends Access, Ids, Q, B> {
  readonly exchange: Exchange
  readonly caller: Caller<A>
  readonly ids: Ids
  readonly query: Q
  readonly body: B
  /**
   * The claim of a request with an Idempotency-Key; null without a key. A created object must have its
   * objectId, so that a repeated execution creates nothing more.
   */
  readonly claim: Claim | null
}

/**
 * Defines a route. The guard runs first, because an unauthenticated caller must learn nothing and
 * cause no reads. Then identifiers, query and body are parsed, in this order.
 */
export function route<
  A extends Access,
  Ids = undefined,
  Q = undefined,
  B = undefined,
  Deps extends ApiDependencies = ApiDependencies,
>(definition: RouteDefinition<A, Ids, Q, B, Deps>): Route<Deps>
export function route<Deps extends ApiDependencies>(definition: AnyDefinition<Deps>): Route<Deps> {
  const { operation, operationId, access, ids = {}, query, body, handle, isBodyFirst } = definition
  const isChange = partsOf(operation).method !== 'GET'
  const { isCrossOrigin = false, isIdempotent = false } = definition
  return {
    ...partsOf(operation),
    access,
    operationId,
    detail: describe(definition),
    isCrossOrigin,
    open(deps, guards) {
      return async (exchange, sent) => {
        const { request } = exchange
        if (isCrossOrigin) openToAll(exchange)
        exchange.operationId = operationId
        let caller = await guards[access](exchange)
        const carryOut = async (from: Request, claim: Claim | null) => {
          const early = isBodyFirst ? await body?.read(from) : undefined
          const read = {
            ids: parseIds(ids, sent),
            query: query && readQuery(from, query, deps),
            body: isBodyFirst ? early : await body?.read(from),
          }
          return handle(deps, { exchange, caller, claim, ...read })
        }
        const change = (from: Request, claim: Claim | null) =>
          isChange
            ? carryOutAudited(deps, exchange, { operationId, sent, request: from }, (again) =>
                carryOut(again, claim),
              )
            : carryOut(from, claim)
        if (!isIdempotent || !hasIdempotencyKey(request)) return change(request, null)
        if (isPendingCaller(caller)) {
          caller = await confirmed(caller)
          await caller.admission
        }
        const key = idempotencyKeyOf(request)
        return carryOutOnce(deps, exchange, key, change)
      }
    },
  }
}

function partsOf(operation: Operation): { readonly method: Method; readonly path: string } {
  const method = METHODS.find((candidate) => operation.startsWith(`${candidate} `))
  if (method === undefined) throw new TypeError(`not an operation: ${operation}`)
  return { method, path: operation.slice(method.length + 1) }
}

/** The role of keys without scopes, in the document. */
const FULL_ACCESS = 'full'

function describe(definition: Omit<AnyDefinition<never>, 'handle'>): Documented {
  const { summary, description, operationId, query, body } = definition
  const { isIdempotent } = definition
  const parameters = [
    ...describeIds(definition.ids ?? {}),
    ...(query ? describeParameters(query.parameters) : []),
    ...(isIdempotent ? [IDEMPOTENCY_PARAMETER] : []),
  ]
  const { security, errors, isLimited } = ACCESS_RULES[definition.access]
  const scopes = scopesFor(operationId)
  const roles = scopes.length === 0 ? [FULL_ACCESS] : [...scopes]
  const all: readonly ErrorCode[] = [
    ...Object.values(definition.ids ?? {}).map(({ code }) => code),
    ...(query ? (['invalid_query_parameters'] as const) : []),
    ...(body?.errors ?? []),
    ...(definition.errors ?? []),
    ...(isIdempotent ? IDEMPOTENCY_ERRORS : []),
    ...errors,
  ]
  return {
    summary,
    description,
    operationId,
    // OpenAPI 3.1, section 4.8.30: roles that are needed, for schemes that aren't OAuth.
    security: security.map((one) => ('secretKey' in one ? { secretKey: roles } : one)),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body?.document ? { requestBody: body.document } : {}),
    responses: { ...responses(definition.successes, all, isLimited), ...definition.responses },
  }
}
