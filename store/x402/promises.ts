import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Transaction } from '../database.ts'

/** What payments that are under way have promised of payers' balances. */

/** What a balance is asked for, and what the chain has said of it. */
export interface BalanceQuery {
  readonly networkId: string
  readonly asset: Address
  readonly authorization: { readonly from: Address; readonly nonce: Hex }
  /** The block at which the balance was read. */
  readonly block: bigint
  /** Nonces of the payer's pending authorizations that were used up by that block. */
  readonly usedNonces: readonly Hex[]
}

/** What is promised of a payer's balance, and in how many payments that are under way. */
export interface Promised {
  readonly amount: bigint
  readonly payments: number
  /** The payer was seen with code when a payment of it was carried out: it travels with the wallets. */
  readonly hasHadCode: boolean
}
export const NOTHING: Promised = { amount: 0n, payments: 0, hasHadCode: false }

/** Serialises what is promised of one balance; in one order everywhere, so that no two deadlock. */
export async function lockPayers(
  sql: Transaction,
  queries: readonly BalanceQuery[],
): Promise<void> {
  const payers = queries.map(payerKey)
  await sql`
    select pg_advisory_xact_lock(hashtextextended(payer, 402)) from (
      select distinct payer from unnest(${payers}::text[]) as given (payer) order by payer) sorted`
}

/**
 * What of each query's balance is promised to other payments and to deposits into channels: those that are pending
 * and were not carried out yet, and those that were settled in blocks that the balance does not know yet.
 */
export async function promisedTo(
  sql: Transaction,
  queries: readonly BalanceQuery[],
): Promise<Promised[]> {
  return sql<Promised[]>`
    select coalesce(promised.amount, 0) + coalesce(deposits.amount, 0) as amount,
      promised.payments::integer as payments,
      -- Limited, so that each is looked up by its key: 'exists' would read all of them.
      coalesce((select true from x402_code_payer c
        where c.network_id = g.network_id and c.payer = g.payer limit 1), false) as has_had_code
    from unnest(
      ${queries.map((q) => q.networkId)}::text[], ${queries.map((q) => q.asset)}::text[],
      ${queries.map((q) => q.authorization.from)}::text[],
      ${queries.map((q) => q.authorization.nonce)}::text[],
      ${queries.map((q) => q.block.toString())}::bigint[],
      ${queries.map((q) => q.usedNonces.join(' '))}::text[]
    ) with ordinality
      as g (network_id, asset, payer, authorization_nonce, block, used_nonces, place)
    cross join lateral (
      select sum(p.amount) as amount, count(*) filter (where p.status = 'pending') as payments
      from x402_payment p
      where p.network_id = g.network_id and p.asset = g.asset and p.payer = g.payer
        and p.status <> 'failed' and p.confirmed_at is null
        and (p.status = 'pending' or p.block_number > g.block)
        and p.authorization_nonce <> g.authorization_nonce
        and not (p.status = 'pending'
          and p.authorization_nonce = any(string_to_array(g.used_nonces, ' ')))
    ) as promised
    cross join lateral (
      select sum(a.amount) as amount
      from x402_channel_action a
      where a.network_id = g.network_id and a.token = g.asset and a.payer = g.payer
        and a.kind = 'deposit' and a.status <> 'failed' and a.confirmed_at is null
        and (a.status = 'pending' or a.block_number > g.block)
        and a.authorization_nonce <> g.authorization_nonce
    ) as deposits
    order by g.place`
}

/** Names one payer's balance of one token. */
export function payerKey({ networkId, asset, authorization }: BalanceQuery): string {
  return `${networkId} ${asset} ${authorization.from}`
}

/** Names one authorization. */
export function authorizationKey({ networkId, asset, authorization }: BalanceQuery): string {
  return `${networkId} ${asset} ${authorization.from} ${authorization.nonce}`
}
