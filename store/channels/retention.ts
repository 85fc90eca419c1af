import type { Database } from '../database/database.ts'

/** Deletes what servers stored for channels that were never funded. */

/**
 * Removes a batch of records, last changed before `before`, of channels of which no voucher is stored and
 * of which the chain has shown nothing. What promises money, or has held some, stays. Returns how many there
 * were.
 */
export async function removeUnpaidChannels(
  database: Database,
  networkId: string,
  before: Date,
  batch: number,
): Promise<number> {
  const rows = await database`
    with old as materialized (
      select c.network_id, c.channel_id
      from x402_channel_voucher v join x402_channel c using (network_id, channel_id)
      where v.network_id = ${networkId} and v.max_claimable is null and v.stored_at < ${before}
        and c.balance = 0 and c.base_hash is not null and not exists (select from x402_channel_event e
          where e.network_id = c.network_id and e.channel_id = c.channel_id)
      order by v.stored_at limit ${batch}
      for update of c skip locked
    ), records as (
      -- A voucher may have been stored just now.
      delete from x402_channel_voucher v using old
      where v.network_id = old.network_id and v.channel_id = old.channel_id
        and v.max_claimable is null
      returning v.network_id, v.channel_id
    )
    delete from x402_channel c using records r
    where c.network_id = r.network_id and c.channel_id = r.channel_id
    returning c.channel_id`
  return rows.length
}
