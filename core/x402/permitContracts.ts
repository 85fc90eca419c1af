import { type Address, lowerCaseAddress } from '../chain/evm.ts'
import type { Scheme } from './terms.ts'

/** The contracts that payments by Permit2 go through: the same addresses on every chain. */

/** Uniswap's Permit2, which moves the money of payers who approved it. */
export const PERMIT2 = lowerCaseAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3')

/** The x402 proxies: the spender that a payer signs for, by the payment's scheme. */
export const PERMIT_PROXIES: Readonly<Record<Scheme, Address>> = {
  exact: lowerCaseAddress('0x402085c248EeA27D92E8b30b2C58ed07f9E20001'),
  upto: lowerCaseAddress('0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'),
}
