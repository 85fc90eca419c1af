import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { MerchantId, X402PaymentId } from '../../core/ids.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import type { Queryable, Transaction } from '../database.ts'

/** x402 payments as the work of a relayer: what it must know to carry them out, and what is undecided. */

/** A payment with all that it takes to carry it out. */
export interface SettleRow {
  readonly itemId: bigint
  readonly paymentId: X402PaymentId
  readonly merchantId: MerchantId
  readonly hub: Address
  readonly token: Address
  readonly authorization: Authorization
  readonly signature: Hex
  readonly isWallet: boolean
  readonly status: 'pending' | 'settled' | 'failed'
  /** The chain's head when it was claimed. */
  readonly claimedBlock: bigint
}

interface Row {
  item_id: bigint
  payment_id: X402PaymentId
  merchant_id: MerchantId
  hub: string
  asset: string
  payer: string
  pay_to: string
  amount: string
  valid_after: string
  valid_before: string
  authorization_nonce: string
  signature: string
  is_wallet: boolean
  status: SettleRow['status']
  claimed_block: bigint
}

/** The payments behind work items, in the order of the items' ids. */
export async function readSettles(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<SettleRow[]> {
  const rows = await sql<Row[]>`
    select w.id as item_id, p.id as payment_id, p.merchant_id, f.hub, p.asset, p.payer, p.pay_to,
      p.amount, p.valid_after, p.valid_before, p.authorization_nonce, p.signature, p.is_wallet,
      p.status, p.claimed_block
    from work_item w
    join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
    join forwarder f on f.merchant_id = p.merchant_id
    where w.id = any(${itemIds.map(String)}::bigint[])
    order by w.id`
  return rows.map((row) => ({
    itemId: row.item_id,
    paymentId: row.payment_id,
    merchantId: row.merchant_id,
    hub: lowerCaseAddress(row.hub),
    token: lowerCaseAddress(row.asset),
    authorization: {
      from: lowerCaseAddress(row.payer),
      to: lowerCaseAddress(row.pay_to),
      value: BigInt(row.amount),
      validAfter: BigInt(row.valid_after),
      validBefore: BigInt(row.valid_before),
      nonce: `0x${row.authorization_nonce.slice(2)}`,
    },
    signature: `0x${row.signature.slice(2)}`,
    isWallet: row.is_wallet,
    status: row.status,
    claimedBlock: row.claimed_block,
  }))
}

/** Items that a mined transaction left undone, with their transaction's end, the oldest first. */
export interface Undecided {
  readonly itemId: bigint
  readonly outcome: 'succeeded' | 'reverted' | 'cancelled' | 'foreign'
  /** The block that must be known to a node before its word on these items counts. */
  readonly block: bigint
  readonly tries: number
  readonly batchSize: number
  /** The reason in the hub's failure event, when there was one. */
  readonly error: string | null
}

/** Looks for undecided items among those of the given transactions. */
export async function readUndecided(
  sql: Queryable,
  txIds: readonly bigint[],
): Promise<Undecided[]> {
  if (txIds.length === 0) return []
  const rows = await sql<
    {
      id: bigint
      outcome: Undecided['outcome'] | null
      mined_block: bigint | null
      tries: number
      batch_size: number
      error: string | null
    }[]
  >`
    select w.id, t.outcome, t.mined_block, w.tries, w.result->>'error' as error,
      (select count(*) from work_item s where s.tx_id = t.id)::integer as batch_size
    from work_item w join relayer_tx t on t.id = w.tx_id
    where w.tx_id = any(${txIds.map(String)}::bigint[]) and w.state = 'assigned'
      and t.state <> 'signed' and w.kind in ('x402', 'x402_wallet')
    order by w.id limit 500`
  return rows.map((row) => ({
    itemId: row.id,
    outcome: row.outcome ?? 'foreign',
    block: row.mined_block ?? 0n,
    tries: row.tries,
    batchSize: row.batch_size,
    error: row.error,
  }))
}

/** Locks items and says which of them are still bound to a transaction that is over. */
export async function lockUndecided(
  sql: Transaction,
  itemIds: readonly bigint[],
): Promise<Set<bigint>> {
  const rows = await sql<{ id: bigint }[]>`
    select w.id from work_item w join relayer_tx t on t.id = w.tx_id
    where w.id = any(${itemIds.map(String)}::bigint[]) and w.state = 'assigned'
      and t.state <> 'signed'
    order by w.id for update of w`
  return new Set(rows.map(({ id }) => id))
}
