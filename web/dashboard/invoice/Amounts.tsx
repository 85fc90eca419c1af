import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'

/** The money of an invoice; what is nothing and would be unusual is left out. */
export function Amounts({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words } = usePage()
  const unusual = [
    ['confirming', invoice.pendingAmount],
    ['late', invoice.lateAmount],
    ['overpaid', invoice.overpaidAmount],
    ['refunded', invoice.refundedAmount],
  ] as const
  const lines = [
    ['expected', invoice.amountExpected] as const,
    ['received', invoice.receivedAmount] as const,
    ...unusual.filter(([, amount]) => amount !== null && amount !== '0'),
    ['fee', invoice.platformFee] as const,
    ['paidOut', invoice.amountRemitted] as const,
  ]
  return (
    <section class="card" aria-labelledby="amounts">
      <h2 id="amounts">{words.say('amounts')}</h2>
      <dl>
        {lines.map(([name, amount]) => (
          <div key={name}>
            <dt>{words.say(name)}</dt>
            <dd class="figure">{words.money(amount ?? '0', invoice.tokenSymbol)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What else an invoice says of itself, its own metadata last. */
export function Details({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words } = usePage()
  return (
    <section class="card" aria-labelledby="details">
      <h2 id="details">{words.say('details')}</h2>
      <dl>
        {invoice.externalRef !== null && (
          <div>
            <dt>{words.say('order')}</dt>
            <dd class="long">{invoice.externalRef}</dd>
          </div>
        )}
        {invoice.expiresAt !== null && (
          <div>
            <dt>{words.say('expires')}</dt>
            <dd>
              <Moment at={invoice.expiresAt} />
            </dd>
          </div>
        )}
        {invoice.addresses.map(({ networkId, networkName, address }) => (
          <div key={networkId}>
            <dt>{networkName}</dt>
            <dd>
              <Hash value={address} network={networkId} kind="address" />
            </dd>
          </div>
        ))}
        {Object.entries(invoice.metadata).map(([key, value]) => (
          <div key={key}>
            <dt class="long">{key}</dt>
            <dd class="long">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
