export { elysiaPaywall, expressPaywall, honoPaywall } from './frameworks.ts'
export {
  admit,
  PAYMENT_HEADERS,
  type Passage,
  type PaywallOptions,
  type ServedPayment,
  type SettleResult,
} from './paywall.ts'
