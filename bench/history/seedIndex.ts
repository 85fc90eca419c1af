import type { Queryable } from '../../store/database/database.ts'
import type { HistorySeed } from './size.ts'

/** What the indexer keeps of the same business, in tables as Ponder makes them (indexer/ponder.schema.ts). */
export async function seedIndex(sql: Queryable, seed: HistorySeed): Promise<void> {
  await sql`create schema indexed`
  await sql`grant usage on schema indexed to public`
  await sql`create table indexed._ponder_checkpoint (chain_id bigint, latest_checkpoint text)`
  await sql`grant select on indexed._ponder_checkpoint to public`
  await seedTransfers(sql, seed)
  await seedHubEvents(sql, seed)
}

async function seedTransfers(sql: Queryable, { networkId }: HistorySeed): Promise<void> {
  await sql`
    create table indexed.transfer (chain_id integer not null, block_hash text not null,
      log_index integer not null, block_number bigint not null, block_timestamp bigint not null,
      tx_hash text not null, token text not null, "from" text not null, "to" text not null,
      amount numeric(78) not null)`
  await sql`
    insert into indexed.transfer
    select s.chain_id, p.block_hash, row_number() over (), p.block_number,
      extract(epoch from p.block_time)::bigint, p.tx_hash, p.token, p.sender, i.deposit_address,
      p.amount
    from payment p join invoice i on i.id = p.invoice_id
    join chain_state s on s.network_id = ${networkId}`
  await sql`alter table indexed.transfer add primary key (chain_id, block_hash, log_index)`
  await sql`create index on indexed.transfer (chain_id, block_number)`
}

/** A sweep for each settlement and a payout for each that was booked; one sweep in a thousand is not ours. */
async function seedHubEvents(sql: Queryable, seed: HistorySeed): Promise<void> {
  const { networkId, x402Payments } = seed
  await sql`
    create table indexed.hub_event (chain_id integer not null, block_hash text not null,
      log_index integer not null, block_number bigint not null, block_timestamp bigint not null,
      tx_hash text not null, kind text not null, merchant_id text, account text, token text,
      receiver text, amount numeric(78), fee numeric(78), reference text)`
  await sql`grant select on indexed.hub_event to public`
  await sql`
    insert into indexed.hub_event (chain_id, block_hash, log_index, block_number, block_timestamp,
      tx_hash, kind, account, token, receiver, amount, fee)
    select c.chain_id, s.block_hash, ${x402Payments} + row_number() over (order by s.created_at),
      s.block_number, extract(epoch from s.mined_at)::bigint,
      case when row_number() over (order by s.created_at) % 1000 = 7 then '0x9' || right(s.tx_hash, 63)
        else s.tx_hash end,
      'swept', i.deposit_address, s.token, s.recipient, s.amount - s.fee, s.fee
    from settlement s join invoice i on i.id = s.invoice_id
    join chain_state c on c.network_id = ${networkId}
    where s.status = 'confirmed'`
  await sql`
    insert into indexed.hub_event (chain_id, block_hash, log_index, block_number, block_timestamp,
      tx_hash, kind, merchant_id, account, token, receiver, amount, fee)
    select c.chain_id, d.block_hash, d.log_index, d.block_number,
      extract(epoch from d.block_time)::bigint, d.tx_hash, 'distributed', d.merchant_id::text,
      f.address, d.token, d.treasury, d.remitted, d.fee
    from x402_distribution d join forwarder f on f.merchant_id = d.merchant_id
    join chain_state c on c.network_id = ${networkId}`
  await sql`alter table indexed.hub_event add primary key (chain_id, block_hash, log_index)`
  await sql`create index on indexed.hub_event (chain_id, block_timestamp)`
  await sql`create index on indexed.hub_event (chain_id, tx_hash)`
}
