import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Hash } from '../parts/Hash.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Wide } from '../parts/Wide.tsx'

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
        <Wide label={words.say('payments')}>
          <table>
            <thead>
              <tr>
                <th scope="col" class="right">
                  {words.say('amount')}
                </th>
                <th scope="col">{words.say('status')}</th>
                <th scope="col">{words.say('network')}</th>
                <th scope="col">{words.say('from')}</th>
                <th scope="col">{words.say('transaction')}</th>
              </tr>
            </thead>
            <tbody>
              {invoice.transactions.map(
                ({ id, amount, asset, status, type, chain, from, txHash }) => {
                  const { word, tone } = STATES[status]
                  const isLate = type === 'late_payment'
                  return (
                    <tr key={id}>
                      <td class="figure right" data-label={words.say('amount')}>
                        {words.money(amount, asset)}
                      </td>
                      <td data-label={words.say('status')}>
                        <Pill
                          tone={isLate ? 'warn' : tone}
                          text={words.say(isLate ? 'late' : word)}
                        />
                      </td>
                      <td class="name" data-label={words.say('network')}>
                        {networkName(chain)}
                      </td>
                      <td data-label={words.say('from')}>
                        <Hash value={from} network={chain} kind="address" />
                      </td>
                      <td data-label={words.say('transaction')}>
                        <Hash value={txHash} network={chain} kind="tx" />
                      </td>
                    </tr>
                  )
                },
              )}
            </tbody>
          </table>
        </Wide>
      )}
    </section>
  )
}
