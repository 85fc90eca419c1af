import { BarChart } from '../parts/Bars.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Table } from '../parts/Table.tsx'
import type { Overview } from '../session/overview.ts'

interface SettleTimesProps {
  readonly merchantId: string
  readonly overview: Overview
}

/** How long the invoices that were settled last took, each as a bar. Renders nothing if there are none. */
export function SettleTimes({ merchantId, overview: { settleTimes } }: SettleTimesProps) {
  const { words } = usePage()
  const sorted = settleTimes.map(({ seconds }) => seconds).toSorted((a, b) => a - b)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  const slowest = sorted.at(-1)
  if (median === undefined || slowest === undefined) return null
  const title = words.say('settleTimes', { n: settleTimes.length })
  return (
    <BarChart
      title={title}
      figure={words.duration(median)}
      note={words.say('median')}
      most={words.duration(slowest)}
      bars={settleTimes.map(({ invoiceRef, seconds }) => ({ name: invoiceRef, value: seconds }))}
    >
      <Table
        label={title}
        columns={[
          {
            ...{ name: words.say('invoice'), phone: 'start' },
            cell: ({ invoiceId, invoiceRef }) => (
              <a href={placePath(merchantId, 'invoices', invoiceId)}>{invoiceRef}</a>
            ),
          },
          {
            ...{ name: words.say('time'), kind: 'figure', phone: 'end' },
            cell: ({ seconds }) => words.duration(seconds),
          },
        ]}
        rows={settleTimes.toReversed()}
        keyOf={({ invoiceId }) => invoiceId}
      />
    </BarChart>
  )
}
