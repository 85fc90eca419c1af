import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import type { OfferedX402PaymentJson } from '../../../core/refund/x402Refund.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { difference, isZero, sumOf } from '../parts/decimal.ts'
import { shortHash } from '../parts/Hash.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { refusalText } from '../parts/refusals.ts'
import { RefundForm } from '../recoveries/RefundForm.tsx'

interface RefundPaymentProps {
  readonly merchantId: string
  readonly role: Role
  readonly payment: OfferedX402PaymentJson
}

/** What went back of a payment, and the button that gives back what the forwarder still holds of it. */
export function RefundPayment({ merchantId, role, payment }: RefundPaymentProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  const { tokenSymbol: asset, payer } = payment
  const back = sumOf([payment.refundedAmount, payment.refundingAmount])
  const { refundableAmount: left, refundRefused } = payment
  const isPaid = payment.confirmedAt !== null && !isZero(difference(payment.amount, back))
  return (
    <>
      {!isZero(back) && (
        <small class="hint">{words.say('x4Refunded', { amount: words.money(back, asset) })}</small>
      )}{' '}
      {left !== null && may(role, 'createX402Refund') && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {words.say('x4Refund')}
        </button>
      )}
      {isPaid && refundRefused !== null && may(role, 'createX402Refund') && (
        <small class="hint long">
          {words.say('heldNoRefund')}{' '}
          {refusalText(words, {
            code: refundRefused.code,
            message: refundRefused.about,
            status: 0,
          })}
        </small>
      )}
      {isOpen && left !== null && (
        <Dialog
          title={words.say('x4RefundTitle', { payer: shortHash(payer) })}
          onClose={() => setOpen(false)}
        >
          <RefundForm
            merchantId={merchantId}
            path={`/v1/x402/payments/${payment.id}/refunds`}
            asset={asset}
            most={left}
            payers={[{ address: payer, amount: left }]}
            others={{}}
            link={{ href: placePath(merchantId, 'x402', 'payments'), name: words.say('payments') }}
            onDone={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  )
}
