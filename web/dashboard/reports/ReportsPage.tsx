import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { DayJson } from '../../../core/invoice/report.ts'
import { keepFile } from '../parts/csvFile.ts'
import { Empty } from '../parts/Empty.tsx'
import { CsvButton, Head } from '../parts/Head.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { PeriodTable, periodsCsv } from './PeriodTable.tsx'
import { periodsOf, totalsOf } from './periods.ts'
import { RangeBar } from './RangeBar.tsx'
import { Reconciliation } from './Reconciliation.tsx'
import { apiRange, type Range, rangeQuery, readRange } from './range.ts'
import { Schedules } from './Schedules.tsx'

/** Fees, net amounts and refunds by day or month, and reports by email. */
export function ReportsPage({ merchantId }: PlaceProps) {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const range = readRange(query, new Date())
  const params = apiRange(range)
  const report = useQuery({
    queryKey: ['report', merchantId, { params }],
    queryFn: () =>
      getData<readonly DayJson[]>(merchantApi(merchantId, `/v1/reports/daily?${params}`)),
  })
  const periods = report.data ? periodsOf(report.data, range.by) : []
  const name = `report-${range.from}-${range.to}`
  return (
    <>
      <Head title={words.say('reports')}>
        <CsvButton
          isEmpty={periods.length === 0}
          onTake={() => keepFile(`${name}.csv`, periodsCsv(words, periods))}
        />
        <a
          class="button"
          href={merchantApi(merchantId, `/v1/reports/transactions.csv?bom=true&${params}`)}
          download={`transactions-${range.from}-${range.to}.csv`}
          target="_self"
        >
          {words.say('allTransactionsCsv')}
        </a>
      </Head>
      <RangeBar range={range} onChange={(wanted: Range) => route(`${path}${rangeQuery(wanted)}`)} />
      {report.isPending && <Skeleton rows={12} />}
      {report.isError && <Failed error={report.error} onRetry={() => report.refetch()} />}
      {report.data && periods.length === 0 && (
        <Empty title={words.say('reportsNoneTitle')} next={words.say('reportsNoneNext')} />
      )}
      {periods.length > 0 && <PeriodTable periods={periods} totals={totalsOf(periods)} />}
      <div class="below">
        <Reconciliation merchantId={merchantId} />
        <Schedules merchantId={merchantId} />
      </div>
    </>
  )
}
