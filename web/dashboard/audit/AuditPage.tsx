import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'

interface EntryJson {
  readonly id: string
  readonly at: string
  readonly actorName: string
  readonly action: string
  readonly objectId: string | null
  readonly after: unknown
  readonly address: string | null
  readonly agent: string | null
  readonly status: number | null
}

interface PageJson {
  readonly entries: readonly EntryJson[]
  /** What `before` is for the next page. */
  readonly next: string | null
}

/** Who changed what of the merchant, and from where, the newest first. */
export function AuditPage({ merchantId }: PlaceProps) {
  const { words } = usePage()
  const [before, setBefore] = useState<string | null>(null)
  const query = before === null ? '' : `?before=${before}`
  const page = useQuery({
    queryKey: ['audit', merchantId, before],
    queryFn: () => getData<PageJson>(merchantApi(merchantId, `/v1/audit${query}`)),
  })
  return (
    <>
      <h1>{words.say('audit')}</h1>
      <p class="hint">{words.say('auditHint')}</p>
      {page.isPending && <Skeleton rows={8} />}
      {page.isError && <Failed error={page.error} onRetry={() => page.refetch()} />}
      {page.data?.entries.length === 0 && (
        <Empty title={words.say('auditNoneTitle')} next={words.say('auditNoneNext')} />
      )}
      {page.data && page.data.entries.length > 0 && (
        <section class="card">
          <ul class="lines">
            {page.data.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      )}
      <nav class="paging" aria-label={words.say('pages')}>
        {before !== null && (
          <button type="button" onClick={() => setBefore(null)}>
            {words.say('auditNewest')}
          </button>
        )}
        {page.data?.next && (
          <button type="button" onClick={() => setBefore(page.data.next)}>
            {words.say('auditOlder')}
          </button>
        )}
      </nav>
    </>
  )
}

function Entry({ entry }: { readonly entry: EntryJson }) {
  const { words } = usePage()
  const { at, actorName, action, objectId, after, address, agent, status } = entry
  return (
    <li>
      <span class="long">
        <b>{action}</b> {objectId} {after !== null && <code>{JSON.stringify(after)}</code>}{' '}
        <small class="hint" title={agent ?? ''}>
          {actorName} {address} <Moment at={at} />
        </small>
      </span>
      <Pill
        tone={status === null ? 'warn' : status < 400 ? 'good' : 'bad'}
        text={words.say(
          status === null ? 'auditUnknown' : status < 400 ? 'auditDone' : 'auditRefused',
        )}
      />
    </li>
  )
}
