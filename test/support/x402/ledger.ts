import type { X402PaymentId } from '../../../core/base/ids.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { eventually } from '../servers/devStack.ts'
import type { Presented } from './cases.ts'
import type { X402Stack } from './stack.ts'

/** What our own rows say of a payment. */

export interface PaymentRow {
  readonly id: X402PaymentId
  readonly status: 'pending' | 'settled' | 'failed'
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly confirmedAt: Date | null
}

/** The payment's row; throws when it was never claimed. */
export async function paymentOf(
  { database }: X402Stack,
  { authorization }: Presented,
): Promise<PaymentRow> {
  const { from, nonce } = authorization
  const [row] = await database<PaymentRow[]>`
    select id, status, tx_hash, block_number, confirmed_at from x402_payment
    where payer = ${from} and authorization_nonce = ${nonce}`
  if (row === undefined) throw new Error('the payment was never claimed')
  return row
}

/** Waits until the payment has come to this. */
export async function untilStatus(
  stack: X402Stack,
  presented: Presented,
  status: PaymentRow['status'] | 'confirmed',
): Promise<void> {
  const holds = (row: PaymentRow) =>
    status === 'confirmed'
      ? row.status === 'settled' && row.confirmedAt !== null
      : row.status === status
  await eventually(() => paymentOf(stack, presented), holds)
}

/** Waits until every transaction of ours has found its block. */
export async function untilAllAreMined({ database }: X402Stack): Promise<void> {
  await eventually(
    () => database`select id from relayer_tx where state = 'signed'`,
    (rows) => rows.length === 0,
  )
}

/** The events about the payment, in the order in which they were written. */
export async function eventsOf(stack: X402Stack, presented: Presented): Promise<string[]> {
  const { id } = await paymentOf(stack, presented)
  const rows = await stack.database<{ type: string }[]>`
    select type from outbox where object_id = ${id} order by version`
  return rows.map(({ type }) => type)
}
