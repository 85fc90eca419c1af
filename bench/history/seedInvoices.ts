import type { Queryable } from '../../store/database/database.ts'
import { BLOCKS, DAYS, type HistorySeed, OTHERS, uuidAt } from './size.ts'

/** Invoices with their payments and settlements, and the transactions that settled them. */

/**
 * What became of invoice n, by its last two digits; the two before it say whose it is. 59 % are completed,
 * 1 % could not be settled, 4 % lie below the least sweep, 1 % wait for a recipient, 4 % list a chain that
 * stands still, 1 % are paid in part, 26 % expired and 4 % have no end.
 */
export async function seedInvoices(sql: Queryable, seed: HistorySeed): Promise<void> {
  const { invoices, hub, networkId, stalledNetworkId, token, blockHash } = seed
  await sql`
    insert into invoice (id, merchant_id, external_ref, reference, token_symbol, chains,
      amount_expected, fee_cap, platform_fee, hub, deposit_address, metadata, expires_at,
      expiry_announced_at, status, target_network, received_amount, amount_remitted,
      completed_amount, settlement_state, held_parts, created_at, paid_at, completed_at)
    select ${uuidAt(sql, 'at', 'i.n')}, m.id, 'order-' || i.n, lpad(to_hex(i.n), 10, '0'), 'USDC',
      case when k between 65 and 68 then array[${stalledNetworkId}::text]
        else array[${networkId}::text] end,
      case when k >= 70 then 1000000 + 1000 * (i.n % 1000) else 1000000 end, 5000, 5000, ${hub},
      '0xd' || lpad(to_hex(i.n), 39, '0'),
      case when k % 4 = 1 then jsonb_build_object('channel', 'web', 'batch', 'b-' || i.n / 2000)
        else '{}' end,
      case when k < 96 then at + interval '1 day' end,
      case when k between 69 and 95 then at + interval '1 day' end,
      case when k < 59 then 'completed' when k < 65 then 'paid' when k = 69 then 'partial'
        else 'pending' end,
      case when k < 65 then ${networkId}::text end,
      case when k < 65 then 1000000 when k = 69 then 400000 else 0 end,
      case when k < 59 then 995000 else 0 end,
      case when k < 59 then 1000000 end,
      case when k between 60 and 63 then 'below_gas_threshold' when k = 64 then 'no_recipient'
        when k = 59 then 'failed'
        else 'none' end,
      case when k between 59 and 64 or k = 69 then 1 else 0 end, at, case when k < 65 then at + interval '1 minute' end,
      case when k < 59 then at + interval '2 minutes' end
    from (
      select n, (n % 100)::integer as k,
        now() - ${DAYS} * interval '1 day' * (1 - (n - 1)::float8 / ${invoices}) as at
      from generate_series(1, ${invoices}::bigint) n
    ) i
    join seed_merchant m on m.n = case when k = 64 then 1 when (i.n / 100) % 5 = 0 then 0
      else 2 + (i.n / 100) % ${OTHERS - 1} end`
  await sql`
    insert into chain_state (network_id, chain_id, genesis_hash, confirmed_time, head_seen_at)
    values (${stalledNetworkId}, 1, '0x', now() - ${DAYS + 1} * interval '1 day', now())`
  await sql`
    insert into watched (address, kind, merchant_id, invoice_id)
    select deposit_address, 'deposit', merchant_id, id from invoice`
  await sql`
    insert into invoice_metadata (merchant_id, term, digest, created_at, invoice_id)
    select merchant_id, term, digest, created_at, id from invoice, metadata_entries(metadata) as entry
    where metadata <> '{}'`
  await sql`
    insert into invoice_tally (merchant_id, day, status, token_symbol, invoices)
    select merchant_id, (created_at at time zone 'UTC')::date, status, token_symbol, count(*)
    from invoice group by 1, 2, 3, 4`
  await sql`
    create temporary table seed_paid as
    select row_number() over (order by id) as n, id, merchant_id, status, deposit_address, created_at
    from invoice where received_amount > 0`
  const [paid] = await sql<{ count: bigint }[]>`select count(*) from seed_paid`
  const block = sql`(1 + (n * ${BLOCKS} / ${String(paid?.count ?? 1n)}::bigint) % ${BLOCKS})`
  // Some pay often, one of them for a tenth of all: an exchange.
  const payer = sql`
    '0xb' || lpad(case when n % 10 = 7 then 'e' else to_hex(n % 5000) end, 39, '0')`
  await sql`
    insert into payment (id, invoice_id, merchant_id, invoice_created_at, network_id, tx_hash, log_index, token, sender,
      amount, kind, status, block_number, block_hash, block_time, fee, created_at, confirmed_at)
    select ${uuidAt(sql, 'created_at', 'n')}, id, merchant_id, created_at,
      ${networkId}, '0x1' || lpad(to_hex(n), 63, '0'), 0, ${token}, ${payer},
      case when status = 'partial' then 400000 else 1000000 end, 'counted', 'confirmed', ${block},
      ${blockHash}, created_at, 0, created_at + interval '1 minute', created_at + interval '2 minutes'
    from seed_paid`
  // Every thousandth of them was paid once more, too late.
  await sql`
    insert into payment (id, invoice_id, merchant_id, invoice_created_at, network_id, tx_hash, log_index, token, sender,
      amount, kind, status, block_number, block_hash, block_time, fee, created_at, confirmed_at)
    select ${uuidAt(sql, 'created_at', 'n + 1000000000')}, id, merchant_id, created_at,
      ${networkId}, '0x2' || lpad(to_hex(n), 63, '0'), 0, ${token}, ${payer},
      1000000, 'late', 'confirmed', ${block}, ${blockHash}, created_at, 0,
      created_at + interval '1 hour', created_at + interval '1 hour'
    from seed_paid where n % 1000 = 0`
  await seedSettlements(sql, seed)
  await sql`drop table seed_paid`
}

