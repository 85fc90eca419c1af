import type { Database } from '../../../store/database/database.ts'

/** Copies the invoices, their money and the work that waits, for an operator of its own. */
export async function copyLedger(from: Database, to: Database): Promise<void> {
  for (const table of ['merchant', 'invoice', 'payment', 'settlement']) {
    for (const row of await from`select * from ${from(table)}`) {
      await to`insert into ${to(table)} ${to(row)}`
    }
  }
  for (const { kind, networkId, dedupeKey, payload } of await from`select * from work_item`) {
    await to`
      insert into work_item (kind, network_id, dedupe_key, payload)
      values (${kind}, ${networkId}, ${dedupeKey}, ${to.json(payload)})`
  }
}
