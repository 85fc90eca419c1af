import { isDay } from '../../../core/base/instant.ts'

/** The range of a report, kept in the URL. Days are in UTC. */
export interface Range {
  readonly by: 'day' | 'month'
  /** The first and the last day, e.g. 2026-08-01. */
  readonly from: string
  readonly to: string
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
/** The API's own bound. */
const MOST_DAYS = 366

export function readRange(query: Readonly<Record<string, string>>, now: Date): Range {
  const by = query.by === 'month' ? 'month' : 'day'
  const to = dayIn(query.to) ?? dayOf(now)
  const usual = by === 'month' ? firstOfYearBefore(to) : dayBefore(to, DEFAULT_DAYS - 1)
  const requested = dayIn(query.from)
  const from = requested !== undefined && requested <= to ? requested : usual
  const first = dayBefore(to, MOST_DAYS - 1)
  return { by, from: from < first ? first : from, to }
}

export function rangeQuery({ by, from, to }: Range): string {
  return `?${new URLSearchParams({ by, from, to })}`
}

/** The range as the API takes it: from the first moment to before the one after the last day. */
export function apiRange({ from, to }: Range): string {
  const end = new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS)
  return new URLSearchParams({ from: `${from}T00:00:00Z`, to: end.toISOString() }).toString()
}

/** Ready-made ranges: this month, the last one, the last twelve. */
export function presets(now: Date): readonly { readonly word: Preset; readonly range: Range }[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const day = (y: number, m: number, d: number) => dayOf(new Date(Date.UTC(y, m, d)))
  return [
    {
      word: 'rangeThisMonth',
      range: { by: 'day', from: day(year, month, 1), to: dayOf(now) },
    },
    {
      word: 'rangeLastMonth',
      range: { by: 'day', from: day(year, month - 1, 1), to: day(year, month, 0) },
    },
    {
      word: 'rangeYear',
      range: { by: 'month', from: day(year, month - 11, 1), to: dayOf(now) },
    },
  ]
}

export type Preset = 'rangeThisMonth' | 'rangeLastMonth' | 'rangeYear'

function dayIn(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? text : undefined
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function dayBefore(day: string, days: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS))
}

function firstOfYearBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 11, 1)))
}
