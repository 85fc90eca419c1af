import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import type { DayJson } from '../../../core/invoice/report.ts'
import { keepFile } from '../parts/csvFile.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { csvOf, PeriodTable } from './PeriodTable.tsx'
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
      <div class="head">
        <h1>{words.say('reports')}</h1>
        <div class="actions">
          <button
            type="button"
            aria-disabled={periods.length === 0}
            onClick={() => periods.length > 0 && keepFile(`${name}.csv`, csvOf(words, periods))}
          >
            {words.say('downloadCsv')}
          </button>
          <a
            class="button"
            href={merchantApi(merchantId, `/v1/reports/transactions.csv?bom=true&${params}`)}
            download={`transactions-${range.from}-${range.to}.csv`}
            target="_self"
          >
            {words.say('allTransactionsCsv')}
          </a>
        </div>
      </div>
      <RangeBar range={range} onChange={(wanted: Range) => route(`${path}${rangeQuery(wanted)}`)} />
      {report.isPending && <Skeleton rows={12} />}
      {report.isError && <Failed error={report.error} onRetry={() => report.refetch()} />}
      {report.data && periods.length === 0 && (
        <Empty title={words.say('reportsNoneTitle')} next={words.say('reportsNoneNext')} />
      )}
      {periods.length > 0 && <PeriodTable periods={periods} totals={totalsOf(periods)} />}
      <div class="columns below">
        <Reconciliation merchantId={merchantId} />
        <Schedules merchantId={merchantId} />
      </div>
    </>
  )
}