/** Each completed invoice has a settlement, and each of those a work item in one of the transactions. */
async function seedSettlements(sql: Queryable, seed: HistorySeed): Promise<void> {
  const { networkId, token, blockHash, relayer, transactions, hub } = seed
  await sql`
    insert into relayer_key (network_id, address, next_nonce)
    values (${networkId}, ${relayer}, ${transactions})
    on conflict (network_id, address) do update set next_nonce = excluded.next_nonce`
  await sql`
    insert into relayer_tx (id, network_id, address, account_nonce, kind, target, calldata,
      gas_limit, state, outcome, mined_hash, mined_block, mined_block_hash, mined_at, confirmed_at)
    overriding system value
    select n, ${networkId}, ${relayer}, n - 1, 'sweep', ${hub}, '0x', 100000, 'final', 'succeeded',
      '0x3' || lpad(to_hex(n), 63, '0'), 1 + (n * ${BLOCKS} / ${transactions}) % ${BLOCKS},
      ${blockHash}, now(), now()
    from generate_series(1, ${transactions}::bigint) n`
  await sql`select setval(pg_get_serial_sequence('relayer_tx', 'id'), ${transactions})`
  await sql`
    insert into relayer_attempt (network_id, hash, tx_id, seq, raw, max_fee_per_gas,
      max_priority_fee_per_gas, broadcast_at)
    select ${networkId}, '0x3' || lpad(to_hex(n), 63, '0'), n, 1, '0x', 1, 1, now()
    from generate_series(1, ${transactions}::bigint) n`
  await sql`
    insert into settlement (id, invoice_id, merchant_id, network_id, token, round, amount, fee,
      recipient, registry_version, status, tx_hash, block_number, block_hash, created_at, mined_at,
      confirmed_at)
    select ${uuidAt(sql, 'created_at', 'n')}, id, merchant_id, ${networkId}, ${token}, 1, 1000000, 5000,
      '0xa' || lpad('5', 39, '0'), 1, 'confirmed',
      '0x3' || lpad(to_hex(1 + n % ${transactions}), 63, '0'), 1 + n % ${BLOCKS}, ${blockHash},
      created_at + interval '2 minutes', created_at + interval '3 minutes',
      created_at + interval '4 minutes'
    from seed_paid where status = 'completed'`
  // They pause for an hour.
  await sql`
    insert into settlement (id, invoice_id, merchant_id, network_id, token, round, amount, fee,
      recipient, registry_version, status, error)
    select gen_random_uuid(), i.id, i.merchant_id, ${networkId}, ${token}, round, 1000000, 5000,
      m.recipient, 1, 'failed', 'RecipientBlocked'
    from invoice i join merchant m on m.id = i.merchant_id, generate_series(1, 3) round
    where i.settlement_state = 'failed'`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload, state, tx_id, result)
    select network_id, 'sweep', 'sweep:' || network_id || ':' || invoice_id || ':' || token || ':1',
      jsonb_build_object('settlementId', id), 'settled',
      1 + row_number() over () % ${transactions}, '{}'
    from settlement where status = 'confirmed'`
}
