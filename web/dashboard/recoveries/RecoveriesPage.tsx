import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Empty } from '../parts/Empty.tsx'
import { Head } from '../parts/Head.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { getList, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { HeldTable } from './HeldTable.tsx'

const ROWS = 25

/** All money that is held: why, since when, and what can be done. */
export function RecoveriesPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const place = placeIn(query)
  const list = useQuery({
    queryKey: ['recoveries', merchantId, place],
    queryFn: () => getList<RecoveryJson>(merchantApi(merchantId, '/v1/recoveries'), place, ROWS),
    refetchInterval: pollInterval,
  })
  const none = (
    <Empty title={words.say('recoveriesNoneTitle')} next={words.say('recoveriesNoneNext')} />
  )
  return (
    <>
      <Head title={words.say('recoveries')} hint={words.say('recoveriesHint')} />
      <Rows
        query={list}
        most={ROWS}
        shown="heldShown"
        empty={none}
        onGo={(to) => route(`${path}?${new URLSearchParams(to)}`)}
      >
        {(rows) => <HeldTable {...{ merchantId, role, rows }} />}
      </Rows>
    </>
  )
}
