import { useLocation } from 'preact-iso'
import type { ListedRefundJson } from '../../../core/refund/listedRefund.ts'
import { csvOf, keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { Choice, FilterBar } from '../parts/FilterBar.tsx'
import { CsvButton, Head } from '../parts/Head.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { useList } from '../session/lists.ts'
import { KINDS, RefundTable, STATES } from './RefundTable.tsx'

const ROWS = 25

/** The refunds of all kinds, narrowed down by status, and taken along as CSV. */
export function RefundsPage({ merchantId }: PlaceProps) {
  const { words } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { status = '' } = query
  const list = useList<ListedRefundJson>(merchantId, 'refunds', ROWS, { status })
  const rows = list.data?.rows ?? []
  const isNarrowed = status !== ''
  return (
    <>
      <Head title={words.say('refunds')} hint={words.say('refundsHint')}>
        <CsvButton
          isEmpty={rows.length === 0}
          onTake={() => keepFile('refunds.csv', textOf(words, rows))}
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

function textOf(words: DashboardWords, rows: readonly ListedRefundJson[]): string {
  return csvOf(rows, [
    [words.say('columnReference'), (row) => row.invoiceRef],
    [words.say('order'), (row) => row.externalRef],
    [words.say('refund'), (row) => words.say(KINDS[row.kind])],
    [words.say('status'), (row) => words.say(STATES[row.status].word)],
    [words.say('network'), (row) => row.chain],
    [words.say('amount'), (row) => row.amount],
    [words.say('token'), (row) => row.asset],
    [words.say('refundRecipient'), (row) => row.address],
    [words.say('transaction'), (row) => row.txHash],
    [words.say('created'), (row) => row.createdAt],
    [words.say('confirmed'), (row) => row.confirmedAt],
  ])
}
