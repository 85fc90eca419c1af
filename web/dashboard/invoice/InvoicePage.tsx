import { useQuery } from '@tanstack/preact-query'
import { useCallback } from 'preact/hooks'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { statusOf } from '../invoices/status.ts'
import { Empty } from '../parts/Empty.tsx'
import { Head } from '../parts/Head.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { pollInterval, useBlocks } from '../session/live.ts'
import { getData, merchantApi, Problem } from '../session/request.ts'
import { Amounts, Details } from './Amounts.tsx'
import { Deliveries } from './Deliveries.tsx'
import { HeldHere } from './HeldHere.tsx'
import { InvoiceActions } from './InvoiceActions.tsx'
import { PaymentLink } from './PaymentLink.tsx'
import { Payments } from './Payments.tsx'
import type { ShownInvoice } from './shown.ts'
import { Timeline } from './Timeline.tsx'

interface InvoicePageProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly invoiceId: string
}

/** One invoice: amounts, history, payers, webhook deliveries and actions. */
export function InvoicePage({ merchantId, role, invoiceId }: InvoicePageProps) {
  const { words } = usePage()
  const path = merchantApi(merchantId, `/v1/invoices/${encodeURIComponent(invoiceId)}`)
  const found = useQuery({
    queryKey: ['invoice', merchantId, invoiceId],
    queryFn: () => getData<ShownInvoice>(path),
    refetchInterval: pollInterval,
  })
  const { data, refetch } = found
  // What waits for confirmations moves with each block of its network.
  const hear = useCallback(
    (networkId: string) => {
      if (data !== undefined && waitsFor(data, networkId)) void refetch()
    },
    [data, refetch],
  )
  useBlocks(hear)
  if (found.isPending) return <Skeleton rows={10} />
  if (data === undefined) {
    return <Missing {...{ merchantId }} error={found.error} onRetry={() => refetch()} />
  }
  const { word, tone } = statusOf(data)
  return (
    <>
      <Head
        back={{ href: placePath(merchantId, 'invoices'), name: words.say('back') }}
        title={
          <>
            <span class="figure">{words.money(data.amountExpected, data.tokenSymbol)}</span>{' '}
            <small class="hint">{data.reference}</small>
          </>
        }
        status={<Pill tone={tone} text={words.say(word)} />}
      >
        <InvoiceActions {...{ merchantId, role, invoice: data }} />
      </Head>
      <div class="columns">
        <div>
          <HeldHere {...{ merchantId, role }} invoiceId={data.id} />
          <Payments invoice={data} />
          <Timeline merchantId={merchantId} invoice={data} />
          <Deliveries
            merchantId={merchantId}
            invoiceId={data.id}
            mayResend={may(role, 'redeliverWebhook')}
          />
        </div>
        <div>
          <PaymentLink invoice={data} />
          <Amounts invoice={data} />
          <Details invoice={data} />
        </div>
      </div>
    </>
  )
}

/** Whether something of an invoice waits for blocks of a network. */
function waitsFor({ transactions, settlements, refunds }: InvoiceJson, networkId: string): boolean {
  const isOpen = ({ chain, status }: { readonly chain: string; readonly status: string }) =>
    chain === networkId && !['confirmed', 'failed', 'reverted'].includes(status)
  return transactions.some(isOpen) || settlements.some(isOpen) || refunds.some(isOpen)
}

interface MissingProps {
  readonly merchantId: string
  readonly error: unknown
  readonly onRetry: () => void
}

function Missing({ merchantId, error, onRetry }: MissingProps) {
  const { words } = usePage()
  const { status } = error instanceof Problem ? error : { status: 0 }
  if (status !== 404 && status !== 400) return <Failed error={error} onRetry={onRetry} />
  return (
    <Empty title={words.say('invoiceGoneTitle')} next={words.say('invoiceGoneNext')}>
      <a class="button" href={placePath(merchantId, 'invoices')}>
        {words.say('toInvoices')}
      </a>
    </Empty>
  )
}
