import type { ComponentChildren } from 'preact'
import { usePage } from './page.ts'

/** One bar of a chart, and what it is beside. */
export interface Bar {
  /** What it is of, e.g. its day. */
  readonly name: string
  readonly value: number
  /** The same of the period before. */
  readonly before?: number
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** What the largest of all is, in words. */
  readonly most: string
}

interface BarChartProps extends BarsProps {
  readonly title: string
  /** What it all comes to, */
  readonly figure: string
  /** and what that is beside. */
  readonly note?: string | undefined
  /** The same numbers in a table. */
  readonly children: ComponentChildren
}

/** Bars with a title and a figure, and the numbers they are drawn from. */
export function BarChart({ title, figure, note, children, ...bars }: BarChartProps) {
  const { words } = usePage()
  return (
    <figure class="card">
      <figcaption class="head tight">
        <span>{title}</span>
        <span class="titled">
          <strong class="figure">{figure}</strong>
          {note && <small class="hint figure">{note}</small>}
        </span>
      </figcaption>
      <Bars {...bars} />
      <details>
        <summary>{words.say('asTable')}</summary>
        {children}
      </details>
    </figure>
  )
}

const WIDTH = 10
const HEIGHT = 100
/** A few bars are not wider than many. */
const FEWEST = 12

/** Bars from a zero line, with those of the period before as a line. The same numbers are in a table beside it. */
function Bars({ bars, most }: BarsProps) {
  const top = Math.max(...bars.flatMap(({ value, before = 0 }) => [value, before]), 0) || 1
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT
  const left = Math.max(0, FEWEST - bars.length)
  const hasBefore = bars.some(({ before }) => before !== undefined)
  return (
    <div class="chart" aria-hidden="true">
      <small class="hint figure">{most}</small>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the table beside it says what it shows. */}
      <svg
        viewBox={`${-left * WIDTH} 0 ${(left + bars.length) * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ name, value }, at) => (
          <rect
            key={name}
            x={at * WIDTH + 1.5}
            y={y(value)}
            width={WIDTH - 3}
            height={HEIGHT - y(value)}
          />
        ))}
        {hasBefore && (
          <polyline
            points={bars
              .map(({ before = 0 }, at) => `${(at + 0.5) * WIDTH},${y(before)}`)
              .join(' ')}
          />
        )}
      </svg>
      <small class="hint ends">
        <span>{left === 0 && bars[0]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </small>
    </div>
  )
}

interface SharesProps {
  readonly rows: readonly {
    readonly name: string
    readonly value: number
    /** The value in words. */
    readonly shown: ComponentChildren
  }[]
}

/** A few values beside each other, each with its number; the largest is the whole width. */
export function Shares({ rows }: SharesProps) {
  const top = Math.max(...rows.map(({ value }) => value)) || 1
  return (
    <ul class="shares">
      {rows.map(({ name, value, shown }) => (
        <li key={name}>
          <span>{name}</span>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(value / top) * 100} height="1" />
          </svg>
          <span class="figure">{shown}</span>
        </li>
      ))}
    </ul>
  )
}
