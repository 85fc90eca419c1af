import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Fragment, Queryable, Transaction } from '../database/database.ts'

/** What payments that are under way have promised of payers' balances. */

/** Demands on a balance, and the chain's answer about it. */
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
  /** The query's own nonce was claimed for an invoice, so that it pays for nothing else. */
  readonly isOfInvoice: boolean
  /** The payer was seen with code when a payment of it was carried out: it travels with the wallets. */
  readonly hasHadCode: boolean
}
export const NOTHING: Promised = {
  ...{ amount: 0n, payments: 0, isOfInvoice: false, hasHadCode: false },
}

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
 * About a row of payments, authorizations or actions: it is pending, or was settled in a block that a reorganisation
 * took, so that the payer has the money back and may still have to pay it.
 */
export function isOwed(sql: Queryable, row: Fragment): Fragment {
  return sql`(${row}.status = 'pending' or (${row}.status = 'settled' and ${row}.confirmed_at is null and exists (
    select from chain_block c
    where c.network_id = ${row}.network_id and c.number = ${row}.block_number and c.hash <> ${row}.block_hash)))`
}

/**
 * One payer's authorizations that are not confirmed, added up by state and block, of which there are few: each is then
 * looked up once (isOwed). The payer, its network and its asset are those of the row `of`.
 */
export function openByBlock(
  sql: Queryable,
  table: 'x402_payment' | 'invoice_authorization',
  of: Fragment,
): Fragment {
  // As the indexes by payer have it.
  const isOpen = {
    x402_payment: sql`x.status <> 'failed'`,
    invoice_authorization: sql`x.status in ('pending', 'settled')`,
  }[table]
  return sql`(
    select x.network_id, x.status, x.block_number, x.block_hash, x.confirmed_at,
      sum(x.amount) as amount, count(*) as authorizations
    from ${sql(table)} x
    where x.network_id = ${of}.network_id and x.asset = ${of}.asset and x.payer = ${of}.payer
      and x.confirmed_at is null and ${isOpen}
    group by x.network_id, x.status, x.block_number, x.block_hash, x.confirmed_at)`
}

/**
 * What of each query's balance is promised to other payments and to deposits into channels: those that are
 * owed (isOwed) and were not carried out yet, and those that were settled in blocks that the balance does not
 * know yet, confirmed or not. What one payer has under way is read once, however many queries are about its
 * balance.
 */
