import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Pager } from '../parts/Pager.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getList, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { HeldRow } from './HeldRow.tsx'

const ROWS = 25

/** One inbox of all money that is held: why, since when, and what can be done. */
export function RecoveriesPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const place = placeIn(query)
  const list = useQuery({
    queryKey: ['recoveries', merchantId, place],
    queryFn: () => getList<RecoveryJson>(merchantApi(merchantId, '/v1/recoveries'), place, ROWS),
    refetchInterval: pollInterval,
  })
  const rows = list.data?.rows ?? []
  return (
    <>
      <div class="head">
        <h1>{words.say('recoveries')}</h1>
      </div>
      <p class="hint lead">{words.say('recoveriesHint')}</p>
      {list.isPending && <Skeleton rows={6} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && (
        <Empty title={words.say('recoveriesNoneTitle')} next={words.say('recoveriesNoneNext')} />
      )}
      {list.data && rows.length > 0 && (
        <>
          <ul class="inbox">
            {rows.map((held) => (
              <HeldRow key={keyOf(held)} {...{ merchantId, role, held }} />
            ))}
          </ul>
          <Pager
            shown={words.say('heldShown', { n: rows.length })}
            {...{ next: list.data.next, previous: list.data.previous }}
            onGo={(to) => route(`${path}?${new URLSearchParams(to)}`)}
          />
        </>
      )}
    </>
  )
}

function keyOf({ invoiceId, transactionId, chain, tokenAddress }: RecoveryJson): string {
  return `${invoiceId} ${transactionId} ${chain} ${tokenAddress}`
}
