import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Empty } from '../parts/Empty.tsx'
import { Choice, FilterBar } from '../parts/FilterBar.tsx'
import { Head } from '../parts/Head.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { getList, type Listed, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { BulkRefund, isPlainRefund } from './BulkRefund.tsx'
import { HeldTable, keyOf } from './HeldTable.tsx'
import { REASONS } from './reasons.ts'

const ROWS = 25
/** A page is narrowed down once it is read, and is therefore longer then. */
const NARROWED_ROWS = 100

/** All money that is held: why, since when, and what can be done, with one or with several at once. */
export function RecoveriesPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { reason = '' } = query
  const place = placeIn(query)
  const most = reason === '' ? ROWS : NARROWED_ROWS
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isRefunding, setRefunding] = useState(false)
  const list = useQuery({
    queryKey: ['recoveries', merchantId, { place, most }],
    queryFn: () => getList<RecoveryJson>(merchantApi(merchantId, '/v1/recoveries'), place, most),
    select: (page): Listed<RecoveryJson> => ({
      ...page,
      rows: page.rows.filter((held) => reason === '' || held.reason === reason),
    }),
    refetchInterval: pollInterval,
  })
  const selected = (list.data?.rows ?? []).filter(
    (held) => chosen.has(keyOf(held)) && isPlainRefund(held),
  )
  const choose = (key: string) =>
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  return (
    <>
      <Head title={words.say('recoveries')} hint={words.say('recoveriesHint')}>
        {selected.length > 0 && (
          <button type="button" onClick={() => setRefunding(true)}>
            {words.say('bulkRefund', { n: selected.length })}
          </button>
        )}
      </Head>
      <FilterBar isNarrowed={reason !== ''} onClear={() => go({})}>
        <Choice
          label={words.say('reason')}
          value={reason}
          all={words.say('reasonAll')}
          choices={Object.entries(REASONS).map(([name, { word }]) => [name, words.say(word)])}
          onChoose={(wanted) => go({ reason: wanted })}
        />
      </FilterBar>
      <Rows
        query={list}
        most={ROWS}
        shown="heldShown"
        empty={
          reason === '' ? (
            <Empty
              title={words.say('recoveriesNoneTitle')}
              next={words.say('recoveriesNoneNext')}
            />
          ) : (
            <Empty title={words.say('recoveriesNoMatch')} next={words.say('changeFilters')} />
          )
        }
        onGo={(to) => go({ reason, ...to })}
      >
        {(rows) => (
          <HeldTable
            {...{ merchantId, role, rows }}
            {...(may(role, 'createRefund') ? { selection: { chosen, choose } } : {})}
          />
        )}
      </Rows>
      {isRefunding && (
        <BulkRefund
          {...{ merchantId }}
          rows={selected}
          onClose={() => {
            setRefunding(false)
            setChosen(new Set())
          }}
        />
      )}
    </>
  )
}
