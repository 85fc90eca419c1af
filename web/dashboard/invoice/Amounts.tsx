import { CUSTOMER_EMAIL, PAYER_DESCRIPTION } from '../../../core/invoice/customer.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { difference, isNegative, isZero, sumOf } from '../parts/decimal.ts'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'

/** The money of an invoice: what came and where it is; what is nothing and would be unusual is left out. */
export function Amounts({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words, networkName } = usePage()
  const balances = balancesOf(invoice)
  const money = (amount: string | null) => words.money(amount ?? '0', invoice.tokenSymbol)
  const unusual = [
    ['confirming', invoice.pendingAmount],
    ['late', invoice.lateAmount],
    ['overpaid', invoice.overpaidAmount],
    ['refunded', invoice.refundedAmount],
    ['atDeposit', sumOf(balances.map(({ left }) => left))],
  ] as const
  const lines = [
    ['expected', invoice.amountExpected] as const,
    ['received', invoice.receivedAmount] as const,
    ['fee', invoice.platformFee] as const,
    ['paidOut', invoice.amountRemitted] as const,
    ...unusual.filter(([, amount]) => !isZero(amount)),
  ]
  return (
    <section class="card" aria-labelledby="amounts">
      <h2 id="amounts">{words.say('amounts')}</h2>
      <Facts facts={lines.map(([name, amount]) => [words.say(name), money(amount)])} />
      {balances.length > 1 && (
        <Table
          label={words.say('balances')}
          columns={[
            { name: words.say('network'), cell: ({ chain }) => networkName(chain) },
            ...(['received', 'left'] as const).map((name) => ({
              name: words.say(name === 'left' ? 'atDeposit' : name),
              kind: 'figure' as const,
              cell: (balance: Balance) => money(balance[name]),
            })),
          ]}
          rows={balances}
          keyOf={({ chain }) => chain}
        />
      )}
    </section>
  )
}

interface Balance {
  readonly chain: string
  readonly received: string
  /** What is at the deposit address still. */
  readonly left: string
}

/** The invoice's own token on each network, as far as it is confirmed. */
function balancesOf({ transactions, settlements, refunds, tokenSymbol }: InvoiceJson): Balance[] {
  const chains = new Set(transactions.map(({ chain }) => chain))
  return [...chains].map((chain) => {
    const isHere = (row: { readonly chain: string; readonly status: string }) =>
      row.chain === chain && row.status === 'confirmed'
    const back = refunds.filter(
      (refund) => isHere(refund) && !refund.external && refund.asset === tokenSymbol,
    )
    const received = sumOf(transactions.filter(isHere).map(({ amount }) => amount))
    const gone = [
      ...settlements.filter(isHere).flatMap(({ merchantAmount, fee }) => [merchantAmount, fee]),
      ...back.map(({ amount }) => amount),
    ]
    const left = difference(received, sumOf(gone))
    return { chain, received, left: isNegative(left) ? '0' : left }
  })
}

/** Entries that the service knows have names of their own. */
function nameOf(words: DashboardWords, key: string): string {
  if (key === PAYER_DESCRIPTION) return words.say('description')
  return key === CUSTOMER_EMAIL ? words.say('customerEmail') : key
}

/** What else an invoice says of itself, its own metadata last. */
export function Details({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words } = usePage()
  const { externalRef, expiresAt, metadata } = invoice
  // The address is the same on most networks.
  const byAddress = Map.groupBy(invoice.addresses, ({ address }) => address)
  return (
    <section class="card" aria-labelledby="details">
      <h2 id="details">{words.say('details')}</h2>
      <Facts
        facts={[
          externalRef !== null && [words.say('order'), externalRef],
          expiresAt !== null && [words.say('expires'), <Moment key="expires" at={expiresAt} />],
          ...Object.entries(metadata).map(
            ([key, value]) =>
              [
                nameOf(words, key),
                typeof value === 'string' ? value : JSON.stringify(value),
              ] as const,
          ),
        ]}
      />
      {[...byAddress].map(([address, on]) => (
        <div key={address}>
          <h3>{words.say('depositAddress')}</h3>
          <Hash
            value={address}
            kind="address"
            {...(on.length === 1 && on[0] ? { network: on[0].networkId } : {})}
          />
          <div class="actions">
            {on.map(({ networkId, networkName }) => (
              <Pill key={networkId} tone="calm" text={networkName} />
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}
