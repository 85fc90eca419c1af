import type { ComponentChildren } from 'preact'
import { Callout } from '../parts/Callout.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { HeldTable } from '../recoveries/HeldTable.tsx'
import type { Overview } from '../session/overview.ts'

interface AttentionProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly overview: Overview
}

const MOST_HELD = 3

/** What needs attention, the most costly first, or a line that nothing does. */
export function Attention({ merchantId, role, overview }: AttentionProps) {
  const { words } = usePage()
  const { held, hasMoreHeld, failedRefunds, brokenEndpoints, overpaid, hasRecipient } = overview
  const matters = [held, failedRefunds, brokenEndpoints, overpaid]
  const isCalm = hasRecipient && matters.every((all) => all.length === 0)
  return (
    <section class="section" aria-labelledby="attention">
      <h2 id="attention">{words.say('attention')}</h2>
      {isCalm && <Callout tone="good">{words.say('attentionNone')}</Callout>}
      {!hasRecipient && (
        <Failure href={placePath(merchantId, 'settings')} action={words.say('setRecipient')}>
          {words.say('noRecipientYet')}
        </Failure>
      )}
      {failedRefunds.map(({ id, invoiceId, invoiceRef, createdAt }) => (
        <Failure
          key={id}
          href={placePath(merchantId, 'invoices', invoiceId)}
          action={words.say('showInvoice')}
          at={createdAt}
        >
          {words.say('refundHasFailed', { reference: invoiceRef })}
        </Failure>
      ))}
      {overpaid.map(({ id, reference, amount, tokenSymbol, paidAt }) => (
        <Failure
          key={id}
          href={placePath(merchantId, 'invoices', id)}
          action={words.say('showInvoice')}
          at={paidAt}
        >
          {words.say('overpaidBy', { reference, amount: words.money(amount, tokenSymbol) })}
        </Failure>
      ))}
      {brokenEndpoints.map(({ id, url, active, since }) => (
        <Failure
          key={id}
          href={placePath(merchantId, 'developers', 'webhooks')}
          action={words.say('showEndpoints')}
          at={since}
        >
          {words.say(active ? 'endpointFails' : 'endpointOff', { url })}
        </Failure>
      ))}
      {held.length > 0 && <HeldTable {...{ merchantId, role }} rows={held.slice(0, MOST_HELD)} />}
      {(hasMoreHeld || held.length > MOST_HELD) && (
        <p>
          <a href={placePath(merchantId, 'recoveries')}>{words.say('allHeld')}</a>
        </p>
      )}
    </section>
  )
}

interface FailureProps {
  readonly href: string
  readonly action: string
  readonly at?: string
  readonly children: ComponentChildren
}

function Failure({ href, action, at, children }: FailureProps) {
  return (
    <Callout tone="warn">
      <div class="between">
        <p>
          {children} {at && <Moment at={at} />}
        </p>
        <a href={href}>{action}</a>
      </div>
    </Callout>
  )
}
