import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { Entry } from './Entry.tsx'
import { linesOf, type PageJson } from './entries.ts'
import { FilterBar } from './FilterBar.tsx'
import { apiQuery, type Filters, isNarrowed, pageQuery, readFilters } from './filters.ts'
import { Paging } from './Paging.tsx'

/** Who changed what of the merchant and signed in, and from where, the newest first. */
export function AuditPage({ merchantId }: PlaceProps) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const filters = readFilters(query)
  const goTo = (wanted: Filters) => route(`${path}${pageQuery(wanted)}`)
  const page = useQuery({
    queryKey: ['audit', merchantId, filters],
    queryFn: () => getData<PageJson>(merchantApi(merchantId, `/v1/audit${apiQuery(filters)}`)),
  })
  const { entries = [], next = null } = page.data ?? {}
  const hasEntries = entries.length > 0
  return (
    <>
      <div class="head">
        <h1>{words.say('audit')}</h1>
        <button
          type="button"
          aria-disabled={!hasEntries}
          onClick={() => hasEntries && keepFile('audit.csv', csvText(linesOf(words, entries)))}
        >
          {words.say('downloadCsv')}
        </button>
      </div>
      <p class="hint">{words.say('auditHint')}</p>
      <FilterBar filters={filters} onChange={goTo} />
      {page.isPending && <Skeleton rows={8} />}
      {page.isError && <Failed error={page.error} onRetry={() => page.refetch()} />}
      {page.data && !hasEntries && <Nothing filters={filters} />}
      {hasEntries && (
        <section class="card" aria-label={words.say('audit')}>
          <ul class="lines">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      )}
      <Paging filters={filters} next={next} onGo={goTo} />
    </>
  )
}

/** There is nothing: because nothing fits, or because it is the beginning. */
function Nothing({ filters }: { readonly filters: Filters }) {
  const { words } = usePage()
  return isNarrowed(filters) ? (
    <Empty title={words.say('auditNoMatchTitle')} next={words.say('changeFilters')} />
  ) : (
    <Empty title={words.say('auditNoneTitle')} next={words.say('auditNoneNext')} />
  )
}
