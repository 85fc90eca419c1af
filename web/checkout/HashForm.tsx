import type { CheckoutView, HashLookup } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import { hashIn } from './entries.ts'
import { PayerForm, type Send } from './PayerForm.tsx'
import { usePage } from './parts/context.ts'
import { Fold, type Unfolding } from './parts/Fold.tsx'
import { Grouped } from './parts/Grouped.tsx'

const VERDICTS = {
  payment: 'lookupPayment',
  late: 'lookupLate',
  other_network: 'lookupOtherNetwork',
  other_token: 'lookupOtherToken',
  elsewhere: 'lookupElsewhere',
  failed: 'lookupFailed',
  not_mined: 'lookupNotMined',
  unknown: 'lookupUnknown',
  looking: 'lookupIncomplete',
} as const satisfies Record<HashLookup['verdict'], keyof Messages>

interface HashFormProps {
  readonly view: CheckoutView
  readonly action: string
  readonly problem: keyof Messages | null
  readonly send: Send
  readonly unfolding: Unfolding
}

/** For a payer who has already sent: a hash, and the results of those submitted before. */
export function HashForm({ view, action, problem, send, unfolding }: HashFormProps) {
  const { words, merchant } = usePage()
  return (
    <Fold title={words.say('hashTitle')} unfolding={unfolding}>
      <PayerForm
        name="hash"
        labels={{ label: 'hashLabel', hint: 'hashHint', submit: 'hashSend', wrong: 'hashWrong' }}
        action={action}
        problem={problem}
        read={hashIn}
        send={send}
      />
      {view.lookups.length > 0 && (
        <ul class="lookups">
          {view.lookups.map(({ hash, verdict, networkName }) => (
            <li key={hash}>
              <Grouped text={hash} />
              <p>{words.say(VERDICTS[verdict], { merchant, network: networkName ?? '' })}</p>
            </li>
          ))}
        </ul>
      )}
    </Fold>
  )
}
