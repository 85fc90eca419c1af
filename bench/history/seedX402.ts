import { forwarderAddress } from '../../core/hub/deposit.ts'
import type { Queryable } from '../../store/database/database.ts'
import { BLOCKS, DAYS, type HistorySeed, OTHERS, uuidAt } from './size.ts'

/**
 * Payments per request, of which one in twenty failed and one in ten was carried out by others. A fifth lies
 * in the forwarder of a merchant without a recipient.
 */
export async function seedX402(sql: Queryable, seed: HistorySeed): Promise<void> {
  const { networkId, token, hub, x402Payments, blockHash, transactions } = seed
  await sql`
    insert into forwarder (merchant_id, address, hub)
    select id, case n when 0 then ${forwarderAddress(hub, seed.merchantId)}
      else '0xf' || lpad(to_hex(n), 39, '0') end, ${hub}
    from seed_merchant`
  await sql`
    insert into watched (address, kind, merchant_id)
    select address, 'forwarder', merchant_id from forwarder`
  await sql`
    insert into x402_endpoint (id, merchant_id, url, url_key, network_id, token_symbol, asset,
      amount, description)
    select gen_random_uuid(), id, 'https://shop.example/' || n, 'https://shop.example/' || n,
      ${networkId}, 'USDC', ${token}, 1000, ''
    from seed_merchant`
  await sql`
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet, status,
      reason, tx_hash, log_index, block_number, block_hash, by_others, claimed_block,
      distribution_id, fee, created_at, settled_at, confirmed_at, answered_at)
    select ${uuidAt(sql, 'at', 'p.n')}, m.id, e.id, ${networkId}, ${token},
      '0xb' || lpad(to_hex(p.n % 5000), 39, '0'), '0x4' || lpad(to_hex(p.n), 63, '0'), f.address, 1000, 0,
      1, '0x', false, case when is_paid then 'settled' else 'failed' end,
      case when not is_paid then 'insufficient_funds' end,
      case when is_paid then '0x4' || lpad(to_hex(p.n), 63, '0') end, case when is_paid then 1 end,
      case when is_paid then p.n * ${BLOCKS} / ${x402Payments + 1} end,
      case when is_paid then ${blockHash} end, is_paid and p.n % 10 = 0, 0,
      case when is_paid and m.n <> 1 then gen_random_uuid() end, case when is_paid then 5 end, at,
      case when is_paid then at end, case when is_paid then at end, at
    from (
      select n, n % 20 <> 7 as is_paid,
        now() - ${DAYS} * interval '1 day' * (1 - (n - 1)::float8 / ${x402Payments + 1}) as at
      from generate_series(1, ${x402Payments}::bigint) n
    ) p
    join seed_merchant m on m.n = case when p.n % 5 = 0 then 0 when p.n % 5 = 1 then 1
      else 2 + p.n % ${OTHERS - 1} end
    join forwarder f on f.merchant_id = m.id
    join x402_endpoint e on e.merchant_id = m.id`
  await sql`
    insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
      block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
    select gen_random_uuid(), m.id, ${networkId}, ${token}, '0x6' || lpad(to_hex(g.n), 63, '0'),
      g.n, 1 + g.n * ${BLOCKS - 1} / ${x402Payments}, ${blockHash},
      now() - ${DAYS} * interval '1 day' * (1 - g.n::float8 / ${x402Payments + 1}),
      '0xa' || lpad('5', 39, '0'), 10000, 50, 0, 0
    from generate_series(1, ${x402Payments}::bigint) as g (n)
    join seed_merchant m on m.n = case when g.n % 5 < 2 then 0 else 2 + g.n % ${OTHERS - 1} end`
  await sql`
    insert into forwarder_on_chain (merchant_id, network_id, token, booked_block, booked_log_index)
    select id, ${networkId}, ${token}, ${BLOCKS}, ${x402Payments} from seed_merchant where n <> 1`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload, state, tx_id, result)
    select network_id, 'x402',
      'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
      jsonb_build_object('paymentId', id), case when status = 'settled' then 'settled' else 'failed' end,
      1 + row_number() over () % ${transactions}, '{}'
    from x402_payment`
}
