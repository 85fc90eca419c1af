import type { Address } from '../../core/chain/evm.ts'
import type { MerchantId } from '../../core/ids.ts'
import type { BaseUnits } from '../../core/money.ts'
import type { Transaction } from '../database.ts'

/** What a hub must know of a merchant before it can pay: where its money goes. */

/** One hub of one chain: each has a registry of its own. */
export interface Registry {
  readonly networkId: string
  readonly hub: Address
}

/** A merchant's entry in the registry: its version, and the fee of its x402 payments. */
export interface RegistryTerms {
  readonly configVersion: number
  readonly x402FeeBps: number
  readonly x402FeeCap: BaseUnits
}

/**
 * Makes sure that the merchant's registry entry of this version is on its way to the hub. Returns
 * the work item that a sweep must wait for, or null when the entry is in force. One that failed is
 * sent again, after a pause as long as it has been tried for, an hour at most: what was in its way
 * passes, like a signer that is being replaced, and until then it must not burn gas.
 */
export async function ensureConfigured(
  sql: Transaction,
  { networkId, hub }: Registry,
  merchantId: MerchantId,
  treasury: Address,
  { configVersion: version, x402FeeBps, x402FeeCap }: RegistryTerms,
): Promise<bigint | null> {
  const payload = {
    hub,
    merchantId,
    treasury,
    feeBps: x402FeeBps,
    feeCap: x402FeeCap.toString(),
    version,
  }
  const key = `configure:${networkId}:${hub}:${merchantId}:${version}`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${networkId}, 'configure', ${key}, ${sql.json(payload)})
    on conflict (dedupe_key) do nothing`
  const [item] = await sql<{ id: bigint; isInForce: boolean }[]>`
    with again as (
      update work_item set state = 'queued', tx_id = null, log_index = null, result = null,
        not_before = updated_at + least(updated_at - created_at, interval '1 hour'),
        updated_at = now()
      where dedupe_key = ${key} and state in ('failed', 'review'))
    select id, state = 'settled' as is_in_force from work_item where dedupe_key = ${key}`
  if (!item) throw new Error('the registry entry was not stored')
  return item.isInForce ? null : item.id
}
