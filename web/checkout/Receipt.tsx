import type { ComponentChildren } from 'preact'
import type { CheckoutPayment, CheckoutView } from '../../core/checkout/view.ts'
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
  const counted = payment.transfers.filter(
    ({ kind, status }) => kind === 'counted' && status === 'confirmed',
  )
  return (
    <section class="receipt" aria-labelledby="receipt">
      <h3 id="receipt">{words.say('receiptTitle')}</h3>
      <dl>
        <Line label={words.say('receiptMerchant')}>{view.merchant.name}</Line>
        {view.description && <Line label={words.say('receiptFor')}>{view.description}</Line>}
        <Line label={words.say('receiptAmount')}>
          <bdi class="figure">{words.money(payment.expected, token)}</bdi>
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
        {counted.map(({ hash, networkName, explorerUrl }) => (
          <Line key={hash} label={words.say('receiptTransaction', { network: networkName })}>
            <a href={explorerUrl} target="_blank" rel="noopener noreferrer">
              <Grouped text={hash} />
              <span class="hidden"> ({words.say('opensTab')})</span>
            </a>
          </Line>
        ))}
      </dl>
      <button type="button" class="button wide scripted" onClick={() => print()}>
        {words.say('print')}
      </button>
    </section>
  )
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
