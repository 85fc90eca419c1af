import type { CheckoutPayment, CheckoutView } from '../../core/checkout/view.ts'
import type { Words } from '../messages/words.ts'

/** The receipt as the subject and the text of an email. */
export function receiptText(view: CheckoutView, payment: CheckoutPayment, words: Words) {
  const { tokenSymbol, reference, paidAt, received, transfers } = payment
  const lines = [
    `${words.say('receiptMerchant')}: ${view.merchant.name}`,
    view.description && `${words.say('receiptFor')}: ${view.description}`,
    `${words.say('receiptReceived')}: ${words.money(received, tokenSymbol)}`,
    `${words.say('receiptReference')}: ${reference}`,
    `${words.say('receiptDate')}: ${paidAt}`,
    ...transfers.flatMap(({ kind, explorerUrl }) => (kind === 'counted' ? [explorerUrl] : [])),
  ]
  return {
    subject: `${words.say('receiptTitle')} ${reference}`,
    body: lines.filter(Boolean).join('\r\n'),
  }
}
