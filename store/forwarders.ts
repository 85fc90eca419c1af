import { forwarderAddress } from '../core/deposit.ts'
import { type Address, lowerCaseAddress } from '../core/evm.ts'
import type { Transaction } from './database.ts'

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
