import { useEffect, useRef } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import type { Volume } from './volumes.ts'

const HEIGHT = 180
const AXIS_WIDTH = 64
const HALF_DAY_S = 43_200

interface VolumeChartProps {
  readonly title: string
  readonly volume: Volume
}

/** One token's days as bars from a zero line, and the same numbers in a table. */
export function VolumeChart({ title, volume }: VolumeChartProps) {
  const { words } = usePage()
  const day = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <figure class="card">
      <figcaption class="head tight">
        <span>{title}</span>
        <strong class="figure">{words.money(volume.total, volume.asset)}</strong>
      </figcaption>
      <Bars volume={volume} />
      <details>
        <summary>{words.say('asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.say('day')}</th>
              <th scope="col" class="right">
                {words.say('amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {volume.days.toReversed().map((each) => (
              <tr key={each.day}>
                <th scope="row">{day.format(new Date(each.day))}</th>
                <td class="figure right">{words.money(each.amount, volume.asset)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** The bars; the chart library is loaded on demand. */
function Bars({ volume }: { readonly volume: Volume }) {
  const { words } = usePage()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = place.current
    if (box === null) return
    let destroy = () => {}
    let isGone = false
    async function draw(on: HTMLElement): Promise<void> {
      const { default: Plot } = await import('uplot')
      if (isGone) return
      destroy()
      on.replaceChildren()
      const plot = new Plot(optionsFor(on, words.locale, Plot.paths), dataOf(volume), on)
      const resizing = new ResizeObserver(() =>
        plot.setSize({ width: on.clientWidth, height: HEIGHT }),
      )
      resizing.observe(on)
      destroy = () => {
        resizing.disconnect()
        plot.destroy()
      }
    }
    const redraw = () => void draw(box).catch(() => box.replaceChildren())
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    redraw()
    return () => {
      isGone = true
      scheme.removeEventListener('change', redraw)
      destroy()
    }
  }, [volume, words.locale])
  return <div ref={place} class="chart" aria-hidden="true" />
}

/** Numbers, as a canvas needs them: the exact amounts are in the table. */
function dataOf({ days }: Volume): [number[], number[]] {
  return [days.map(({ day }) => Date.parse(day) / 1_000), days.map(({ amount }) => Number(amount))]
}

type Plot = typeof import('uplot')

function optionsFor(
  box: HTMLElement,
  locale: string,
  paths: Plot['paths'],
): import('uplot').Options {
  const { color, borderTopColor, caretColor } = getComputedStyle(box)
  const short = new Intl.NumberFormat(locale, { notation: 'compact' })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const axis = {
    stroke: caretColor,
    grid: { stroke: borderTopColor, width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  }
  const bars = paths.bars
  return {
    width: box.clientWidth,
    height: HEIGHT,
    cursor: { show: false },
    legend: { show: false },
    scales: {
      // Half a day on either side, so that the outer bars are whole.
      x: { time: true, range: (_, first, last) => [first - HALF_DAY_S, last + HALF_DAY_S] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    tzDate: (seconds) => new Date(seconds * 1_000),
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, all) => all.map((seconds) => day.format(new Date(seconds * 1_000))),
      },
      { ...axis, size: AXIS_WIDTH, values: (_, all) => all.map((value) => short.format(value)) },
    ],
    series: [
      {},
      {
        fill: color,
        stroke: color,
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars({ size: [0.7, 40] }) }),
      },
    ],
    hooks: {
      draw: [
        (plot) => {
          const { ctx, bbox } = plot
          const zero = plot.valToPos(0, 'y', true)
          ctx.strokeStyle = caretColor
          ctx.lineWidth = devicePixelRatio
          ctx.beginPath()
          ctx.moveTo(bbox.left, zero)
          ctx.lineTo(bbox.left + bbox.width, zero)
          ctx.stroke()
        },
      ],
    },
  }
}
