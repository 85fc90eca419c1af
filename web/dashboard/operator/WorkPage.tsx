import { useQueryClient } from '@tanstack/preact-query'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Confirm } from '../forms/Confirm.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { order, type ReviewJson, useWatched } from './api.ts'
import { Orders } from './Orders.tsx'

/** Quarantined work, with its two actions. */
export function WorkPage() {
  const { words } = usePage()
  const reviews = useWatched<readonly ReviewJson[]>('/reviews')
  return (
    <>
      {reviews.isPending && <Skeleton rows={6} />}
      {reviews.isError && <Failed error={reviews.error} onRetry={() => reviews.refetch()} />}
      {reviews.data?.length === 0 && (
        <Empty title={words.say('opNoReviewTitle')} next={words.say('opNoReviewNext')} />
      )}
      {reviews.data?.map((review) => (
        <OneReview key={review.id} review={review} />
      ))}
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
  }
  return (
    <section class="card" aria-labelledby={`review-${id}`}>
      <div class="head">
        <h2 id={`review-${id}`}>{words.say('opItem', { kind, id })}</h2>
        {status !== null && <Pill tone="warn" text={status} />}
      </div>
      <p class="problem long">{error ?? words.say('opNoReason')}</p>
      <dl>
        <div>
          <dt>{words.say('network')}</dt>
          <dd>{networkName(networkId)}</dd>
        </div>
        {subject !== null && (
          <div>
            <dt>{words.say('resource')}</dt>
            <dd class="long">
              <code>{subject}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{words.say('opWaitingSince')}</dt>
          <dd>
            <Moment at={since} /> <span class="hint">{words.say('attempts', { n: tries })}</span>
          </dd>
        </div>
      </dl>
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
