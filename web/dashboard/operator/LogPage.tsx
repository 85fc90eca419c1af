import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { AuditFilters } from '../audit/AuditFilters.tsx'
import { EntryTable } from '../audit/EntryTable.tsx'
import { linesOf, type PageJson } from '../audit/entries.ts'
import { apiQuery, type Filters, isNarrowed, pageQuery, readFilters } from '../audit/filters.ts'
import { Paging } from '../audit/Paging.tsx'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { CsvButton } from '../parts/Head.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'
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
        <Loaded query={operators} rows={2}>
          {(found) => (
            <Table
              label={words.say('opOperators')}
              columns={[
                {
                  ...{ name: words.say('email'), kind: 'long', phone: 'start' },
                  cell: ({ email }) => email,
                },
                {
                  ...{ name: words.say('status'), phone: 'end' },
                  cell: ({ hasSecondFactor }) => (
                    <Pill
                      tone={hasSecondFactor ? 'good' : 'warn'}
                      text={words.say(hasSecondFactor ? 'factorIsOn' : 'factorIsOff')}
                    />
                  ),
                },
                {
                  ...{ name: words.say('created'), phone: 'below' },
                  cell: ({ createdAt }) => <Moment at={createdAt} />,
                },
              ]}
              rows={found}
              keyOf={({ email }) => email}
            />
          )}
        </Loaded>
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
  return (
    <section class="card" aria-labelledby="changes">
      <div class="head">
        <h2 id="changes">{words.say('opChanges')}</h2>
        <CsvButton
          isEmpty={entries.length === 0}
          onTake={() => keepFile('operators.csv', csvText(linesOf(words, entries)))}
        />
      </div>
      <AuditFilters isOfOperators filters={filters} onChange={goTo} />
      <Loaded query={page} rows={6}>
        {(found) =>
          found.entries.length === 0 ? (
            <p class="hint">
              {words.say(isNarrowed(filters) ? 'auditNoMatchTitle' : 'opNoChange')}
            </p>
          ) : (
            <EntryTable entries={found.entries} />
          )
        }
      </Loaded>
      <Paging filters={filters} next={next} onGo={goTo} />
    </section>
  )
}
