import { useQuery } from '@tanstack/preact-query'
import { Days } from '../parts/Days.tsx'
import { Choice, FilterBar, SearchField } from '../parts/FilterBar.tsx'
import { usePage } from '../parts/page.ts'
import { overviewQuery } from '../session/overview.ts'
import { changed, type Filters, isNarrowed, STATUSES } from './filters.ts'

interface InvoiceFiltersProps {
  readonly merchantId: string
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

/** Search and filters, kept in the URL. */
export function InvoiceFilters({ merchantId, filters, onChange }: InvoiceFiltersProps) {
  const { words, tokens } = usePage()
  const change = (part: Partial<Filters>) => onChange(changed(filters, part))
  const search = (
    <SearchField
      label={words.say('search')}
      hint={words.say('searchHint')}
      value={filters.search}
      onSearch={(text) => change({ search: text })}
    />
  )
  return (
    <>
      {filters.search === '' && <Statuses {...{ merchantId, filters, change }} />}
      <FilterBar
        search={search}
        isNarrowed={isNarrowed(filters) || filters.search !== ''}
        onClear={() => change({ status: '', token: '', from: '', to: '', search: '' })}
      >
        {filters.search === '' && (
          <>
            <Choice
              label={words.say('token')}
              value={filters.token}
              all={words.say('tokenAll')}
              choices={tokens.map(({ symbol }) => [symbol, symbol])}
              onChoose={(token) => change({ token })}
            />
            <Days from={filters.from} to={filters.to} onChange={change} />
          </>
        )}
      </FilterBar>
    </>
  )
}

interface StatusesProps {
  readonly merchantId: string
  readonly filters: Filters
  readonly change: (part: Partial<Filters>) => void
}

/** One status or all; of those that something may be waiting for, how many there are of the last days. */
function Statuses({ merchantId, filters, change }: StatusesProps) {
  const { words } = usePage()
  const overview = useQuery({ ...overviewQuery(merchantId), staleTime: 30_000 })
  const counts: Readonly<Record<string, number>> = overview.data?.open ?? {}
  return (
    <fieldset class="chips" aria-label={words.say('status')}>
      {(['', ...STATUSES] as const).map((status) => {
        const n = counts[status] ?? 0
        return (
          <button
            key={status}
            type="button"
            class="chip"
            aria-pressed={filters.status === status}
            onClick={() => change({ status })}
          >
            {words.say(status === '' ? 'statusAll' : status)}
            {n > 0 && (
              <span class="count" title={words.say('devLastMonth')}>
                {n}
              </span>
            )}
          </button>
        )
      })}
    </fieldset>
  )
}
