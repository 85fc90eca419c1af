import type { MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { OwnAddress } from '../../core/x402/ownAddress.ts'
import type { Database, Queryable } from '../database/database.ts'
import { registerForwarder } from '../hub/forwarders.ts'

/** Merchants' own addresses at which they are paid, without a forwarder between. */

export interface NewOwnAddress {
  readonly merchantId: MerchantId
  readonly address: Address
  /** The one chain on which it is theirs; null for every chain. */
  readonly networkId: string | null
  /** By which the address agreed. */
  readonly signature: Hex
}

export type OwnAddressResult =
  | { readonly ok: true; readonly ownAddress: OwnAddress }
  /**
   * `taken`: another merchant has it. `watched`: it is a deposit's or a forwarder's. `not_approved`: where the
   * merchant's money goes needs approval, and this address is not on its list.
   */
  | { readonly ok: false; readonly reason: 'taken' | 'watched' | 'not_approved' }

/**
 * Registers an address for one merchant at a time. The merchant has a forwarder besides, if only for the hub
 * through which its payments go; nothing is deployed for it.
 */
export async function registerOwnAddress(
  database: Database,
  hub: Address,
  { merchantId, address, networkId, signature }: NewOwnAddress,
  now: Date,
): Promise<OwnAddressResult> {
  return database.begin(async (sql): Promise<OwnAddressResult> => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${address}, 403))`
    const watched = await sql`select from watched where address = ${address}`
    if (watched.length > 0) return { ok: false, reason: 'watched' }
    const there = await sql<(OwnAddress & { readonly merchantId: MerchantId })[]>`
      select merchant_id, address, network_id, created_at from x402_own_address
      where address = ${address} and removed_at is null`
    if (there.some((one) => one.merchantId !== merchantId)) return { ok: false, reason: 'taken' }
    const same = there.find((one) => one.networkId === networkId)
    if (same) return { ok: true, ownAddress: same }
    const [approved] = await sql<{ isGiven: boolean }[]>`
      select may_be_paid_to(${merchantId}, ${address}) as is_given`
    if (!approved?.isGiven) return { ok: false, reason: 'not_approved' }
    await registerForwarder(sql, hub, merchantId)
    await sql`
      insert into x402_own_address (id, merchant_id, address, network_id, signature, created_at)
      values (${Bun.randomUUIDv7()}, ${merchantId}, ${address}, ${networkId}, ${signature}, ${now})`
    return { ok: true, ownAddress: { address, networkId, createdAt: now } }
  })
}

/** The merchant's addresses in use, the oldest first. */
export async function listOwnAddresses(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<OwnAddress[]> {
  return sql<OwnAddress[]>`
    select address, network_id, created_at from x402_own_address
    where merchant_id = ${merchantId} and removed_at is null order by created_at, id`
}

/** Takes an address out of use on every chain; what was claimed before is carried out. */
export async function removeOwnAddress(
  sql: Queryable,
  merchantId: MerchantId,
  address: Address,
  now: Date,
): Promise<void> {
  await sql`
    update x402_own_address set removed_at = ${now}
    where merchant_id = ${merchantId} and address = ${address} and removed_at is null`
}
