import type { Address } from '../../core/chain/evm.ts'
import { heldTerms } from '../../core/x402/heldTerms.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import { type Database, isRowError, type Transaction } from '../database/database.ts'
import { gather } from '../database/gather.ts'
import {
  authorizationKey,
  type BalanceQuery,
  lockPayers,
  NOTHING,
  payerKey,
  promisedTo,
} from './promises.ts'

/**
 * Holds: what valid answers of verify keep of a payer's balance for some seconds, so that twenty servers don't
 * work for the same money. A hold blocks holds of other authorizations, and nothing else.
 */

export interface HoldQuery extends BalanceQuery {
  readonly authorization: Authorization
  /** The payer's balance on-chain, in base units, at the query's block. */
  readonly balance: bigint
}

export interface Holds {
  /**
   * Holds an authorization's amount; false when other holds and payments don't leave enough of the balance,
   * or one of them is of something else that the payer has signed with the same nonce.
   */
  hold(query: HoldQuery): Promise<boolean>
  /** Ends the hold of an authorization, if there is one. */
  end(held: Pick<BalanceQuery, 'networkId' | 'asset' | 'authorization'>): Promise<void>
}

const HOLDS_PER_COMMIT = 128
/** As long as callers of verify are prepared to wait for the node. */
const TIMEOUT_MS = 15_000

/** Holds for so many seconds. Holds received while others are being stored share a commit. */
export function openHolds(database: Database, seconds: number): Holds {
  const hold = gather<HoldQuery, boolean>({
    work: (queries) => database.begin((sql) => storeHolds(sql, queries, seconds)),
    isItemError: isRowError,
    timeoutMs: TIMEOUT_MS,
    atMost: HOLDS_PER_COMMIT,
  })
  return { hold, end: (held) => database.begin((sql) => endHolds(sql, [held])) }
}

/**
 * Stores holds in their order; each sees those before it. An authorization that is held stays held until the
 * moment that was set first.
 */
export async function storeHolds(
  sql: Transaction,
  queries: readonly HoldQuery[],
  seconds: number,
): Promise<boolean[]> {
  const [, promised, held] = await Promise.all([
    lockPayers(sql, queries),
    promisedTo(sql, queries),
    heldOf(sql, queries),
  ])
  const within = new Map<string, bigint>()
  const wanted = new Map<string, HoldQuery>()
  const results = queries.map((query, i) => {
    const [key, payer] = [authorizationKey(query), payerKey(query)]
    const before = held[i]
    const terms = heldTerms(query.authorization)
    const one = wanted.get(key)
    if (before?.isHeld || one) {
      return (one ? heldTerms(one.authorization) : before?.terms) === terms
    }
    const { value } = query.authorization
    const { amount } = promised[i] ?? NOTHING
    const heldWithin = (within.get(payer) ?? 0n) + value
    if (amount + (before?.amount ?? 0n) + heldWithin > query.balance) return false
    within.set(payer, heldWithin)
    wanted.set(key, query)
    return true
  })
  await insertHolds(sql, [...wanted.values()], seconds)
  return results
}

interface Held {
  /** By all the payer's authorizations, in base units. */
  readonly amount: bigint
  /** The query's own nonce is among them. */
  readonly isHeld: boolean
  /** For what; null while nothing is held. */
  readonly terms: string | null
}

/** What is held of each payer's balance: as many rows as a hold has seconds, however many holds there are. */
async function heldOf(sql: Transaction, queries: readonly HoldQuery[]): Promise<Held[]> {
  return sql<Held[]>`
    select
      (select coalesce(sum(b.amount), 0) from x402_held b
        where b.payer = g.payer and b.asset = g.asset and b.network_id = g.network_id
          and b.until > now()) as amount,
      h.until is not null as is_held, h.terms
    from ${given(sql, queries)}
    -- Limited, so that each is looked up by its key: 'exists' would read all holds there are.
    left join lateral (
      select until, terms from x402_hold
      where payer = g.payer and authorization_nonce = g.authorization_nonce and asset = g.asset
        and network_id = g.network_id and until > now()
      limit 1
    ) h on true
    order by g.place`
}

/** Writes holds, and adds them to their payers' sums; what is over is removed, twice as much as is written. */
async function insertHolds(
  sql: Transaction,
  holds: readonly HoldQuery[],
  seconds: number,
): Promise<void> {
  if (holds.length === 0) return
  const most = 2 * holds.length
  const until = sql`date_trunc('second', now()) + ${seconds + 1} * interval '1 second'`
  await Promise.all([
    sql`
      delete from x402_hold where ctid = any(array(
        select ctid from x402_hold where until <= now() order by until limit ${most}
        for update skip locked))`,
    sql`
      delete from x402_held where ctid = any(array(
        select ctid from x402_held where until <= now() order by until limit ${most}
        for update skip locked))`,
    sql`
      with stored as (
        insert into x402_hold as h (network_id, asset, payer, authorization_nonce, amount, terms,
          until)
        select g.network_id, g.asset, g.payer, g.authorization_nonce, v.amount::numeric, v.terms,
          ${until}
        from ${given(sql, holds)}
        join unnest(${holds.map((h) => h.authorization.value.toString())}::text[],
          ${holds.map((h) => heldTerms(h.authorization))}::text[])
          with ordinality as v (amount, terms, place) using (place)
        -- What was claimed meanwhile is promised already.
        where not exists (select from x402_payment p
          where p.authorization_nonce = g.authorization_nonce and p.payer = g.payer
            and p.asset = g.asset and p.network_id = g.network_id and p.status <> 'failed')
        order by g.payer, g.authorization_nonce
        on conflict (payer, authorization_nonce, asset, network_id)
          do update set amount = excluded.amount, terms = excluded.terms, until = excluded.until
            where h.until <= now()
        returning network_id, asset, payer, amount, until
      )
      insert into x402_held as b (network_id, asset, payer, until, amount)
      select network_id, asset, payer, until, sum(amount) from stored
      group by network_id, asset, payer, until order by payer, asset, network_id
      on conflict (payer, asset, network_id, until)
        do update set amount = b.amount + excluded.amount`,
  ])
}

/** Ends the holds of authorizations that were claimed: the claims keep their amounts from now on. */
export async function endHolds(
  sql: Transaction,
  claims: readonly Pick<BalanceQuery, 'networkId' | 'asset' | 'authorization'>[],
): Promise<void> {
  if (claims.length === 0) return
  await sql`
    with ended as (
      delete from x402_hold h using ${given(sql, claims)}
      where h.payer = g.payer and h.authorization_nonce = g.authorization_nonce
        and h.asset = g.asset and h.network_id = g.network_id and h.until > now()
      returning h.network_id, h.asset, h.payer, h.until, h.amount
    )
    update x402_held b set amount = b.amount - e.amount
    from (
      select network_id, asset, payer, until, sum(amount) as amount from ended
      group by network_id, asset, payer, until
    ) as e
    where b.payer = e.payer and b.asset = e.asset and b.network_id = e.network_id
      and b.until = e.until`
}

/** The authorizations as rows `g`, with their index. */
function given(
  sql: Transaction,
  queries: readonly Pick<BalanceQuery, 'networkId' | 'asset' | 'authorization'>[],
) {
  const asset = (query: { readonly asset: Address }) => query.asset
  return sql`unnest(
      ${queries.map((q) => q.networkId)}::text[], ${queries.map(asset)}::text[],
      ${queries.map((q) => q.authorization.from)}::text[],
      ${queries.map((q) => q.authorization.nonce)}::text[]
    ) with ordinality as g (network_id, asset, payer, authorization_nonce, place)`
}
