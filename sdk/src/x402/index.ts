export {
  type ChannelAuthorizer,
  type ChannelConfig,
  type ChannelRecord,
  type ChannelStorageOptions,
  remitChannelStorage,
} from './channels.ts'
export { signClaim } from './claims.ts'
export { elysiaPaywall, expressPaywall, honoPaywall } from './frameworks.ts'
export { expressPaymentCookie, honoPaymentCookie, stockPaywall } from './page/stock.ts'
export {
  admit,
  PAYMENT_HEADERS,
  type Passage,
  type PaywallOptions,
  type ServedPayment,
  type SettleResult,
} from './paywall.ts'
