import { type Refusal, refuse } from '../base/errors.ts'
import type { InvoiceId, RefundId } from '../base/ids.ts'
import { atLeastZero, type BaseUnits, formatAmount, parseAmount, sum } from '../base/money.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { TokenOnChain } from '../chain/tokens.ts'
import { settledOf } from './settledMoney.ts'
import type { Invoice, Payment, Settlement } from './state.ts'

/**
 * Refunds that merchants send themselves, out of their treasuries. They are recorded for the books, and nothing
 * is decided by them: money in deposits is not theirs.
 */

export interface ExternalRefund {
  readonly id: RefundId
  readonly invoiceId: InvoiceId
  readonly networkId: string
  readonly txHash: Hex
  /** Which it is of the transfers alike in its transaction, from 0. */
  readonly alikePlace: number
  readonly token: Address
  readonly sender: Address
  readonly recipient: Address
  readonly amount: BaseUnits
  readonly blockNumber: bigint
  readonly blockHash: Hex
  /** mined: not confirmed yet, or not any more. */
  readonly status: 'mined' | 'confirmed' | 'failed'
  readonly error: string | null
  readonly version: number
  readonly minedAt: Date
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

/** A Transfer in a transaction. */
export interface ChainTransfer {
  /**
   * Which it is, from 0, of those alike in its transaction, which move as much of the same token between the same
   * addresses: unlike the position in a block, no reorganisation changes it.
   */
  readonly place: number
  /** Which log of its block. */
  readonly logIndex: number
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: BaseUnits
}

/** What of an invoice decides which transfers give its money back. */
export interface ExternalScene {
  readonly invoice: Invoice
  readonly payments: readonly Payment[]
  readonly settlements: readonly Settlement[]
  readonly externalRefunds: readonly ExternalRefund[]
}

export interface ExternalRequest {
  /** In the token's major unit. */
  readonly amount: number | string
  /** Which log of its block, where several transfers are alike; null to take the only one. */
  readonly logIndex: number | null
}

/** For how long a transaction that no node shows is searched for, in ms. */
export const SEARCHED_FOR_MS = 7 * 86_400_000
const MIN_SEARCH_PAUSE_MS = 5_000
const MAX_SEARCH_PAUSE_MS = 3_600_000

/** When a transaction that was not found is searched for again: ever less often. */
export function nextSearch({ minedAt }: Pick<ExternalRefund, 'minedAt'>, now: Date): Date {
  const waited = now.getTime() - minedAt.getTime()
  const pause = Math.min(Math.max(waited / 4, MIN_SEARCH_PAUSE_MS), MAX_SEARCH_PAUSE_MS)
  return new Date(now.getTime() + pause)
}

/** The sum of confirmed external refunds. */
export function refundedOutside(
  refunds: readonly Pick<ExternalRefund, 'status' | 'amount'>[],
): BaseUnits {
  return sum(refunds.filter(({ status }) => status === 'confirmed').map(({ amount }) => amount))
}

/** Settled money of an invoice without a recorded refund. */
function settledAndKept({ settlements, externalRefunds }: ExternalScene): BaseUnits {
  const said = externalRefunds.filter(({ status }) => status !== 'failed')
  return atLeastZero(settledOf(settlements).amount - sum(said.map(({ amount }) => amount)))
}

/** To whom the money of an invoice may go back. */
export function payersOf({
  invoice,
  payments,
}: Pick<ExternalScene, 'invoice' | 'payments'>): Address[] {
  const senders = payments.flatMap(({ sender, status }) => (status === 'confirmed' ? [sender] : []))
  const { payerRefundAddress } = invoice
  return [...new Set(payerRefundAddress === null ? senders : [...senders, payerRefundAddress])]
}

export type FoundTransfer = { readonly ok: true; readonly transfer: ChainTransfer } | Refusal

/**
 * Which transfer of a transaction is meant: of the invoice's token, of just this amount, to a payer of the
 * invoice or its refund address, and not before it was paid.
 */
export function findTransfer(
  scene: ExternalScene,
  token: TokenOnChain,
  sent: { readonly blockTime: Date; readonly transfers: readonly ChainTransfer[] },
  request: ExternalRequest,
): FoundTransfer {
  const parsed = parseAmount(request.amount, token.decimals)
  if (!parsed.ok) {
    return refuse('invalid_request_body', [{ path: 'amount', message: parsed.message }])
  }
  const ofToken = sent.transfers.filter((transfer) => transfer.token === token.address)
  if (ofToken.length === 0) return notShown('txHash', `transfers no ${token.symbol}`)
  const payers = payersOf(scene)
  const toPayer = ofToken.filter(({ to }) => payers.includes(to))
  if (toPayer.length === 0) {
    return notShown('txHash', 'transfers nothing to an address that paid the invoice')
  }
  if (toPayer.every(({ amount }) => amount !== parsed.amount)) {
    const amounts = toPayer.map(({ amount }) => formatAmount(amount, token.decimals)).join(', ')
    return notShown('amount', `must be what the transaction transfers: ${amounts}`)
  }
  const alike = toPayer.filter(({ amount }) => amount === parsed.amount)
  const meant =
    request.logIndex === null ? alike : alike.filter((t) => t.logIndex === request.logIndex)
  const [transfer, ...others] = meant
  if (transfer === undefined || others.length > 0) {
    const places = alike.map(({ logIndex }) => logIndex).join(', ')
    return notShown('logIndex', `must be one of ${places}`)
  }
  const first = Math.min(...scene.payments.map(({ blockTime }) => blockTime.getTime()))
  if (sent.blockTime.getTime() < first) {
    return notShown('txHash', 'is older than the first payment of the invoice')
  }
  return { ok: true, transfer }
}

/** Whether that much can have been refunded. */
export function checkRefundable(
  scene: ExternalScene,
  { amount }: Pick<ChainTransfer, 'amount'>,
  { decimals }: TokenOnChain,
): { readonly ok: true } | Refusal {
  const most = settledAndKept(scene)
  if (amount <= most) return { ok: true }
  const text = formatAmount(most, decimals)
  const message = `must be at most ${text}: no more was settled and not refunded`
  return refuse('refund_not_possible', [{ path: 'amount', message }])
}

/** The refusal for a field that the chain does not confirm. */
export function notShown(path: string, message: string): Refusal {
  return refuse('transfer_not_shown', [{ path, message }])
}
