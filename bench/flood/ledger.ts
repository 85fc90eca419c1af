import type { MerchantId } from '../../core/base/ids.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import { createMerchant } from '../../store/access/merchants.ts'
import type { Database } from '../../store/database/database.ts'

/** Merchants for the flood: one with a long history, and others with nothing. */

export interface Shop {
  readonly id: MerchantId
  readonly key: string
}

export async function newShop(database: Database, hub: Address): Promise<Shop> {
  const x402Fee = { rateBps: 0, cap: baseUnits(0n) }
  const terms = { environment: 'sandbox', hub, x402Fee } as const
  const created = await createMerchant(database, terms, { name: 'Bench', recipient: null })
  if (!created.ok) throw new Error(created.message)
  return { id: created.merchant.id, key: created.secretKey }
}

/** So many invoices of a merchant, each with a payment. */
export async function fillHistory(
  database: Database,
  { id }: Shop,
  invoices: number,
): Promise<void> {
  await database`
    insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected, fee_cap,
      platform_fee, hub, deposit_address, created_at)
    select gen_random_uuid(), ${id}, 'F' || lpad(n::text, 9, '0'), 'USDC', array['base-sepolia'],
      1000000, 0, 0, ${`0x${'0'.repeat(40)}`}, '0x' || lpad(to_hex(n), 40, '0'),
      now() - n * interval '1 minute'
    from generate_series(1, ${invoices}::integer) as n`
  await database`
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind,
      status, block_number, block_hash, block_time, created_at, confirmed_at)
    select gen_random_uuid(), i.id, 'base-sepolia', '0x' || md5(i.reference) || md5(i.reference), 1,
      '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ${`0x${'1'.repeat(40)}`}, 1000000, 'counted',
      'confirmed', 100, ${`0x${'2'.repeat(64)}`}, i.created_at, i.created_at, i.created_at
    from invoice i where i.merchant_id = ${id}`
  await database`analyze invoice, payment`
}
