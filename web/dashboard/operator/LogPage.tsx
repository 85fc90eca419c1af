import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Entry } from '../audit/Entry.tsx'
import { linesOf, type PageJson } from '../audit/entries.ts'
import { FilterBar } from '../audit/FilterBar.tsx'
import { apiQuery, type Filters, isNarrowed, pageQuery, readFilters } from '../audit/filters.ts'
import { Paging } from '../audit/Paging.tsx'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData } from '../session/request.ts'
import { operatorApi } from './api.ts'

interface OperatorJson {
  readonly email: string
  readonly hasSecondFactor: boolean
  readonly createdAt: string
}

/** Who runs the deployment, and what they have changed, here and by command. */
export function LogPage() {
  const { words } = usePage()
  const operators = useQuery({
    queryKey: ['operator', '/operators'],
    queryFn: () => getData<readonly OperatorJson[]>(operatorApi('/operators')),
  })
  return (
    <>
      <section class="card" aria-labelledby="people">
        <h2 id="people">{words.say('opOperators')}</h2>
        <p class="hint">{words.say('opOperatorsHint')}</p>
        {operators.isPending && <Skeleton rows={2} />}
        {operators.isError && (
          <Failed error={operators.error} onRetry={() => operators.refetch()} />
        )}
        <ul class="lines">
          {operators.data?.map(({ email, hasSecondFactor, createdAt }) => (
            <li key={email}>
              <span class="long">
                {email} <Moment at={createdAt} />
              </span>
              <Pill
                tone={hasSecondFactor ? 'good' : 'warn'}
                text={words.say(hasSecondFactor ? 'factorIsOn' : 'factorIsOff')}
              />
            </li>
          ))}
        </ul>
      </section>
      <Changes />
    </>
  )
}

/** What they have changed: narrowed down by who, what and when, and taken along as it is shown. */
function Changes() {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const filters = readFilters(query)
  const goTo = (wanted: Filters) => route(`${path}${pageQuery(wanted)}`)
  const page = useQuery({
    queryKey: ['operator', '/audit', filters],
    queryFn: () => getData<PageJson>(operatorApi(`/audit${apiQuery(filters)}`)),
  })
  const { entries = [], next = null } = page.data ?? {}
  const hasEntries = entries.length > 0
  return (
    <section class="card" aria-labelledby="changes">
      <div class="head">
        <h2 id="changes">{words.say('opChanges')}</h2>
        <button
          type="button"
          aria-disabled={!hasEntries}
          onClick={() => hasEntries && keepFile('operators.csv', csvText(linesOf(words, entries)))}
        >
          {words.say('downloadCsv')}
        </button>
      </div>
      <FilterBar isOfOperators filters={filters} onChange={goTo} />
      {page.isPending && <Skeleton rows={6} />}
      {page.isError && <Failed error={page.error} onRetry={() => page.refetch()} />}
      {page.data && !hasEntries && (
        <p class="hint">{words.say(isNarrowed(filters) ? 'auditNoMatchTitle' : 'opNoChange')}</p>
      )}
      <ul class="lines">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <Paging filters={filters} next={next} onGo={goTo} />
    </section>
  )
}
