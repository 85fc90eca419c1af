import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { CsvButton, Head } from '../parts/Head.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { pollInterval } from '../session/live.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { linesOf, readColumns } from './columns.ts'
import {
  changed,
  type Filters,
  isNarrowed,
  PAGE_LENGTH,
  pageQuery,
  readFilters,
} from './filters.ts'
import { InvoiceFilters } from './InvoiceFilters.tsx'
import { InvoiceTable } from './InvoiceTable.tsx'
import { InvoiceTabs } from './InvoiceTabs.tsx'
import { loadRows } from './rows.ts'
import { Views } from './Views.tsx'

type InvoicesPageProps = Pick<PlaceProps, 'merchantId' | 'role'>

/** The invoices of a merchant: found, narrowed down, paged and taken along as CSV. */
export function InvoicesPage({ merchantId, role }: InvoicesPageProps) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const filters = readFilters(query)
  const columns = readColumns(filters.columns)
  const goTo = (wanted: Filters) => route(`${path}${pageQuery(wanted)}`)
  const list = useQuery({
    queryKey: ['invoices', merchantId, { ...filters, columns: '' }],
    queryFn: () => loadRows(merchantId, filters),
    refetchInterval: pollInterval,
  })
  const rows = list.data?.rows ?? []
  return (
    <>
      <Head title={words.say('invoices')}>
        <CsvButton
          isEmpty={rows.length === 0}
          onTake={() => keepFile('invoices.csv', csvText(linesOf(words, columns, rows)))}
        />
        {may(role, 'createInvoice') && (
          <a class="button main" href={placePath(merchantId, 'invoices', 'new')}>
            {words.say('createInvoice')}
          </a>
        )}
      </Head>
      <InvoiceTabs merchantId={merchantId} />
      <InvoiceFilters {...{ merchantId, filters }} onChange={goTo} />
      <div class="filters">
        <Views
          merchantId={merchantId}
          filters={filters}
          goTo={(view) => route(`${path}?${view}`)}
        />
        <ColumnChooser
          columns={columns}
          onChange={(chosen) => goTo({ ...filters, columns: chosen })}
        />
      </div>
      <Rows
        query={list}
        most={PAGE_LENGTH}
        shown="shown"
        empty={<Nothing filters={filters} />}
        onGo={(place) => goTo(changed(filters, place))}
      >
        {(found) => <InvoiceTable {...{ merchantId, columns }} rows={found} />}
      </Rows>
    </>
  )
}

/** The empty state: of filters without results, or of a list that has no entries yet. */
function Nothing({ filters }: { readonly filters: Filters }) {
  const { words } = usePage()
  const hasFilter = isNarrowed(filters) || filters.search !== '' || filters.after !== ''
  return hasFilter ? (
    <Empty title={words.say('invoicesNoMatchTitle')} next={words.say('changeFilters')} />
  ) : (
    <Empty title={words.say('invoicesNoneTitle')} next={words.say('invoicesNoneNext')} />
  )
}
