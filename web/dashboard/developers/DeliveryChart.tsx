import { useQuery } from '@tanstack/preact-query'
import { BarChart } from '../parts/Bars.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'
import { getData } from '../session/request.ts'

/** The days of an endpoint with deliveries, as YYYY-MM-DD. */
export interface DeliveryDayJson {
  readonly day: string
  readonly deliveries: number
  readonly failed: number
}

const POLL_MS = 10_000

/** An endpoint's failed deliveries by day. Renders nothing before the first delivery. */
export function DeliveryChart({ path }: { readonly path: string }) {
  const { words } = usePage()
  const found = useQuery({
    queryKey: ['webhook-days', path],
    queryFn: () => getData<readonly DeliveryDayJson[]>(`${path}/days`),
    refetchInterval: POLL_MS,
  })
  const days = found.data ?? []
  if (days.length === 0) return null
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const sum = (of: 'deliveries' | 'failed') => days.reduce((total, day) => total + day[of], 0)
  const title = words.say('devFailures')
  return (
    <BarChart
      title={title}
      figure={String(sum('failed'))}
      note={words.say('devFailuresOf', { n: sum('deliveries') })}
      most={String(Math.max(...days.map(({ failed }) => failed)))}
      bars={days.map(({ day, failed }) => ({ name: date.format(new Date(day)), value: failed }))}
    >
      <Table
        label={title}
        columns={[
          {
            ...{ name: words.say('day'), phone: 'start' },
            cell: ({ day }) => date.format(new Date(day)),
          },
          { name: words.say('failed'), kind: 'figure', cell: ({ failed }) => failed },
          {
            name: words.say('devDeliveries'),
            kind: 'figure',
            cell: ({ deliveries }) => deliveries,
          },
        ]}
        rows={days.toReversed()}
        keyOf={({ day }) => day}
      />
    </BarChart>
  )
}
