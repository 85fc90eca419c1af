import { difference, isNegative, isZero, sumOf } from '../parts/decimal.ts'

/** What of an invoice can be paid back, and from where. */

interface Moved {
  readonly chain: string
  readonly amount: string | null
  readonly status: string
}

interface Payment extends Moved {
  readonly type: string
  readonly amount: string
  readonly from: string
  readonly tokenAddress: string
  readonly refundedAmount: string
  readonly refundingAmount: string
}

/** The money of an invoice, as its object has it. */
export interface InvoiceMoney {
  readonly transactions: readonly Payment[]
  readonly settlements: readonly Moved[]
  readonly refunds: readonly (Moved & { readonly external: boolean })[]
  readonly payerRefundAddress: string | null
}

export interface Payer {
  readonly address: string
  /** The most that can go back to this address. */
  readonly amount: string
  readonly chain: string
  readonly tokenAddress: string
}

export interface Refundable {
  readonly most: string
  /** Never empty. */
  readonly payers: readonly Payer[]
}

/** On-time money that no payout has taken: the service pays it back. Null where there is none. */
export function refundableHere({ transactions, settlements }: InvoiceMoney): Refundable | null {
  const onTime = transactions.filter(isOnTime)
  const perChain = [...Map.groupBy(onTime, ({ chain }) => chain)].map(([chain, payments]) => {
    const taken = settlements.filter((one) => one.chain === chain && one.status !== 'failed')
    const most = atLeastZero(
      difference(sumOf(payments.map(leftOf)), sumOf(taken.map(({ amount }) => amount))),
    )
    return { most, payers: payersOf(payments, most) }
  })
  return together(perChain)
}

/** What was paid out and not refunded yet: the merchant's own wallet pays it back. Null where there is none. */
export function refundableByWallet(invoice: InvoiceMoney): Refundable | null {
  const { transactions, settlements, refunds, payerRefundAddress } = invoice
  const settled = settlements.filter(({ status }) => ['mined', 'confirmed'].includes(status))
  const back = refunds.filter(({ external, status }) => external && status !== 'failed')
  const most = atLeastZero(
    difference(sumOf(settled.map(({ amount }) => amount)), sumOf(back.map(({ amount }) => amount))),
  )
  const confirmed = transactions.filter(({ status }) => status === 'confirmed')
  const perChain = [...Map.groupBy(confirmed, ({ chain }) => chain).values()]
  const payers = perChain.flatMap((payments) => payersOf(payments, most))
  const [first] = payers
  const wish =
    payerRefundAddress !== null &&
    first !== undefined &&
    payers.every(({ address }) => address !== payerRefundAddress)
      ? [{ ...first, address: payerRefundAddress, amount: most }]
      : []
  return together([{ most, payers: [...wish, ...payers] }])
}

/** Late money counts once it is accepted; before that it is among the held funds. */
function isOnTime({ type, status }: Payment): boolean {
  return type === 'payment' && status === 'confirmed'
}

function leftOf({ amount, refundedAmount, refundingAmount }: Payment): string {
  return difference(amount, sumOf([refundedAmount, refundingAmount]))
}

/** The payers of these payments of one chain, the newest first. */
function payersOf(payments: readonly Payment[], most: string): Payer[] {
  const byAddress = Map.groupBy(payments.toReversed(), ({ from }) => from)
  return [...byAddress].flatMap(([address, own]) => {
    const left = sumOf(own.map(leftOf))
    const amount = isNegative(difference(left, most)) ? left : most
    const [first] = own
    if (first === undefined || isZero(amount)) return []
    return [{ address, amount, chain: first.chain, tokenAddress: first.tokenAddress }]
  })
}

function together(parts: readonly Refundable[]): Refundable | null {
  const most = sumOf(parts.map((part) => part.most))
  const payers = parts.flatMap((part) => part.payers)
  return isZero(most) || payers.length === 0 ? null : { most, payers }
}

function atLeastZero(decimal: string): string {
  return isNegative(decimal) ? '0' : decimal
}
