import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
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
      {list.isPending && <Skeleton rows={10} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.requests.length === 0 && (
        <Empty title={words.say('devNoRequestTitle')} next={words.say('devNoRequestNext')} />
      )}
      {list.data && list.data.requests.length > 0 && (
        <>
          <RequestTable requests={list.data.requests} />
          <nav class="paging" aria-label={words.say('pages')}>
            <span>{words.say('devRequestsKept')}</span>
            {before !== '' && (
              <button type="button" onClick={() => history.back()}>
                {words.say('previous')}
              </button>
            )}
            {list.data.next !== null && (
              <button
                type="button"
                onClick={() => go({ traceId, failed, before: list.data.next ?? '' })}
              >
                {words.say('next')}
              </button>
            )}
          </nav>
        </>
      )}
    </>
  )
}

function RequestTable({ requests }: { readonly requests: readonly RequestJson[] }) {
  const { words } = usePage()
  return (
    <table>
      <caption class="hidden">{words.say('devRequests')}</caption>
      <thead>
        <tr>
          <th scope="col">{words.say('devTrace')}</th>
          <th scope="col">{words.say('request')}</th>
          <th scope="col">{words.say('status')}</th>
          <th scope="col" class="right">
            {words.say('devTook')}
          </th>
          <th scope="col">{words.say('key')}</th>
          <th scope="col">{words.say('time')}</th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({ traceId, method, path, status, ms, keyHint, reason, at }) => (
          <tr key={traceId}>
            <th scope="row">
              <code title={traceId}>{traceId.slice(0, 8)}</code>
            </th>
            <td class="long" data-label={words.say('request')}>
              <span>
                <b>{method}</b> {path}
              </span>
            </td>
            <td data-label={words.say('status')}>
              <span>
                <Pill tone={status >= 400 || reason !== null ? 'bad' : 'good'} text={`${status}`} />
                {reason !== null && <small class="hint long"> {reason}</small>}
              </span>
            </td>
            <td class="figure right" data-label={words.say('devTook')}>
              {ms} ms
            </td>
            <td data-label={words.say('key')}>
              <code>…{keyHint}</code>
            </td>
            <td data-label={words.say('time')}>
              <Moment at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
