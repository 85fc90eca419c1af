/**
 * Ids are UUIDs in lower case. Each kind has a brand, so that none is taken for one of another kind.
 * Rows of Postgres are typed with them; what comes from outside passes through one of the functions.
 */

declare const idBrand: unique symbol

type Id<Kind extends string> = string & { readonly [idBrand]: Kind }

export type MerchantId = Id<'merchant'>
export type InvoiceId = Id<'invoice'>
/** A payment of an invoice: one transfer to its deposit address. */
export type PaymentId = Id<'payment'>
export type SettlementId = Id<'settlement'>
export type RefundId = Id<'refund'>
/** An x402 endpoint: a price of a URL. */
export type EndpointId = Id<'endpoint'>
/** An x402 payment: one authorization. */
export type X402PaymentId = Id<'x402 payment'>
/** An action of x402's payment channels. */
export type ChannelActionId = Id<'channel action'>
/** A payment channel; on its chain it is known by a hash. */
export type ChannelRowId = Id<'channel'>
/** A payout of an x402 forwarder. */
export type DistributionId = Id<'distribution'>
export type WebhookEndpointId = Id<'webhook endpoint'>
export type EventId = Id<'event'>
export type DeliveryId = Id<'delivery'>
/** A price, from which sessions are created. */
export type PriceId = Id<'price'>
export type PaymentLinkId = Id<'payment link'>
export type RecipientChangeId = Id<'recipient change'>
export type ApprovalRequestId = Id<'approval request'>
/** An API key, as members name it. */
export type KeyId = Id<'API key'>
/** A user who signs in. */
export type PersonId = Id<'person'>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Below every id, where a walk through all of them begins: RFC 9562, section 5.9. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** Above every id: RFC 9562, section 5.10. */
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** True for a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * Brands a UUID, old or new, in lower case. Each throws a TypeError for any other text. Every kind has one:
 * those of settlements and distributions are for tests.
 */
export const asMerchantId = branding<MerchantId>()
export const asKeyId = branding<KeyId>()
export const asInvoiceId = branding<InvoiceId>()
export const asPaymentId = branding<PaymentId>()
export const asSettlementId = branding<SettlementId>()
export const asRefundId = branding<RefundId>()
export const asEndpointId = branding<EndpointId>()
export const asX402PaymentId = branding<X402PaymentId>()
export const asChannelActionId = branding<ChannelActionId>()
export const asChannelRowId = branding<ChannelRowId>()
export const asDistributionId = branding<DistributionId>()
export const asWebhookEndpointId = branding<WebhookEndpointId>()
export const asEventId = branding<EventId>()
export const asDeliveryId = branding<DeliveryId>()
export const asPriceId = branding<PriceId>()
export const asPaymentLinkId = branding<PaymentLinkId>()
export const asRecipientChangeId = branding<RecipientChangeId>()
export const asApprovalRequestId = branding<ApprovalRequestId>()
export const asPersonId = branding<PersonId>()

function branding<I extends Id<string>>(): (text: string) => I {
  const isId = (text: string): text is I => isUuid(text)
  return (text) => {
    const id = text.toLowerCase()
    if (!isId(id)) throw new TypeError(`not a UUID: ${text}`)
    return id
  }
}
