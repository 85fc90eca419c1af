import { useEffect } from 'preact/hooks'
import type { CheckoutView } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import { HashForm } from './HashForm.tsx'
import { usePage } from './parts/context.ts'
import { Fold, useUnfolding } from './parts/Fold.tsx'
import { RefundForm } from './RefundForm.tsx'
import type { Problem } from './session/props.ts'
import type { Answer } from './session/requests.ts'
import { isPayable, misdirected } from './session/selection.ts'
import type { Session } from './session/useSession.ts'

interface PayerFormsProps {
  readonly view: CheckoutView
  readonly url: (more: { readonly path: string }) => string
  readonly problem: Problem | null
  readonly act: Session['act']
}

/** What else a payer can do here, folded away until it is needed. */
export function PayerForms({ view, url, problem, act }: PayerFormsProps) {
  const { words, merchant } = usePage()
  const help = useUnfolding()
  const hash = useUnfolding(
    problem === 'hash' || view.lookups.length > 0 || view.state === 'expired',
  )
  const isWrong = misdirected(view) !== null
  const refund = useUnfolding(problem === 'refund' || isWrong)
  useEffect(() => {
    if (isWrong) refund.set(true)
  }, [isWrong])
  const isDone = view.state === 'paid' || view.state === 'completed'
  return (
    <>
      {isPayable(view) && (
        <Fold title={words.say('helpTitle')} unfolding={help}>
          <p>{words.say('helpLate', { merchant })}</p>
          <p>{words.say('helpFees')}</p>
        </Fold>
      )}
      {!isDone && view.state !== 'choosing' && (
        <HashForm
          view={view}
          unfolding={hash}
          action={url({ path: '/transactions' })}
          problem={problem === 'hash' ? 'hashWrong' : null}
          send={async (entry) =>
            sentenceOf(await act('transactions', { hash: entry }), 'hashWrong')
          }
        />
      )}
      {isReturnPossible(view) && (
        <RefundForm
          view={view}
          unfolding={refund}
          action={url({ path: '/refund-address' })}
          problem={problem === 'refund' ? 'refundWrong' : null}
          send={async (address) =>
            sentenceOf(await act('refund-address', { address }), 'refundWrong')
          }
        />
      )}
    </>
  )
}

/** Whether anything has come that could go back. */
function isReturnPossible({ payment, earlier, lookups }: CheckoutView): boolean {
  return (payment?.transfers.length ?? 0) + earlier.length + lookups.length > 0
}

function sentenceOf(answer: Answer, wrong: keyof Messages): keyof Messages | null {
  const sentences = { ok: null, wrong, often: 'tooOften', failed: 'tryAgain' } as const
  return sentences[answer]
}
