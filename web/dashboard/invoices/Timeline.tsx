import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { historyOf } from './history.ts'

/** What happened to an invoice, in its order, with times and hashes. */
export function Timeline({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words, networkName } = usePage()
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">{words.say('timeline')}</h2>
      <ol class="timeline">
        {historyOf(invoice, new Date()).map(
          ({ at, what, tone, amount, asset, network, txHash }) => (
            <li key={`${at} ${what} ${txHash}`} class={tone}>
              <span>
                {words.say(what, {
                  amount: amount === null ? '' : words.money(amount, asset ?? invoice.tokenSymbol),
                })}
              </span>
              <small class="hint">
                <Moment at={at} />
                {network && ` · ${networkName(network)}`}
                {network && txHash && <Hash value={txHash} network={network} kind="tx" />}
              </small>
            </li>
          ),
        )}
      </ol>
    </section>
  )
}
