import type { X402PaymentId } from '../../core/base/ids.ts'
import type { Transaction } from '../database/database.ts'

/** Locks payments in the order of their ids, as in every change of several. */
export async function lockPayments(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<void> {
  await sql`
    select id from x402_payment where id = any(${[...paymentIds]}::uuid[]) order by id for update`
}
