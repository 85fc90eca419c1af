import type { ErrorCode } from '../../core/errors.ts'
import type { Body } from './body.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'
import { ACCESS_RULES, type Access, type Caller, type Guards } from './guards.ts'
import { type KnownPathIds, type PathIds, parseIds } from './id.ts'
import { describeParameters, type Query, readQuery } from './query.ts'
import { type Responses, responses, type Successes } from './responses.ts'
import type { Documented } from './schema.ts'

/** One endpoint: how it is reached, how the OpenAPI document describes it, and what it does. */
export interface Route<Deps extends ApiDependencies = ApiDependencies> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With the identifiers as the router writes them, e.g. /v1/invoices/:id. */
  readonly path: string
  readonly ids: KnownPathIds
  readonly detail: Documented
  readonly open: (deps: Deps, guards: Guards) => Handle
}

/** Answers a request; `sent` has the identifiers of its path as they came. */
export type Handle = (
  exchange: Exchange,
  sent: Readonly<Record<string, unknown>>,
) => Promise<string | Response>

/** What a route says of itself, once. Everything else in the document is derived from it. */
export interface RouteDefinition<A extends Access, Ids, Q, B, Deps> {
  readonly method: Route['method']
  readonly path: string
  readonly access: A
  readonly ids?: PathIds<Ids>
  readonly query?: Query<Q>
  readonly body?: Body<B>
  /** The body is checked before the identifiers of the path, and not after them. */
  readonly isBodyFirst?: boolean
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly operationId: string
  readonly successes: Successes
  /** Those that neither the access nor the form of the request brings along. */
  readonly errors?: readonly ErrorCode[]
  /** Answers that are described in another way than by their errors alone. */
  readonly responses?: Responses
  readonly handle: (deps: Deps, call: Call<A, Ids, Q, B>) => Promise<string | Response>
}

type AnyDefinition<Deps> = RouteDefinition<Access, Record<string, unknown>, unknown, unknown, Deps>

/** A request that was let in, with all that the route reads of it. */
export interface Call<A extends Access, Ids, Q, B> {
  readonly exchange: Exchange
  readonly caller: Caller<A>
  readonly ids: Ids
  readonly query: Q
  readonly body: B
}

/**
 * Makes a route. A request passes the guard first; then its identifiers, its query and its body are
 * read in this order, because an unauthenticated caller must learn nothing and make us read nothing.
 */
export function route<
  A extends Access,
  Ids = undefined,
  Q = undefined,
  B = undefined,
  Deps extends ApiDependencies = ApiDependencies,
>(definition: RouteDefinition<A, Ids, Q, B, Deps>): Route<Deps>
export function route<Deps extends ApiDependencies>(definition: AnyDefinition<Deps>): Route<Deps> {
  const { method, path, access, ids = {}, query, body, handle, isBodyFirst } = definition
  return {
    method,
    path,
    ids,
    detail: describe(definition),
    open(deps, guards) {
      return async (exchange, sent) => {
        const { request } = exchange
        const caller = await guards[access](exchange)
        const early = isBodyFirst ? await body?.read(request) : undefined
        const read = {
          ids: parseIds(ids, sent),
          query: query && readQuery(request, query, deps),
          body: isBodyFirst ? early : await body?.read(request),
        }
        return handle(deps, { exchange, caller, ...read })
      }
    },
  }
}

function describe(definition: Omit<AnyDefinition<never>, 'handle'>): Documented {
  const { tag, summary, description, operationId, query, body } = definition
  const { security, errors, isLimited } = ACCESS_RULES[definition.access]
  const all: readonly ErrorCode[] = [
    ...Object.values(definition.ids ?? {}).map(({ code }) => code),
    ...(query ? (['invalid_query_parameters'] as const) : []),
    ...(body?.errors ?? []),
    ...(definition.errors ?? []),
    ...errors,
  ]
  return {
    tags: [tag],
    summary,
    description,
    operationId,
    security,
    ...(query ? { parameters: describeParameters(query.parameters) } : {}),
    ...(body?.document ? { requestBody: body.document } : {}),
    responses: { ...responses(definition.successes, all, isLimited), ...definition.responses },
  }
}
