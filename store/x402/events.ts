import { ALL_CHAINS } from '../../core/chain/registry.ts'
import type { X402PaymentId } from '../../core/ids.ts'
import { presentX402Payment } from '../../core/x402/present.ts'
import type { Transaction } from '../database.ts'
import { readPayments } from './payments.ts'

/** The events of x402 payments: specification section 6. */
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
  const rows = payments.map((payment) => {
    const chain = ALL_CHAINS.find(({ networkId }) => networkId === payment.networkId)
    if (!chain) throw new Error(`payment ${payment.id} is on an unknown chain`)
    const { version } = payment
    const data = {
      ...presentX402Payment(payment, chain),
      environment: chain.environment,
      version,
    }
    const { id, merchantId } = payment
    return { id: Bun.randomUUIDv7(), merchant_id: merchantId, object_id: id, version, data }
  })
  await sql`
    insert into outbox (id, merchant_id, type, object_id, version, data)
    select id, merchant_id, ${type}, object_id, version, data
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as r (id uuid, merchant_id uuid, object_id uuid, version integer, data json)`
}
