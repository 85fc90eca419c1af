import type { ComponentChildren } from 'preact'

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

const WIDTH = 10
const HEIGHT = 100

/** Bars from a zero line, with those of the period before as a line. The same numbers are in a table beside it. */
export function Bars({ bars, most }: BarsProps) {
  const top = Math.max(...bars.flatMap(({ value, before = 0 }) => [value, before]), 0) || 1
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT
  const hasBefore = bars.some(({ before }) => before !== undefined)
  return (
    <div class="chart" aria-hidden="true">
      <small class="hint figure">{most}</small>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the table beside it says what it shows. */}
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
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
        <span>{bars[0]?.name}</span>
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
