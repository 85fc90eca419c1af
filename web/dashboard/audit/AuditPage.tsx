import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { CsvButton, Head } from '../parts/Head.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { getData, merchantApi } from '../session/request.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { EntryTable } from './EntryTable.tsx'
import { linesOf, type PageJson } from './entries.ts'
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
  return (
    <>
      <Head title={words.say('audit')} hint={words.say('auditHint')}>
        <CsvButton
          isEmpty={entries.length === 0}
          onTake={() => keepFile('audit.csv', csvText(linesOf(words, entries)))}
        />
      </Head>
      <AuditFilters filters={filters} onChange={goTo} />
      <Loaded query={page} rows={8}>
        {(found) =>
          found.entries.length === 0 ? (
            <Nothing filters={filters} />
          ) : (
            <EntryTable entries={found.entries} />
          )
        }
      </Loaded>
      <Paging filters={filters} next={next} onGo={goTo} />
    </>
  )
}

/** The empty state: of filters without results, or of a list that has no entries yet. */
function Nothing({ filters }: { readonly filters: Filters }) {
  const { words } = usePage()
  return isNarrowed(filters) ? (
    <Empty title={words.say('auditNoMatchTitle')} next={words.say('changeFilters')} />
  ) : (
    <Empty title={words.say('auditNoneTitle')} next={words.say('auditNoneNext')} />
  )
}
