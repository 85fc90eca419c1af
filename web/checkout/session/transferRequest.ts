import type { CheckoutPayment, PayableAddress } from '../../../core/checkout/view.ts'

/** A decimal of a view in base units. */
function baseUnitsOf(decimal: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** What is still due, as a link that wallets read: EIP-681. */
export function paymentUri(to: PayableAddress, { due, decimals }: CheckoutPayment): string {
  const amount = baseUnitsOf(due, decimals)
  return `ethereum:${to.tokenAddress}@${to.chainId}/transfer?address=${to.address}&uint256=${amount}`
}

/** The call that sends it: transfer(address,uint256) of EIP-20. */
export function transferCall(
  to: { readonly address: string },
  { due, decimals }: Pick<CheckoutPayment, 'due' | 'decimals'>,
): string {
  const word = (hexadecimal: string) => hexadecimal.padStart(64, '0')
  const amount = baseUnitsOf(due, decimals).toString(16)
  return `0xa9059cbb${word(to.address.slice(2).toLowerCase())}${word(amount)}`
}
