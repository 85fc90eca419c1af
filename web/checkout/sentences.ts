import type { CheckoutPayment, CheckoutView, PayerAuthorization } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import type { Words } from '../messages/words.ts'
import {
  isZero,
  misdirected,
  signedPayment,
  unsentPayment,
  usualSeconds,
} from './session/selection.ts'

export interface Sentences {
  readonly title: string
  readonly next: string
}

/** The state in the payer's words, and what happens next. */
export function statusOf(view: CheckoutView, words: Words): Sentences {
  const { state, payment } = view
  if (state === 'choosing')
    return { title: words.say('choosingTitle'), next: words.say('chooseHint') }
  const signed = signedPayment(view)
  if (payment !== null && signed !== null) {
    const amount = words.money(signed.amount, payment.tokenSymbol)
    const values = { amount, network: networkOf(signed, payment) }
    return signed.status === 'received'
      ? { title: words.say('signedTitle'), next: words.say('signedNext', values) }
      : { title: words.say('sentTitle'), next: words.say('sentNext', values) }
  }
  const wrong = misdirected(view)
  if (payment !== null && wrong !== null) {
    const isToken = wrong.tokenSymbol !== payment.tokenSymbol
    const values = {
      merchant: view.merchant.name,
      amount: words.money(wrong.amount, wrong.tokenSymbol),
      network: wrong.networkName,
    }
    const title = words.say(isToken ? 'wrongTokenTitle' : 'wrongNetworkTitle', values)
    return { title, next: words.say('wrongNext', values) }
  }
  if (state === 'waiting')
    return { title: words.say('waitingTitle'), next: words.say('waitingNext') }
  const values = valuesOf(view, words)
  const isPart = payment !== null && !isZero(payment.due)
  switch (state) {
    case 'seen': {
      const next = isPart ? 'seenPartNext' : 'seenNext'
      return { title: words.say('seenTitle'), next: words.say(next, values) }
    }
    case 'partial':
      return { title: words.say('partialTitle', values), next: words.say('partialNext', values) }
    case 'paid':
      return { title: words.say('paidTitle'), next: words.say('paidNext', values) }
    case 'completed':
      return { title: words.say('completedTitle'), next: words.say('completedNext', values) }
    case 'expired': {
      if (isLateOnly(view)) {
        return { title: words.say('lateTitle'), next: words.say('lateNext', values) }
      }
      const hasSome = payment !== null && !isZero(payment.received)
      const over = view.canStartAgain ? 'expiredAgainNext' : 'expiredNext'
      const next = hasSome ? 'expiredPartNext' : over
      return { title: words.say('expiredTitle'), next: words.say(next, values) }
    }
  }
}

/** Too much, too late, to an address from before, or signed in vain: what goes with any state. */
export function noticesOf(view: CheckoutView, words: Words): readonly Partial<Sentences>[] {
  const { payment } = view
  const isOver = payment !== null && !isZero(payment.overpaid)
  const isLate = payment !== null && !isZero(payment.late) && !isLateOnly(view)
  const isKept = view.earlier.some(({ amount, returned }) => amount !== returned)
  const unsent = unsentPayment(view)
  const notices: Partial<Sentences>[] = []
  if (!isOver && !isLate && !isKept && unsent === null) return notices
  const values = valuesOf(view, words)
  if (unsent !== null) {
    notices.push({
      title: words.say('unsentTitle'),
      next: words.say(sentenceOfReason(unsent), { ...values, network: networkOf(unsent, payment) }),
    })
  }
  if (isOver) {
    notices.push({
      title: words.say('overpaidTitle', values),
      next: words.say('overpaidNext', values),
    })
  }
  if (isLate) {
    notices.push({ title: words.say('lateTitle'), next: words.say('lateNext', values) })
  }
  if (isKept) notices.push({ next: words.say('earlierNext', values) })
  return notices
}

/** Whether the money that came too late is what the page is about. */
export function isLateOnly({ state, payment }: CheckoutView): boolean {
  return state === 'expired' && payment !== null && !isZero(payment.late)
}

function networkOf(signed: PayerAuthorization, payment: CheckoutPayment | null): string {
  const on = payment?.addresses.find(({ networkId }) => networkId === signed.networkId)
  return on?.name ?? ''
}

function valuesOf(view: CheckoutView, words: Words) {
  const { payment } = view
  const last = payment?.transfers.findLast(({ status }) => status === 'pending')
  const money = (decimal: string | undefined) =>
    words.money(decimal ?? '0', payment?.tokenSymbol ?? '')
  return {
    merchant: view.merchant.name,
    token: payment?.tokenSymbol ?? '',
    due: money(payment?.due),
    received: money(payment?.received),
    expected: money(payment?.expected),
    overpaid: money(payment?.overpaid),
    late: money(payment?.late),
    network: last?.networkName ?? '',
    time: words.duration(usualSeconds(view, last?.networkId)),
  }
}

/** Why a signature was refused, or failed, by its reason. */
const SENTENCES: Readonly<Record<string, keyof Messages>> = {
  not_offered: 'signLimit',
  limit_reached: 'signLimit',
  not_payable: 'signClosed',
  in_flight: 'signInFlight',
  amount_not_due: 'signAmount',
  valid_too_long: 'signLate',
  payment_expired: 'signLate',
  invalid_exact_evm_payload_authorization_valid_before: 'signLate',
  invalid_exact_evm_payload_authorization_valid_after: 'signLate',
  insufficient_funds: 'signShort',
  authorization_used: 'signUsed',
  authorization_cancelled: 'signUsed',
  payer_blacklisted: 'signBlocked',
  payer_on_hold: 'signBlocked',
  payee_blacklisted: 'signPaused',
  token_paused: 'signPaused',
  invalid_exact_evm_payload_signature: 'signUnfit',
  invalid_exact_evm_payload_undeployed_smart_wallet: 'signUnfit',
}

export function sentenceOfReason({
  reason,
  transaction,
}: Pick<PayerAuthorization, 'reason' | 'transaction'>): keyof Messages {
  return transaction === null ? (SENTENCES[reason ?? ''] ?? 'signFailed') : 'signUndone'
}
