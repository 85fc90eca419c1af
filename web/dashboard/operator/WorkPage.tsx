import { useQueryClient } from '@tanstack/preact-query'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Confirm } from '../forms/Confirm.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { order, type ReviewJson, useWatched } from './api.ts'
import { Orders } from './Orders.tsx'

/** Quarantined work, with its two actions. */
export function WorkPage() {
  const { words } = usePage()
  const reviews = useWatched<readonly ReviewJson[]>('/reviews')
  return (
    <>
      <Loaded query={reviews} rows={6}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={words.say('opNoReviewTitle')} next={words.say('opNoReviewNext')} />
          ) : (
            found.map((review) => <OneReview key={review.id} review={review} />)
          )
        }
      </Loaded>
      <Orders />
    </>
  )
}

function OneReview({ review }: { readonly review: ReviewJson }) {
  const { words, networkName } = usePage()
  const client = useQueryClient()
  const { id, networkId, kind, error, tries, since, subject, status } = review
  async function send(wanted: 'retry' | 'fail'): Promise<void> {
    await order(wanted, networkId, id)
    await client.invalidateQueries({ queryKey: ['operator'] })
    toastDone(words, 'audit_orderWork', '#orders')
  }
  return (
    <section class="card" aria-labelledby={`review-${id}`}>
      <div class="head">
        <h2 id={`review-${id}`}>{words.say('opItem', { kind, id })}</h2>
        {status !== null && <Pill tone="warn" text={status} />}
      </div>
      <p class="problem long">{error ?? words.say('opNoReason')}</p>
      <Facts
        facts={[
          [words.say('network'), networkName(networkId)],
          subject !== null && [words.say('resource'), <code key="subject">{subject}</code>],
          [
            words.say('opWaitingSince'),
            <span key="since">
              <Moment at={since} /> <span class="hint">{words.say('attempts', { n: tries })}</span>
            </span>,
          ],
        ]}
      />
      <div class="actions">
        <ActionButton class="main" label={words.say('opRetry')} onAction={() => send('retry')} />
        <Confirm
          label={words.say('opFail')}
          title={words.say('opFailTitle', { id })}
          action={words.say('opFail')}
          onConfirm={() => send('fail')}
        >
          <p>{words.say('opFailNext')}</p>
        </Confirm>
      </div>
    </section>
  )
}
