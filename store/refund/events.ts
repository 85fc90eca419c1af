import type { RefundId } from '../../core/base/ids.ts'
import { type Chain, chainNamed } from '../../core/chain/registry.ts'
import type { RefundEventType } from '../../core/events/eventTypes.ts'
import type { ExternalRefund } from '../../core/invoice/externalRefund.ts'
import { presentExternalRefund, presentRefund } from '../../core/invoice/present.ts'
import type { RefundJson } from '../../core/invoice/refundJson.ts'
import type { Invoice, Refund } from '../../core/invoice/state.ts'
import { presentX402Refund, type X402Refund } from '../../core/refund/x402Refund.ts'
import type { Transaction } from '../database/database.ts'
import { insertEvent } from '../events/outbox.ts'

/** Writes an event about each refund to the outbox, in the transaction that changed them. */
export async function insertRefundEvents(
  sql: Transaction,
  type: RefundEventType,
  refundIds: readonly RefundId[],
  registry: readonly Chain[],
): Promise<void> {
  if (refundIds.length === 0) return
  const refunds = await sql<(Refund | X402Refund)[]>`
    update refund set version = version + 1 where id = any(${[...refundIds]}::uuid[])
    returning *`
  for (const refund of refunds) {
    if (isOfX402(refund)) {
      await insertX402RefundEvent(sql, type, refund, registry)
      continue
    }
    const [invoice] = await sql<Invoice[]>`select * from invoice where id = ${refund.invoiceId}`
    if (!invoice) throw new Error(`refund ${refund.id} has no invoice`)
    await insertRefundEvent(sql, type, invoice, refund, registry)
  }
}

function isOfX402(refund: Refund | X402Refund): refund is X402Refund {
  return 'x402PaymentId' in refund && refund.x402PaymentId !== null
}

/** Writes an event about a refund of an x402 payment, of the version that the refund has. */
export async function insertX402RefundEvent(
  sql: Transaction,
  type: RefundEventType,
  refund: X402Refund,
  registry: readonly Chain[],
): Promise<void> {
  await insertEventAbout(sql, type, presentX402Refund(refund, registry), refund, registry)
}

/** Writes an event about a refund, of the version that the refund has. */
export async function insertRefundEvent(
  sql: Transaction,
  type: RefundEventType,
  invoice: Invoice,
  refund: Refund,
  registry: readonly Chain[],
): Promise<void> {
  await insertEventAbout(sql, type, presentRefund(invoice, refund, registry), refund, registry)
}

/** The same about a refund that the merchant has sent itself. */
export async function insertExternalRefundEvent(
  sql: Transaction,
  type: RefundEventType,
  invoice: Invoice,
  refund: ExternalRefund,
  registry: readonly Chain[],
): Promise<void> {
  const shown = presentExternalRefund(invoice, refund, registry)
  await insertEventAbout(sql, type, shown, refund, registry)
}

async function insertEventAbout(
  sql: Transaction,
  type: RefundEventType,
  shown: RefundJson,
  { id: objectId, version, networkId }: Pick<Refund, 'id' | 'version' | 'networkId'>,
  registry: readonly Chain[],
): Promise<void> {
  const { environment } = chainNamed(networkId, registry)
  const data = { ...shown, environment, version }
  await insertEvent(sql, { merchantId: shown.merchantId, type, objectId, version, data })
}
