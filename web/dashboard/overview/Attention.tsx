import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { HeldRow } from '../recoveries/HeldRow.tsx'
import type { Overview } from './load.ts'

interface AttentionProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly overview: Overview
}

/** What needs attention, the most costly first, or a line that nothing does. */
export function Attention({ merchantId, role, overview }: AttentionProps) {
  const { words } = usePage()
  const { held, hasMoreHeld, failedRefunds, brokenEndpoints, hasRecipient } = overview
  const isCalm = hasRecipient && held.length + failedRefunds.length + brokenEndpoints.length === 0
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">{words.say('attention')}</h2>
      {isCalm && <p class="calm-note">{words.say('attentionNone')}</p>}
      <ul class="inbox">
        {!hasRecipient && (
          <li class="card held">
            <p>{words.say('noRecipientYet')}</p>
            <a class="button" href={placePath(merchantId, 'settings')}>
              {words.say('setRecipient')}
            </a>
          </li>
        )}
        {failedRefunds.map(({ id, invoiceId, invoiceRef, createdAt }) => (
          <li key={id} class="card held">
            <p>
              {words.say('refundHasFailed', { reference: invoiceRef })}{' '}
              <small class="hint">
                <Moment at={createdAt} />
              </small>
            </p>
            <a class="button" href={placePath(merchantId, 'invoices', invoiceId)}>
              {words.say('showInvoice')}
            </a>
          </li>
        ))}
        {held.map((each) => (
          <HeldRow
            key={`${each.invoiceId} ${each.transactionId} ${each.chain} ${each.tokenAddress}`}
            {...{ merchantId, role, held: each }}
          />
        ))}
        {brokenEndpoints.map(({ id, url, active, since }) => (
          <li key={id} class="card held">
            <p class="long">
              {words.say(active ? 'endpointFails' : 'endpointOff', { url })}{' '}
              <small class="hint">
                <Moment at={since} />
              </small>
            </p>
            <a class="button" href={placePath(merchantId, 'developers', 'webhooks')}>
              {words.say('showEndpoints')}
            </a>
          </li>
        ))}
      </ul>
      {hasMoreHeld && (
        <p>
          <a href={placePath(merchantId, 'recoveries')}>{words.say('allHeld')}</a>
        </p>
      )}
    </section>
  )
}