export async function promisedTo(
  sql: Transaction,
  queries: readonly BalanceQuery[],
): Promise<Promised[]> {
  return sql<Promised[]>`
    with given as (
      select * from unnest(
        ${queries.map((q) => q.networkId)}::text[], ${queries.map((q) => q.asset)}::text[],
        ${queries.map((q) => q.authorization.from)}::text[],
        ${queries.map((q) => q.authorization.nonce)}::text[],
        ${queries.map((q) => q.block.toString())}::bigint[],
        ${queries.map((q) => q.usedNonces.join(' '))}::text[]
      ) with ordinality
        as g (network_id, asset, payer, authorization_nonce, block, used_nonces, place)
    ),
    balance as materialized (
      select network_id, asset, payer, array_agg(authorization_nonce) as nonces, min(block) as block
      from given group by network_id, asset, payer
    ),
    -- By blocks, of which few are not confirmed, and hardly any is confirmed and newer than a balance; what is
    -- owed comes after all of them.
    under_way as materialized (
      select b.network_id, b.asset, b.payer, w.*
      from balance b
      cross join lateral (
        select case when ${isOwed(sql, sql`p`)} then ${AFTER_ALL}::bigint else p.block_number end as block,
          null as deposit_nonce, p.amount, case p.status when 'pending' then p.authorizations else 0 end as payments
        from ${openByBlock(sql, 'x402_payment', sql`b`)} p
        union all
        select p.block_number, null, p.amount, 0 from x402_payment p
        where p.payer = b.payer and p.block_number > b.block and p.confirmed_at is not null
          and p.network_id = b.network_id and p.asset = b.asset
        union all
        select case when ${isOwed(sql, sql`i`)} then ${AFTER_ALL}::bigint else i.block_number end,
          null, i.amount, case i.status when 'pending' then i.authorizations else 0 end
        from ${openByBlock(sql, 'invoice_authorization', sql`b`)} i
        union all
        select i.block_number, null, i.amount, 0 from invoice_authorization i
        where i.payer = b.payer and i.block_number > b.block and i.confirmed_at is not null
          and i.network_id = b.network_id and i.asset = b.asset
        union all
        select case when ${isOwed(sql, sql`a`)} then ${AFTER_ALL}::bigint else a.block_number end,
          case when a.authorization_nonce = any(b.nonces) then a.authorization_nonce end,
          sum(a.amount), 0
        from x402_channel_action a
        where a.network_id = b.network_id and a.token = b.asset and a.payer = b.payer
          and a.kind = 'deposit' and a.status <> 'failed' and a.confirmed_at is null
        group by 1, 2
        union all
        select a.block_number, case when a.authorization_nonce = any(b.nonces) then a.authorization_nonce end,
          a.amount, 0
        from x402_channel_action a
        where a.payer = b.payer and a.block_number > b.block and a.confirmed_at is not null
          and a.network_id = b.network_id and a.token = b.asset and a.kind = 'deposit'
      ) w
    ),
    -- Joined, so that many queries and many balances are not gone through crosswise.
    others as materialized (
      select g.place, sum(w.amount) as amount, sum(w.payments) as payments
      from given g join under_way w using (network_id, asset, payer)
      where w.block > g.block and w.deposit_nonce is distinct from g.authorization_nonce
      group by g.place
    )
    select coalesce(others.amount, 0) - own.amount as amount,
      (coalesce(others.payments, 0) - own.payments)::integer as payments,
      -- Limited, here and below, so that each is looked up by its key: 'exists' would read all of them.
      coalesce((select status in ('pending', 'settled') from invoice_authorization i
        where i.authorization_nonce = g.authorization_nonce and i.payer = g.payer and i.asset = g.asset
          and i.network_id = g.network_id limit 1), false) as is_of_invoice,
      coalesce((select true from x402_code_payer c
        where c.network_id = g.network_id and c.payer = g.payer limit 1), false) as has_had_code
    from given g
    left join others on others.place = g.place
    -- The queried one is not another one, and what the balance has paid already is not promised any more.
    cross join lateral (
      select coalesce(sum(p.amount), 0) as amount,
        count(*) filter (where p.status = 'pending') as payments
      from (
        select g.authorization_nonce as nonce
        union select unnest(string_to_array(g.used_nonces, ' '))
      ) n
      cross join lateral (
        (select amount, status, block_number, ${isOwed(sql, sql`x`)} as is_owed from x402_payment x
        where authorization_nonce = n.nonce and payer = g.payer and asset = g.asset
          and network_id = g.network_id and status <> 'failed'
        limit 1)
        union all
        (select amount, status, block_number, ${isOwed(sql, sql`x`)} from invoice_authorization x
        where authorization_nonce = n.nonce and payer = g.payer and asset = g.asset
          and network_id = g.network_id and status in ('pending', 'settled')
        limit 1)
      ) p
      where p.is_owed or (n.nonce = g.authorization_nonce and p.block_number > g.block)
    ) as own
    order by g.place`
}

/** Later than any block. */
const AFTER_ALL = '9223372036854775807'

/** Names one payer's balance of one token. */
export function payerKey({ networkId, asset, authorization }: BalanceQuery): string {
  return `${networkId} ${asset} ${authorization.from}`
}

/** Names one authorization. */
export function authorizationKey({ networkId, asset, authorization }: BalanceQuery): string {
  return `${networkId} ${asset} ${authorization.from} ${authorization.nonce}`
}
