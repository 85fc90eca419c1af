import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { CheckoutPayment, CheckoutView } from '../../core/checkout/view.ts'
import { CopyButton } from './parts/CopyRow.tsx'
import { usePage } from './parts/context.ts'
import { Grouped } from './parts/Grouped.tsx'
import { Moment } from './parts/Moment.tsx'
import { receiptText } from './receiptText.ts'

interface ReceiptProps {
  readonly view: CheckoutView
  readonly payment: CheckoutPayment
  /** Whether it can be sent by email: null where this server sends none; else what became of it. */
  readonly receipt: 'possible' | 'wrong' | 'sent' | null
  /** Where the form is sent. */
  readonly action: string
}

/** What a payer keeps; on paper there is nothing else. */
export function Receipt({ view, payment, receipt, action }: ReceiptProps) {
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
      {receipt === 'sent' ? (
        <p class="saved" role="status">
          {words.say('receiptSent')}
        </p>
      ) : (
        <ByEmail {...{ view, payment, receipt, action }} />
      )}
      <button type="button" class="button wide scripted" onClick={() => print()}>
        {words.say('print')}
      </button>
    </section>
  )
}

interface ByEmailProps extends Omit<ReceiptProps, 'receipt'> {
  readonly receipt: Exclude<ReceiptProps['receipt'], 'sent'>
}

/** A form that has the receipt sent; where this server sends no emails, the payer's own program does. */
function ByEmail({ view, payment, receipt, action }: ByEmailProps) {
  const { words } = usePage()
  const id = useId()
  if (receipt === null) {
    const { subject, body } = receiptText(view, payment, words)
    const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
    return (
      <a class="button wide" href={`mailto:?${query}`}>
        {words.say('receiptMail')}
      </a>
    )
  }
  return (
    <form method="post" action={action}>
      <label for={id}>{words.say('receiptEmail')}</label>
      <div class="entry">
        <input
          {...{ id, name: 'email', type: 'email', autocomplete: 'email' }}
          required
          dir="ltr"
          maxLength={254}
          aria-invalid={receipt === 'wrong'}
          aria-describedby={`${id}-hint`}
        />
        <button type="submit" class="button">
          {words.say('receiptSend')}
        </button>
      </div>
      <p id={`${id}-hint`} class={receipt === 'wrong' ? 'hint wrong' : 'hint'}>
        {words.say(receipt === 'wrong' ? 'receiptWrong' : 'receiptHint')}
      </p>
    </form>
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
