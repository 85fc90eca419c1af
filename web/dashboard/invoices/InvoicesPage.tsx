import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { may } from '../parts/may.ts'
import { Pager } from '../parts/Pager.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { pollInterval } from '../session/live.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { linesOf, readColumns } from './columns.ts'
import { FilterBar } from './FilterBar.tsx'
import {
  changed,
  type Filters,
  isNarrowed,
  PAGE_LENGTH,
  pageQuery,
  readFilters,
} from './filters.ts'
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
      <div class="head">
        <h1>{words.say('invoices')}</h1>
        <div class="actions">
          <button
            type="button"
            aria-disabled={rows.length === 0}
            onClick={() =>
              rows.length > 0 && keepFile('invoices.csv', csvText(linesOf(words, columns, rows)))
            }
          >
            {words.say('downloadCsv')}
          </button>
          {may(role, 'createInvoice') && (
            <a class="button main" href={placePath(merchantId, 'invoices', 'new')}>
              {words.say('createInvoice')}
            </a>
          )}
        </div>
      </div>
      <InvoiceTabs merchantId={merchantId} />
      <FilterBar filters={filters} onChange={goTo} />
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
      {list.isPending && <Skeleton rows={PAGE_LENGTH} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && <Nothing filters={filters} />}
      {list.data && rows.length > 0 && (
        <>
          <InvoiceTable {...{ merchantId, columns, rows }} />
          <Pager
            shown={words.say('shown', { n: rows.length })}
            {...{ next: list.data.next, previous: list.data.previous }}
            onGo={(place) => goTo(changed(filters, place))}
          />
        </>
      )}
    </>
  )
}

/** There is nothing: because nothing fits, or because it is the beginning. */
function Nothing({ filters }: { readonly filters: Filters }) {
  const { words } = usePage()
  const hasFilter = isNarrowed(filters) || filters.search !== '' || filters.after !== ''
  return hasFilter ? (
    <Empty title={words.say('invoicesNoMatchTitle')} next={words.say('changeFilters')} />
  ) : (
    <Empty title={words.say('invoicesNoneTitle')} next={words.say('invoicesNoneNext')} />
  )
}
