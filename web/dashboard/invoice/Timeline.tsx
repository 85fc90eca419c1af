import { useQuery } from '@tanstack/preact-query'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { approvalsQuery } from '../approvals/load.ts'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { historyOf } from './history.ts'

interface TimelineProps {
  readonly merchantId: string
  readonly invoice: InvoiceJson
}

/** What happened to an invoice, in its order, with times and hashes. */
export function Timeline({ merchantId, invoice }: TimelineProps) {
  const { words, networkName } = usePage()
  const hasOpen = invoice.refunds.some(({ status }) => status === 'open')
  const approvals = useQuery({ ...approvalsQuery(merchantId), enabled: hasOpen })
  const unapproved = new Set(
    approvals.data?.flatMap(({ status, refundId }) =>
      status === 'open' && refundId !== null ? [refundId] : [],
    ),
  )
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">{words.say('activity')}</h2>
      <ol class="timeline">
        {historyOf(invoice, new Date(), unapproved).map(
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
