import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Empty } from '../parts/Empty.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { getData, merchantApi } from '../session/request.ts'
import { IdSearch } from './IdSearch.tsx'

interface RequestJson {
  readonly traceId: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly keyHint: string | null
  readonly reason: string | null
}

interface Requests {
  readonly requests: readonly RequestJson[]
  readonly next: string | null
}

const POLL_MS = 3_000

/** What came with the merchant's keys in the last days, found by the id that every answer has. */
export function RequestsPage({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { traceId = '', failed = '', before = '' } = query
  const wanted = new URLSearchParams(
    Object.entries({ traceId, failed, before }).filter(([, value]) => value !== ''),
  )
  const list = useQuery({
    queryKey: ['requests', merchantId, traceId, failed, before],
    queryFn: () => getData<Requests>(merchantApi(merchantId, `/v1/requests?${wanted}`)),
    // A request is there within a second or two.
    refetchInterval: before === '' ? POLL_MS : false,
  })

  return (
    <>
      <search class="filters" aria-label={words.say('filters')}>
        <IdSearch
          label={words.say('devTrace')}
          form={words.say('devTraceForm')}
          value={traceId}
          onSearch={(id) => go({ traceId: id, failed })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={failed === 'true'}
            onChange={() => go({ traceId, failed: failed === 'true' ? '' : 'true' })}
          />
          <span>{words.say('devOnlyFailed')}</span>
        </label>
      </search>
      <Loaded query={list} rows={10}>
        {({ requests, next }) =>
          requests.length === 0 ? (
            <Empty title={words.say('devNoRequestTitle')} next={words.say('devNoRequestNext')} />
          ) : (
            <>
              <RequestTable requests={requests} />
              <nav class="paging" aria-label={words.say('pages')}>
                <span>{words.say('devRequestsKept')}</span>
                {before !== '' && (
                  <button type="button" onClick={() => history.back()}>
                    {words.say('previous')}
                  </button>
                )}
                {next !== null && (
                  <button type="button" onClick={() => go({ traceId, failed, before: next })}>
                    {words.say('next')}
                  </button>
                )}
              </nav>
            </>
          )
        }
      </Loaded>
    </>
  )
}

function RequestTable({ requests }: { readonly requests: readonly RequestJson[] }) {
  const { words } = usePage()
  return (
    <Table
      label={words.say('devRequests')}
      columns={[
        {
          ...{ name: words.say('devTrace'), phone: 'below' },
          cell: ({ traceId }) => <code title={traceId}>{traceId.slice(0, 8)}</code>,
        },
        {
          ...{ name: words.say('request'), kind: 'long', phone: 'start' },
          cell: ({ method, path }) => (
            <>
              <b>{method}</b> {path}
            </>
          ),
        },
        {
          ...{ name: words.say('status'), phone: 'end' },
          cell: ({ status, reason }) => (
            <>
              <Pill tone={status >= 400 || reason !== null ? 'bad' : 'good'} text={`${status}`} />
              {reason !== null && <small class="hint long"> {reason}</small>}
            </>
          ),
        },
        {
          ...{ name: words.say('devTook'), kind: 'figure', phone: 'below' },
          cell: ({ ms }) => `${ms} ms`,
        },
        {
          ...{ name: words.say('key'), phone: 'below' },
          cell: ({ keyHint }) => <code>…{keyHint}</code>,
        },
        {
          ...{ name: words.say('time'), phone: 'below' },
          cell: ({ at }) => <Moment at={at} />,
        },
      ]}
      rows={requests}
      keyOf={({ traceId }) => traceId}
    />
  )
}
