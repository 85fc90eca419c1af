import type { CheckoutView } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import { addressIn } from './entries.ts'
import { PayerForm, type Send } from './PayerForm.tsx'
import { usePage } from './parts/context.ts'
import { Fold, type Unfolding } from './parts/Fold.tsx'

interface RefundFormProps {
  readonly view: CheckoutView
  readonly action: string
  readonly problem: keyof Messages | null
  readonly send: Send
  readonly unfolding: Unfolding
}

/** The refund address: a payer who pays from an exchange has no address of their own there. */
export function RefundForm({ view, action, problem, send, unfolding }: RefundFormProps) {
  const { words, merchant } = usePage()
  const address = view.refundAddress
  return (
    <Fold title={words.say('refundTitle')} unfolding={unfolding}>
      {address && <p class="saved">{words.say('refundSaved', { merchant, address })}</p>}
      {(address === null || view.payment?.transfers.length === 0) && (
        <PayerForm
          name="address"
          labels={{
            label: 'refundLabel',
            hint: 'refundHint',
            submit: 'refundSend',
            wrong: 'refundWrong',
          }}
          action={action}
          problem={problem}
          read={addressIn}
          send={send}
        />
      )}
    </Fold>
  )
}
