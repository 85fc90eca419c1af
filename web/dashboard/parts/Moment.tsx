import { usePage } from './page.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
/** Older ones say their date. */
const RELATIVE_S = 7 * 86_400

/** A point in time: how long ago, and in its title exactly when. */
export function Moment({ at }: { readonly at: string }) {
  const { words } = usePage()
  const date = new Date(at)
  const exact = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time dateTime={at} title={exact.format(date)} class="unbroken">
      {ago(date, words.locale)}
    </time>
  )
}

function ago(date: Date, locale: string): string {
  const seconds = (date.getTime() - Date.now()) / 1_000
  if (Math.abs(seconds) > RELATIVE_S) {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date)
  }
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return format.format(Math.trunc(seconds / length), unit)
}
