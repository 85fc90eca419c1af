import type { Address } from '../../core/chain/evm.ts'
import type { MerchantId } from '../../core/ids.ts'
import { forwarderAddress } from '../../core/invoice/deposit.ts'
import type { Queryable, Transaction } from '../database.ts'
import { ensureConfigured, type RegistryTerms } from '../relayer/registryEntries.ts'

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
  const [row] = await sql<{ address: Address }[]>`
    select address from forwarder where merchant_id = ${merchantId}`
  if (!row) throw new Error(`merchant ${merchantId} got no forwarder`)
  return row.address
}

/** The hubs that merchants' forwarders belong to: a forwarder keeps the one that it was made for. */
export async function forwarderHubs(sql: Queryable): Promise<Address[]> {
  const rows = await sql<{ hub: Address }[]>`select distinct hub from forwarder order by hub`
  return rows.map(({ hub }) => hub)
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
  const [merchant] = await sql<(RegistryTerms & { recipient: Address | null; hub: Address })[]>`
    select m.recipient, m.config_version, m.x402_fee_bps, m.x402_fee_cap, f.hub
    from merchant m join forwarder f on f.merchant_id = m.id
    where m.id = ${merchantId} for share of m`
  if (!merchant) throw new Error(`merchant ${merchantId} has no forwarder`)
  const key = `deploy:${networkId}:${merchantId}`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${networkId}, 'deploy', ${key}, ${sql.json({ merchantId })})
    on conflict (dedupe_key) do nothing`
  if (merchant.recipient === null) return
  const registry = { networkId, hub: merchant.hub }
  await ensureConfigured(sql, registry, merchantId, merchant.recipient, merchant)
}

/**
 * Prepares the merchant's forwarder anew wherever it is paid or was: anybody may have the hub pay it
 * out, and must not be able to do so to a recipient that was replaced.
 */
export async function prepareForwarderEverywhere(
  sql: Transaction,
  merchantId: MerchantId,
): Promise<void> {
  const rows = await sql<{ networkId: string }[]>`
    select network_id from x402_endpoint where merchant_id = ${merchantId}
    union
    select network_id from forwarder_on_chain where merchant_id = ${merchantId}
    union
    select p.network_id from forwarder f join x402_payment p on p.pay_to = f.address
    where f.merchant_id = ${merchantId} and p.status = 'settled' and p.distribution_id is null
    order by network_id`
  for (const row of rows) await prepareForwarder(sql, merchantId, row.networkId)
}
