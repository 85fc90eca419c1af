import type { ListedRefundJson } from '../../../../core/refund/listedRefund.ts'
import type { FoundJson } from '../../../../web/dashboard/shell/found.ts'
import { hash, INVOICE, idOf, PAYER, SETTLEMENTS } from './fixtures.ts'

/** One of every status and kind. */
export const REFUNDS: readonly ListedRefundJson[] = SETTLEMENTS.slice(0, 5).map(
  ({ invoiceId, invoiceRef, chain, asset, tokenAddress, createdAt }, n) => ({
    ...Object({ id: idOf(400 + n), invoiceId: n === 2 ? null : invoiceId, x402PaymentId: null }),
    ...{ kind: (['invoice', 'wallet', 'x402', 'invoice', 'invoice'] as const)[n] ?? 'invoice' },
    ...{ invoiceRef: n === 2 ? null : invoiceRef, externalRef: n === 0 ? 'order-1042' : null },
    ...{ chain, asset, tokenAddress, address: PAYER, amount: String(12.5 * (n + 1)) },
    ...{ status: (['open', 'mined', 'confirmed', 'failed', 'confirmed'] as const)[n] ?? 'open' },
    ...{ waitingFor: n === 0 ? 'refund_limit' : null, txHash: n === 0 ? null : hash(`f${n}`) },
    ...{ error: n === 3 ? 'Blacklistable: account is blacklisted' : null, createdAt },
    confirmedAt: n === 2 || n === 4 ? createdAt : null,
  }),
)

/** What a search finds. */
export const FOUND: FoundJson = {
  objects: [
    {
      ...{ kind: 'webhook_endpoint', id: idOf(52), about: null },
      title: 'https://shop.example/hooks/remit',
    },
  ],
  refunds: REFUNDS.slice(0, 1),
  invoices: [
    {
      ...{ invoiceId: INVOICE, reference: 'K7QX2M9PTA', externalRef: 'order-1042' },
      ...{ amountExpected: '1250', tokenSymbol: 'USDC', kind: 'external_ref' },
    },
  ],
}
