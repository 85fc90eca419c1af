import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { ListedRefundJson } from '../../../core/refund/listedRefund.ts'
import { csvText, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { Choice, FilterBar } from '../parts/FilterBar.tsx'
import { CsvButton, Head } from '../parts/Head.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { getList, placeIn } from '../session/lists.ts'
import { pollInterval } from '../session/live.ts'
import { merchantApi } from '../session/request.ts'
import { KINDS, RefundTable, STATES } from './RefundTable.tsx'

const ROWS = 25

/** The refunds of all kinds, narrowed down by status, and taken along as CSV. */
export function RefundsPage({ merchantId }: PlaceProps) {
  const { words } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { status = '' } = query
  const place = placeIn(query)
  const list = useQuery({
    queryKey: ['refunds', merchantId, { place, status }],
    queryFn: () =>
      getList<ListedRefundJson>(
        merchantApi(merchantId, '/v1/refunds'),
        place,
        ROWS,
        status === '' ? {} : { status },
      ),
    refetchInterval: pollInterval,
  })
  const rows = list.data?.rows ?? []
  const isNarrowed = status !== ''
  return (
    <>
      <Head title={words.say('refunds')} hint={words.say('refundsHint')}>
        <CsvButton
          isEmpty={rows.length === 0}
          onTake={() => keepFile('refunds.csv', csvOf(words, rows))}
        />
      </Head>
      <FilterBar isNarrowed={isNarrowed} onClear={() => go({})}>
        <Choice
          label={words.say('status')}
          value={status}
          all={words.say('statusAll')}
          choices={Object.entries(STATES).map(([name, { word }]) => [name, words.say(word)])}
          onChoose={(chosen) => go({ status: chosen })}
        />
      </FilterBar>
      <Rows
        query={list}
        most={ROWS}
        shown="refundsShown"
        empty={
          isNarrowed ? (
            <Empty title={words.say('refundsNoMatch')} next={words.say('changeFilters')} />
          ) : (
            <Empty title={words.say('refundsNoneTitle')} next={words.say('refundsNoneNext')} />
          )
        }
        onGo={(to) => go({ status, ...to })}
      >
        {(found) => <RefundTable merchantId={merchantId} rows={found} />}
      </Rows>
    </>
  )
}

function csvOf(words: DashboardWords, rows: readonly ListedRefundJson[]): string {
  const head = [
    words.say('columnReference'),
    words.say('order'),
    words.say('refund'),
    words.say('status'),
    words.say('network'),
    words.say('amount'),
    words.say('token'),
    words.say('refundRecipient'),
    words.say('transaction'),
    words.say('created'),
    words.say('confirmed'),
  ]
  const lines = rows.map((row) => [
    row.invoiceRef,
    row.externalRef,
    words.say(KINDS[row.kind]),
    words.say(STATES[row.status].word),
    row.chain,
    row.amount,
    row.asset,
    row.address,
    row.txHash,
    row.createdAt,
    row.confirmedAt,
  ])
  return csvText([head, ...lines])
}
