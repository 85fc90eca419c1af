import { AppError } from '../../core/base/errors.ts'
import {
  asEndpointId,
  asMerchantId,
  type EndpointId,
  isUuid,
  type MerchantId,
} from '../../core/base/ids.ts'
import { isDay } from '../../core/base/instant.ts'
import { type Cursor, parseCursor } from '../../core/base/page.ts'
import { pasted } from '../../core/base/text.ts'
import { type Chain, findNetwork } from '../../core/chain/registry.ts'
import type { Days } from '../../store/books/readScope.ts'
import { MOMENT_KEYS } from '../request/page.ts'

/** Validates arguments of fields by their meaning. GraphQL has already checked their types. */
export type Arguments = Readonly<Record<string, unknown>>

const DAY_MS = 86_400_000

/** Throws `invalid_graphql_query` with the argument's name. */
export function wrong(name: string, message: string): never {
  throw new AppError('invalid_graphql_query', [{ path: name, message }])
}

/** A range of at most `most` days; the end is exclusive. */
export function readDays({ from, to }: Arguments, most: number): Days {
  const [first, end] = [dayOf('from', from), dayOf('to', to)]
  if (first >= end) wrong('from', 'must be before to')
  if (end - first > most * DAY_MS) wrong('from', `must be at most ${most} days before to`)
  return { from: asDay(first), to: asDay(end) }
}

function dayOf(name: string, value: unknown): number {
  if (typeof value !== 'string' || !isDay(value)) wrong(name, 'must be a day like 2026-08-01')
  return Date.parse(`${value}T00:00:00Z`)
}

function asDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Null for all chains. */
export function readChain<C extends Chain>({ chain }: Arguments, chains: readonly C[]): C | null {
  if (chain === null || chain === undefined) return null
  const found = typeof chain === 'string' ? findNetwork(chains, pasted(chain)) : undefined
  return found ?? wrong('chain', 'must be a chain of this deployment')
}

/** The merchant that the operator filters by; null for all. A merchant may only name itself. */
export function readMerchant(
  { merchant }: Arguments,
  caller: MerchantId | null,
): MerchantId | null {
  if (merchant === null || merchant === undefined) return caller
  const named = asMerchantId(idIn('merchant', merchant))
  if (caller !== null && named !== caller) wrong('merchant', 'must be your own, or left out')
  return named
}

export function readEndpoint({ endpoint }: Arguments): EndpointId | null {
  if (endpoint === null || endpoint === undefined) return null
  return asEndpointId(idIn('endpoint', endpoint))
}

function idIn(name: string, value: unknown): string {
  const id = typeof value === 'string' ? pasted(value) : ''
  return isUuid(id) ? id : wrong(name, 'must be a UUID')
}

/** A page size from 1 to `most`. */
export function readFirst({ first }: Arguments, most: number): number {
  if (typeof first === 'number' && first >= 1 && first <= most) return first
  return wrong('first', `must be from 1 to ${most}`)
}

export function readAfter({ after }: Arguments): Cursor {
  if (after === null || after === undefined) return { side: 'after', keys: null }
  const keys = typeof after === 'string' ? parseCursor(after, MOMENT_KEYS) : null
  return { side: 'after', keys: keys ?? wrong('after', 'must be the `next` of a previous page') }
}

/** A value of an enum, already checked by GraphQL. */
export function readChoice<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new TypeError(`the schema admitted ${String(value)}`)
  return found
}
