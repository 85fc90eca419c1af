import { useQuery } from '@tanstack/preact-query'
import { InvoiceTable } from '../invoices/InvoiceTable.tsx'
import type { Row } from '../invoices/rows.ts'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { getList } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'

const SHOWN = 5
const START = { after: '', before: '' } as const

/** The newest invoices. Renders nothing if there are none. */
export function Recent({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const path = placePath(merchantId, 'invoices')
  const list = useQuery({
    queryKey: ['invoices', merchantId, 'recent'],
    queryFn: () => getList<Row>(merchantApi(merchantId, '/v1/invoices'), START, SHOWN),
    refetchInterval: pollInterval,
  })
  const rows = list.data?.rows.slice(0, SHOWN) ?? []
  if (rows.length === 0) return null
  return (
    <section class="section" aria-labelledby="recent">
      <div class="between">
        <h2 id="recent">{words.say('recent')}</h2>
        <a href={path}>{words.say('allInvoices')}</a>
      </div>
      <InvoiceTable
        merchantId={merchantId}
        columns={['order', 'status', 'amount', 'created']}
        rows={rows}
      />
    </section>
  )
}
