import { useQuery } from '@tanstack/preact-query'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi, Problem } from '../session/request.ts'
import { Amounts, Details } from './Amounts.tsx'
import { Deliveries } from './Deliveries.tsx'
import { Payments } from './Payments.tsx'
import { statusOf } from './status.ts'
import { Timeline } from './Timeline.tsx'

interface InvoicePageProps {
  readonly merchantId: string
  readonly invoiceId: string
}

/** How often an invoice is looked at again that may still change, in ms. */
const LOOK_MS = 5_000

/** One invoice: what it asks for and has, what happened, who paid, and who was told. */
export function InvoicePage({ merchantId, invoiceId }: InvoicePageProps) {
  const { words } = usePage()
  const found = useQuery({
    queryKey: ['invoice', merchantId, invoiceId],
    queryFn: () =>
      getData<InvoiceJson>(
        merchantApi(merchantId, `/v1/invoices/${encodeURIComponent(invoiceId)}`),
      ),
    refetchInterval: LOOK_MS,
  })
  const list = `/dashboard/merchants/${merchantId}/invoices`
  if (found.isPending) return <Skeleton rows={10} />
  if (found.isError && found.data === undefined) {
    const { status } = found.error instanceof Problem ? found.error : { status: 0 }
    if (status !== 404 && status !== 400) {
      return <Failed error={found.error} onRetry={() => found.refetch()} />
    }
    return (
      <Empty title={words.say('invoiceGoneTitle')} next={words.say('invoiceGoneNext')}>
        <a class="button" href={list}>
          {words.say('toInvoices')}
        </a>
      </Empty>
    )
  }
  const invoice = found.data
  const { word, tone } = statusOf(invoice)
  return (
    <>
      <p>
        <a href={list}>{words.say('back')}</a>
      </p>
      <div class="head">
        <h1>
          <span class="figure">{words.money(invoice.amountExpected, invoice.tokenSymbol)}</span>{' '}
          <small class="hint">{invoice.reference}</small>
        </h1>
        <Pill tone={tone} text={words.say(word)} />
      </div>
      <div class="columns">
        <div>
          <Timeline invoice={invoice} />
          <Payments invoice={invoice} />
          <Deliveries merchantId={merchantId} invoiceId={invoice.id} />
        </div>
        <div>
          <Amounts invoice={invoice} />
          <Details invoice={invoice} />
        </div>
      </div>
    </>
  )
}
