import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import { prepareForwarder } from '../../../store/hub/forwarders.ts'
import { newAddress, newNetwork } from './database.ts'
import { newShop, newTransaction, type Shop, TOKEN } from './x402.ts'

/** Merchants whose forwarders are to be paid out. */

/** A forwarder is paid out at 100 units or after an hour. */
export const POLICY = { distributeFrom: baseUnits(100n), distributeAfterMs: 3_600_000 }
export const AT_ONCE = { ...POLICY, distributeAfterMs: 0 }

export interface Payee {
  readonly networkId: string
  readonly shop: Shop
}

/** A merchant whose registry entry is in force on a network of its own. */
export async function newPayee(sql: Database): Promise<Payee> {
  const networkId = newNetwork()
  const shop = await newShop(sql, { recipient: newAddress() })
  await prepare(sql, networkId, shop)
  return { networkId, shop }
}

export const entryKey = (networkId: string, { hub, id }: Shop, version = 1) =>
  `configure:${networkId}:${hub}:${id}:${version}`

export async function prepare(
  sql: Database,
  networkId: string,
  shop: Shop,
  state = 'settled',
  version = 1,
) {
  await sql.begin((t) => prepareForwarder(t, shop.id, networkId))
  await setState(sql, entryKey(networkId, shop, version), state)
}

export async function setState(sql: Database, dedupeKey: string, state: string): Promise<void> {
  const txId = state === 'assigned' ? await newTransaction(sql) : null
  await sql`
    update work_item set state = ${state}, tx_id = ${txId} where dedupe_key = ${dedupeKey}`
}

export async function changeForwarder(
  sql: Database,
  { networkId, shop }: Payee,
  columns: Record<string, string | number | Date | null>,
): Promise<void> {
  const given = { failed_at: null, failed_version: null, failure: null, ...columns }
  await sql`
    insert into forwarder_on_chain (merchant_id, network_id, token)
    values (${shop.id}, ${networkId}, ${TOKEN})
    on conflict (merchant_id, network_id, token) do nothing`
  await sql`
    update forwarder_on_chain set ${sql(given)}
    where merchant_id = ${shop.id} and network_id = ${networkId}`
}

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
