import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { may } from '../parts/may.ts'
import { Pager } from '../parts/Pager.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getList, placeIn } from '../session/lists.ts'
import { merchantApi } from '../session/request.ts'
import { InvoiceTabs } from './InvoiceTabs.tsx'
import { LinkForm } from './LinkForm.tsx'
import { type LinkJson, OneLink } from './OneLink.tsx'

const ROWS = 25

type LinksPageProps = Pick<PlaceProps, 'merchantId' | 'role'>

/** Lasting addresses at which anybody may pay a price: made here, sent or printed, and switched off. */
export function LinksPage({ merchantId, role }: LinksPageProps) {
  const { words } = usePage()
  const { query, path: here, route } = useLocation()
  const [isAdding, setAdding] = useState(false)
  const place = placeIn(query)
  const client = useQueryClient()
  const queryKey = ['payment-links', merchantId]
  const list = useQuery({
    queryKey: [...queryKey, place],
    queryFn: () => getList<LinkJson>(merchantApi(merchantId, '/v1/payment-links'), place, ROWS),
  })
  const rows = list.data?.rows ?? []

  /** The new one is the first of the list. */
  async function showFirst(): Promise<void> {
    setAdding(false)
    route(here)
    await client.invalidateQueries({ queryKey })
  }
  return (
    <>
      <h1>{words.say('links')}</h1>
      <InvoiceTabs merchantId={merchantId} />
      <p class="hint lead">{words.say('linksHint')}</p>
      {may(role, 'createPaymentLink') && (
        <details
          class="card"
          open={isAdding}
          onToggle={(toggle) => setAdding(toggle.currentTarget.open)}
        >
          <summary>{words.say('linkAdd')}</summary>
          {isAdding && <LinkForm merchantId={merchantId} onMade={showFirst} />}
        </details>
      )}
      {list.isPending && <Skeleton rows={8} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title={words.say('linksNoneTitle')} next={words.say('linksNoneNext')} />
      )}
      {list.data && rows.length > 0 && (
        <>
          {rows.map((link) => (
            <OneLink
              key={link.id}
              {...{ merchantId, link, mayChange: may(role, 'changePaymentLink') }}
              onChanged={() => list.refetch()}
            />
          ))}
          <Pager
            shown={words.say('linksShown', { n: rows.length })}
            {...{ next: list.data.next, previous: list.data.previous }}
            onGo={(to) => route(`${here}?${new URLSearchParams(to)}`)}
          />
        </>
      )}
    </>
  )
}
