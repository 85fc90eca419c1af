import type { ComponentChildren } from 'preact'
import type { CheckoutPayment, CheckoutView } from '../../core/checkout/view.ts'
import type { Words } from '../messages/words.ts'
import { CopyButton } from './parts/CopyRow.tsx'
import { usePage } from './parts/context.ts'
import { Grouped } from './parts/Grouped.tsx'
import { Moment } from './parts/Moment.tsx'

/** What a payer keeps; on paper there is nothing else. */
export function Receipt({
  view,
  payment,
}: {
  readonly view: CheckoutView
  readonly payment: CheckoutPayment
}) {
  const { words } = usePage()
  const { tokenSymbol: token, paidAt } = payment
  const contact = view.merchant.supportUrl ?? view.merchant.supportEmail
  const counted = payment.transfers.filter(
    ({ kind, status }) => kind === 'counted' && status === 'confirmed',
  )
  return (
    <section class="receipt" aria-labelledby="receipt">
      <h3 id="receipt">
        {words.say('receiptTitle')}{' '}
        <span class="pill confirmed counted printed">{words.say('receiptPaid')}</span>
      </h3>
      <dl>
        <Line label={words.say('receiptMerchant')}>
          {view.merchant.name}
          {contact && <div class="contact">{contact}</div>}
        </Line>
        {view.description && <Line label={words.say('receiptFor')}>{view.description}</Line>}
        <Line label={words.say('receiptAmount')}>
          <bdi class="figure total">{words.money(payment.expected, token)}</bdi>
        </Line>
        {payment.received !== payment.expected && (
          <Line label={words.say('receiptReceived')}>
            <bdi class="figure">{words.money(payment.received, token)}</bdi>
          </Line>
        )}
        <Line label={words.say('receiptReference')}>
          <bdi>{payment.reference}</bdi>
        </Line>
        {paidAt && (
          <Line label={words.say('receiptDate')}>
            <Moment at={paidAt} />
          </Line>
        )}
        {[...new Set(counted.map(({ sender }) => sender))].map(
          (sender) =>
            sender && (
              <Line key={sender} label={words.say('receiptPayer')}>
                <Grouped text={sender} />
              </Line>
            ),
        )}
        {counted.map(({ hash, networkName, explorerUrl }) => (
          <Line key={hash} label={words.say('receiptTransaction', { network: networkName })}>
            <a href={explorerUrl} target="_blank" rel="noopener noreferrer">
              <Grouped text={hash} />
              <span class="hidden"> ({words.say('opensTab')})</span>
            </a>
            <CopyButton value={hash} does={words.say('copyHash')} done={words.say('hashCopied')} />
          </Line>
        ))}
      </dl>
      <a class="button wide" href={mailOf(view, payment, words)}>
        {words.say('receiptMail')}
      </a>
      <button type="button" class="button wide scripted" onClick={() => print()}>
        {words.say('print')}
      </button>
    </section>
  )
}

/** The receipt as an email that the payer's own program sends: no address is left here. */
function mailOf(view: CheckoutView, payment: CheckoutPayment, words: Words): string {
  const { tokenSymbol, reference, paidAt, received, transfers } = payment
  const lines = [
    `${words.say('receiptMerchant')}: ${view.merchant.name}`,
    view.description && `${words.say('receiptFor')}: ${view.description}`,
    `${words.say('receiptReceived')}: ${words.money(received, tokenSymbol)}`,
    `${words.say('receiptReference')}: ${reference}`,
    `${words.say('receiptDate')}: ${paidAt}`,
    ...transfers.flatMap(({ kind, explorerUrl }) => (kind === 'counted' ? [explorerUrl] : [])),
  ]
  const subject = `${words.say('receiptTitle')} ${reference}`
  const body = lines.filter(Boolean).join('\r\n')
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

function Line({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
