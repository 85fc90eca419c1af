import { usePage } from '../parts/page.ts'
import { SPANS } from './figures.ts'

interface SpanProps {
  readonly days: number
  readonly onChange: (days: number) => void
}

/** Of how many days the figures are. */
export function Span({ days, onChange }: SpanProps) {
  const { words } = usePage()
  return (
    <select
      aria-label={words.say('period')}
      value={String(days)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      {SPANS.map((one) => (
        <option key={one} value={String(one)}>
          {words.say('x4Days', { n: one })}
        </option>
      ))}
    </select>
  )
}
