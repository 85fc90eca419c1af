import { BarChart } from '../parts/Bars.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'
import type { Volume } from './volumes.ts'

interface VolumeChartProps {
  readonly title: string
  readonly volume: Volume
  /** The same of the period before, once it is read. */
  readonly before: Volume | null
}

/** One token's days as bars beside those of the period before, and the same numbers in a table. */
export function VolumeChart({ title, volume, before }: VolumeChartProps) {
  const { words } = usePage()
  const { asset, days, total } = volume
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const short = new Intl.DateTimeFormat(words.locale, {
    ...{ day: 'numeric', month: 'short', timeZone: 'UTC' },
  })
  const most = days.reduce((max, { amount }) => (Number(amount) > Number(max) ? amount : max), '0')
  return (
    <BarChart
      title={title}
      figure={words.money(total, asset)}
      note={
        before === null
          ? undefined
          : words.say('periodBefore', { amount: words.money(before.total, asset) })
      }
      most={words.money(most, asset)}
      bars={days.map(({ day, amount }, at) => ({
        name: short.format(new Date(day)),
        value: Number(amount),
        ...(before ? { before: Number(before.days[at]?.amount ?? 0) } : {}),
      }))}
    >
      <Table
        label={title}
        columns={[
          { name: words.say('day'), cell: ({ day }) => date.format(new Date(day)) },
          {
            ...{ name: words.say('amount'), kind: 'figure' },
            cell: ({ amount }) => words.money(amount, asset),
          },
        ]}
        rows={days.toReversed()}
        keyOf={({ day }) => day}
      />
    </BarChart>
  )
}
