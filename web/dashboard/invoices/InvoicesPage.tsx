import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { csvOf, keepFile } from './csv.ts'
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
import { loadRows, type Rows } from './rows.ts'

/** The invoices of a merchant: found, narrowed down, paged and taken along as CSV. */
export function InvoicesPage({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const filters = readFilters(query)
  const goTo = (wanted: Filters) => route(`${path}${pageQuery(wanted)}`)
  const list = useQuery({
    queryKey: ['invoices', merchantId, filters],
    queryFn: () => loadRows(merchantId, filters),
  })
  const rows = list.data?.rows ?? []
  return (
    <>
      <div class="head">
        <h1>{words.say('invoices')}</h1>
        <button
          type="button"
          aria-disabled={rows.length === 0}
          onClick={() => rows.length > 0 && keepFile('invoices.csv', csvOf(words, rows))}
        >
          {words.say('downloadCsv')}
        </button>
      </div>
      <FilterBar filters={filters} onChange={goTo} />
      {list.isPending && <Skeleton rows={PAGE_LENGTH / 2} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && <Nothing filters={filters} />}
      {list.data && rows.length > 0 && (
        <>
          <InvoiceTable merchantId={merchantId} rows={rows} />
          <Paging rows={list.data} filters={filters} goTo={goTo} />
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
    <Empty title={words.say('invoicesNoMatchTitle')} next={words.say('invoicesNoMatchNext')} />
  ) : (
    <Empty title={words.say('invoicesNoneTitle')} next={words.say('invoicesNoneNext')} />
  )
}

interface PagingProps {
  readonly rows: Rows
  readonly filters: Filters
  readonly goTo: (filters: Filters) => void
}

function Paging({ rows: { rows, next, previous }, filters, goTo }: PagingProps) {
  const { words } = usePage()
  return (
    <nav class="paging" aria-label={words.say('pages')}>
      <span role="status">{words.say('shown', { n: rows.length })}</span>
      {previous !== null && (
        <button type="button" onClick={() => goTo(changed(filters, { before: previous }))}>
          {words.say('previous')}
        </button>
      )}
      {next !== null && (
        <button type="button" onClick={() => goTo(changed(filters, { after: next }))}>
          {words.say('next')}
        </button>
      )}
    </nav>
  )
}
