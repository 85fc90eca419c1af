import { useQuery } from '@tanstack/preact-query'
import type { DayJson } from '../../../core/invoice/report.ts'
import { Empty } from '../parts/Empty.tsx'
import { usePage } from '../parts/page.ts'
import type { Overview } from '../session/overview.ts'
import { getData, merchantApi } from '../session/request.ts'
import { VolumeChart } from './VolumeChart.tsx'
import { ofInvoices, ofPayouts, volumesOf } from './volumes.ts'

interface VolumesProps {
  readonly merchantId: string
  readonly overview: Overview
}

/** What came in each day, by token, beside the period before. */
export function Volumes({ merchantId, overview }: VolumesProps) {
  const { words } = usePage()
  const { days, x402, from, to } = overview
  const start = new Date(2 * Date.parse(from) - Date.parse(to)).toISOString()
  const earlier = useQuery({
    queryKey: ['report', merchantId, 'before', from],
    queryFn: () => {
      const params = new URLSearchParams({ from: start, to: from })
      return getData<readonly DayJson[]>(merchantApi(merchantId, `/v1/reports/daily?${params}`))
    },
    // What is past rarely changes.
    staleTime: 600_000,
  })
  const before = earlier.data && volumesOf(ofInvoices(earlier.data), start, from)
  const invoices = volumesOf(ofInvoices(days), from, to)
  const payouts = volumesOf(ofPayouts(x402.days), from, to)
  return (
    <section aria-labelledby="volume">
      <h2 id="volume">{words.say('volume')}</h2>
      {invoices.length + payouts.length === 0 && (
        <Empty title={words.say('overviewNoneTitle')} next={words.say('overviewNoneNext')} />
      )}
      <div class="charts">
        {invoices.map((volume) => (
          <VolumeChart
            key={volume.asset}
            title={words.say('volumeInvoices', { asset: volume.asset })}
            volume={volume}
            before={before?.find(({ asset }) => asset === volume.asset) ?? null}
          />
        ))}
        {payouts.map((volume) => (
          <VolumeChart
            key={volume.asset}
            title={words.say('volumeX402', { asset: volume.asset })}
            volume={volume}
            before={null}
          />
        ))}
      </div>
    </section>
  )
}
