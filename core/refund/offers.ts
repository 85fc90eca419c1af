import { type Refusal, reasonOf, refuse } from '../base/errors.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { checkLatePayment, checkPartial } from '../invoice/acceptance.ts'
import { WATCHED_RECIPIENT } from '../invoice/recipient.ts'
import {
  RECOVERY_REASONS,
  type Recovery,
  type RecoveryAction,
  type RecoveryOffers,
  type RefundTarget,
  type RefusedAction,
} from '../invoice/recovery.ts'
import { deriveFigures } from '../invoice/state.ts'
import { planMost, type RefundScene } from './refund.ts'

/** What can be done about held money, computed by the rules that carry it out or refuse it. */

/** What decides on refunds, and whether a change of the merchant's recipient waits: there is one at a time. */
export interface OfferScene extends RefundScene {
  readonly isRecipientChanging: boolean
}

/** A placeholder for an address that the merchant names, where the operator allows any. */
const ANY_ADDRESS = '0x000000000000000000000000000000000000dead'

/** Decides about each way out of held money. `watched` are those addresses of payers on which we receive payments. */
export function offersOf(
  recovery: Recovery,
  scene: OfferScene,
  watched: ReadonlySet<Address>,
): RecoveryOffers {
  const usual: readonly RecoveryAction[] = RECOVERY_REASONS[recovery.reason].actions
  const refund = usual.includes('refund') ? refundsOf(recovery, scene, watched) : null
  const refused: RefusedAction[] = []
  for (const action of usual) {
    const refusal =
      action === 'refund' ? (refund?.refusal ?? null) : refusalOf(action, recovery, scene)
    if (refusal !== null) refused.push({ action, code: refusal.code, about: reasonOf(refusal) })
  }
  return { refundTo: refund?.targets ?? [], refused }
}

/** Who may have sent what is held, or left an address for it. There may be none. */
function knownPayers(
  { paymentId, networkId }: Pick<Recovery, 'paymentId' | 'networkId'>,
  { invoice, payments }: Pick<RefundScene, 'invoice' | 'payments'>,
): Address[] {
  const own = payments.filter((payment) =>
    paymentId === null
      ? payment.kind === 'counted' &&
        payment.status === 'confirmed' &&
        payment.networkId === networkId
      : payment.id === paymentId,
  )
  const { payerRefundAddress } = invoice
  const wish = payerRefundAddress === null ? [] : [payerRefundAddress]
  return [...new Set([...own.map(({ sender }) => sender), ...wish])]
}

function refundsOf(
  recovery: Recovery,
  scene: RefundScene,
  watched: ReadonlySet<Address>,
): { readonly targets: readonly RefundTarget[]; readonly refusal: Refusal | null } {
  const { paymentId } = recovery
  const targets: RefundTarget[] = []
  let refusal: Refusal | null = null
  for (const address of knownPayers(recovery, scene)) {
    const plan = watched.has(address)
      ? refuse('invalid_recipient', [{ path: 'address', message: WATCHED_RECIPIENT }])
      : planMost(scene, { address: checksumAddress(address), paymentId })
    if (plan.ok) targets.push({ address, amount: plan.refund.amount })
    // The first is the sender, whose refusal is the most specific.
    else refusal ??= named(plan, address)
  }
  if (targets.length > 0) return { targets, refusal: null }
  const elsewhere = planMost(scene, { address: ANY_ADDRESS, paymentId })
  if (elsewhere.ok) return { targets, refusal: null }
  return { targets, refusal: refusal ?? elsewhere }
}

/** Of an address that can't be paid, the reason names it: the caller has not. */
function named(refusal: Refusal, address: Address): Refusal {
  if (refusal.code !== 'invalid_recipient') return refusal
  const details = refusal.details.map(({ path, message }) => ({
    path,
    message: `of the sender, ${checksumAddress(address)}, ${message.replace(/^must not be/, 'is')}`,
  }))
  return refuse(refusal.code, details)
}

function refusalOf(
  action: RecoveryAction,
  { paymentId }: Recovery,
  { invoice, payments, settlements, now, isRecipientChanging }: OfferScene,
): Refusal | null {
  if (action === 'set_recipient') {
    return isRecipientChanging && invoice.recipient === null
      ? refuse('recipient_change_open')
      : null
  }
  if (action === 'accept_transaction') {
    const payment = payments.find(({ id }) => id === paymentId)
    if (payment === undefined) return refuse('transaction_not_found')
    const verdict = checkLatePayment(payment)
    return verdict.ok ? null : refuse(verdict.code)
  }
  if (action === 'accept_partial') {
    const figures = deriveFigures(invoice, payments, settlements, now)
    const verdict = checkPartial({ ...invoice, ...figures })
    return verdict.ok ? null : refuse(verdict.code)
  }
  return null
}
