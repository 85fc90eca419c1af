import type { X402PaymentId } from '../../core/base/ids.ts'
import { ALL_CHAINS, chainNamed } from '../../core/chain/registry.ts'
import { presentX402Payment } from '../../core/x402/presentPayment.ts'
import type { Transaction } from '../database/database.ts'
import { insertEvents } from '../events/outbox.ts'
import { readPayments } from './payments.ts'

export type X402EventType = 'x402.payment.settled' | 'x402.payment.failed'

/**
 * Writes an event about each payment to the outbox, in the transaction that changed them and made their
 * versions grow.
 */
export async function insertPaymentEvents(
  sql: Transaction,
  type: X402EventType,
  paymentIds: readonly X402PaymentId[],
): Promise<void> {
  if (paymentIds.length === 0) return
  const payments = await readPayments(sql, paymentIds)
  const events = payments.map((payment) => {
    const chain = chainNamed(payment.networkId, ALL_CHAINS)
    const { id: objectId, merchantId, version } = payment
    const { environment } = chain
    const data = { ...presentX402Payment(payment, chain), environment, version }
    return { merchantId, type, objectId, version, data }
  })
  await insertEvents(sql, events)
}
