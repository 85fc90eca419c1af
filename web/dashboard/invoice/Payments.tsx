import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'

const STATES = {
  pending: { word: 'confirming', tone: 'calm' },
  confirmed: { word: 'confirmed', tone: 'good' },
  reverted: { word: 'reverted', tone: 'bad' },
} as const

/** Who paid what, and how far it is. */
export function Payments({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words, networkName } = usePage()
  return (
    <section class="card" aria-labelledby="payments">
      <h2 id="payments">{words.say('payments')}</h2>
      {invoice.transactions.length === 0 ? (
        <p class="hint">{words.say('paymentsNone')}</p>
      ) : (
        <Table
          label={words.say('payments')}
          columns={[
            {
              ...{ name: words.say('amount'), kind: 'name', phone: 'start' },
              cell: ({ amount, asset, chain, createdAt }) => (
                <>
                  <span class="figure">{words.money(amount, asset)}</span>
                  <small class="hint block">
                    {networkName(chain)} · <Moment at={createdAt} />
                  </small>
                </>
              ),
            },
            {
              ...{ name: words.say('status'), phone: 'end' },
              cell: ({ type, status }) => {
                const isLate = type === 'late_payment'
                const { word, tone } = STATES[status]
                return (
                  <Pill tone={isLate ? 'warn' : tone} text={words.say(isLate ? 'late' : word)} />
                )
              },
            },
            {
              name: words.say('from'),
              cell: ({ from, chain }) => <Hash value={from} network={chain} kind="address" />,
            },
            {
              name: words.say('transaction'),
              cell: ({ txHash, chain }) => <Hash value={txHash} network={chain} kind="tx" />,
            },
          ]}
          rows={invoice.transactions}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}
