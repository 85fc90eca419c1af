/**
 * What secret keys with scopes open: the one table, by operationId. An operation that is not in it refuses them:
 * settings, webhook changes, payout addresses, GraphQL and the sandbox need a key that opens everything.
 */

export const SCOPES = ['read', 'invoices', 'refunds', 'x402'] as const
export type Scope = (typeof SCOPES)[number]

const READ: readonly Scope[] = ['read']
/** Reads that the owners of a narrower scope need, too. */
const READ_INVOICES: readonly Scope[] = ['read', 'invoices']
const READ_REFUNDS: readonly Scope[] = ['read', 'refunds']
const READ_X402: readonly Scope[] = ['read', 'x402']
const INVOICES: readonly Scope[] = ['invoices']
const REFUNDS: readonly Scope[] = ['refunds']
const X402: readonly Scope[] = ['x402']

export const OPENED_BY: Readonly<Record<string, readonly Scope[]>> = {
  listBalances: READ,
  search: READ,
  reportTransactions: READ,
  reportDays: READ,
  listEvents: READ,
  getEvent: READ,
  listWebhookEndpoints: READ,
  getWebhookEndpoint: READ,
  listWebhookDeliveries: READ,
  getWebhookDelivery: READ,
  getRecipient: READ,
  getCheckoutSettings: READ,
  listOwnAddresses: READ,
  listInvoices: READ_INVOICES,
  getInvoice: READ_INVOICES,
  listInvoiceTransactions: READ_INVOICES,
  listPrices: READ_INVOICES,
  getPrice: READ_INVOICES,
  listPaymentLinks: READ_INVOICES,
  getPaymentLink: READ_INVOICES,
  listInvoiceRefunds: READ_REFUNDS,
  listRecoveries: READ_REFUNDS,
  listX402Refunds: READ_REFUNDS,
  listX402Endpoints: READ_X402,
  getX402Endpoint: READ_X402,
  getX402Requirements: READ_X402,
  findX402Requirements: READ_X402,
  listX402Channels: READ_X402,
  getX402Channel: READ_X402,
  getChannelVoucher: READ_X402,
  listX402Payments: READ_X402,
  getX402Payment: READ_X402,
  getX402PaymentStatus: READ_X402,
  createInvoice: INVOICES,
  expireInvoice: INVOICES,
  submitTransaction: INVOICES,
  acceptLatePayment: INVOICES,
  acceptPartialPayment: INVOICES,
  createPrice: INVOICES,
  changePrice: INVOICES,
  deletePrice: INVOICES,
  createPaymentLink: INVOICES,
  changePaymentLink: INVOICES,
  createCheckoutSession: INVOICES,
  createRefund: REFUNDS,
  recordExternalRefund: REFUNDS,
  createX402Refund: REFUNDS,
  createX402Endpoint: X402,
  changeX402Endpoint: X402,
  deactivateX402Endpoint: X402,
  storeChannelVoucher: X402,
  verifyPayment: X402,
  settlePayment: X402,
  listX402Supported: X402,
}

/** The scopes of which one opens an operation; none where only a key that opens everything does. */
export function scopesFor(operationId: string): readonly Scope[] {
  return Object.hasOwn(OPENED_BY, operationId) ? (OPENED_BY[operationId] ?? []) : []
}

/** Whether a key opens an operation; its scopes are null when it opens everything. */
export function opens(scopes: readonly Scope[] | null, operationId: string): boolean {
  return scopes === null || scopesFor(operationId).some((scope) => scopes.includes(scope))
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}
