import { forwarderAddress } from '../core/deposit.ts'
import { type Address, lowerCaseAddress } from '../core/evm.ts'
import { baseUnitsFromSql } from '../core/money.ts'
import type { Transaction } from './database.ts'
import { ensureConfigured } from './ledger.ts'

/** Forwarders: where merchants' x402 payments go. */

/**
 * Makes sure that the merchant has a forwarder and returns its address, which is the same on every
 * chain. It stays as it is when the deployment changes to another hub later.
 */
export async function registerForwarder(
  sql: Transaction,
  hub: Address,
  merchantId: string,
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
  const [row] = await sql<{ address: string }[]>`
    select address from forwarder where merchant_id = ${merchantId}`
  if (!row) throw new Error(`merchant ${merchantId} got no forwarder`)
  return lowerCaseAddress(row.address)
}

/** Queues what a forwarder needs on a chain: its code, and where its money goes. */
export async function prepareForwarder(
  sql: Transaction,
  merchantId: string,
  networkId: string,
): Promise<void> {
  const key = `deploy:${networkId}:${merchantId}`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${networkId}, 'deploy', ${key}, ${sql.json({ merchantId })})
    on conflict (dedupe_key) do nothing`
  const [merchant] = await sql<
    {
      recipient: string | null
      config_version: number
      x402_fee_bps: number
      x402_fee_cap: string
      hub: string
    }[]
  >`
    select m.recipient, m.config_version, m.x402_fee_bps, m.x402_fee_cap, f.hub
    from merchant m join forwarder f on f.merchant_id = m.id
    where m.id = ${merchantId}`
  if (!merchant) throw new Error(`merchant ${merchantId} has no forwarder`)
  if (merchant.recipient === null) return
  const recipient = lowerCaseAddress(merchant.recipient)
  const registry = { networkId, hub: lowerCaseAddress(merchant.hub) }
  await ensureConfigured(sql, registry, merchantId, recipient, {
    recipient,
    configVersion: merchant.config_version,
    x402FeeBps: merchant.x402_fee_bps,
    x402FeeCap: baseUnitsFromSql(merchant.x402_fee_cap),
  })
}
