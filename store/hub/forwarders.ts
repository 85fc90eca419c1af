import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { hubsOf } from './hubs.ts'

/** Forwarders: where merchants' x402 payments go. */

/**
 * Makes sure that the merchant has a forwarder and returns its address, which is the same on every
 * chain. It stays as it is when the deployment changes to another hub later.
 */
export async function registerForwarder(
  sql: Transaction,
  hub: Address,
  merchantId: MerchantId,
): Promise<Address> {
  const address = forwarderAddress(hub, merchantId)
  await sql`
    with registered as (
      insert into forwarder (merchant_id, address, hub) values (${merchantId}, ${address}, ${hub})
      on conflict (merchant_id) do nothing
      returning merchant_id, address
    )
    insert into watched (address, kind, merchant_id)
    select address, 'forwarder', merchant_id from registered`
  const [row] = await sql<{ address: Address; hub: Address }[]>`
    select address, hub from forwarder where merchant_id = ${merchantId}`
  // Money at another address than the hub's own can't be paid out.
  if (row?.address !== forwarderAddress(row?.hub ?? hub, merchantId)) {
    throw new Error(`merchant ${merchantId} has no forwarder of hub ${row?.hub ?? hub}`)
  }
  return row.address
}

/** Names a hub that this deployment pays through; no forwarder belongs to any other. */
export async function nameHub(sql: Queryable, hub: Address): Promise<void> {
  await sql`insert into known_hub (address) values (${hub}) on conflict do nothing`
}

/**
 * In a query that begins with `with recursive`, the forwarders that hold money on a chain, as a table
 * `holder` of (pay_to). It goes from one to the next in the index, however many payments each of them holds.
 */
export function holders(sql: Queryable, networkId: string) {
  const isHeld = sql`
    p.network_id = ${networkId} and p.status = 'settled' and p.distribution_id is null and not p.direct`
  return sql`
    next_holder as (
      (select p.pay_to::text as pay_to from x402_payment p where ${isHeld}
        order by p.pay_to limit 1)
      union all
      select (select p.pay_to::text from x402_payment p where ${isHeld} and p.pay_to > n.pay_to
        order by p.pay_to limit 1)
      from next_holder n where n.pay_to is not null
    ), holder as (
      select pay_to from next_holder where pay_to is not null
    )`
}

/** Whether a worker or the operator has named this hub. */
export async function isHubNamed(sql: Queryable, hub: Address): Promise<boolean> {
  const rows = await sql`select from known_hub where address = ${hub}`
  return rows.length > 0
}

/** The hubs that merchants' forwarders belong to: a forwarder keeps the one that it was made for. */
export async function forwarderHubs(sql: Queryable): Promise<Address[]> {
  return hubsOf(sql, 'forwarder')
}

/** The hub of a merchant's forwarder, or null when the merchant has none. */
export async function forwarderHub(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<Address | null> {
  const [row] = await sql<{ hub: Address }[]>`
    select hub from forwarder where merchant_id = ${merchantId}`
  return row?.hub ?? null
}

/**
 * Queues what a forwarder needs on a chain: its code, and where its money goes. The merchant is locked
 * first, so that a recipient that is being set just now is not missed.
 */
export async function prepareForwarder(
  sql: Transaction,
  merchantId: MerchantId,
  networkId: string,
): Promise<void> {
  await sql`select prepare_forwarder(${merchantId}, ${networkId})`
}

/**
 * Prepares the merchant's forwarder again wherever it is paid or was: anyone may call the hub's payout, which
 * must not go to a replaced recipient.
 */
export async function prepareForwarderEverywhere(
  sql: Transaction,
  merchantId: MerchantId,
): Promise<void> {
  const isHeld = sql`p.status = 'settled' and p.distribution_id is null and not p.direct`
  const rows = await sql<{ networkId: string }[]>`
    with recursive holding as (
      -- From one network to the next: payments are many, and networks are few.
      (select p.network_id from x402_payment p where ${isHeld} order by p.network_id limit 1)
      union all
      select (select p.network_id from x402_payment p
        where ${isHeld} and p.network_id > h.network_id order by p.network_id limit 1)
      from holding h where h.network_id is not null
    )
    select network_id from x402_endpoint where merchant_id = ${merchantId}
    union
    select network_id from forwarder_on_chain where merchant_id = ${merchantId}
    union
    select h.network_id from forwarder f cross join holding h
    where f.merchant_id = ${merchantId} and exists (
      select from x402_payment p
      where ${isHeld} and p.network_id = h.network_id and p.pay_to = f.address)
    order by network_id`
  for (const row of rows) await prepareForwarder(sql, merchantId, row.networkId)
}
