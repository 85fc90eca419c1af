import { usePage } from './page.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** A point in time: its date and time, or how far away where that is less than an hour; exactly in its title. */
export function Moment({ at }: { readonly at: string }) {
  const { words } = usePage()
  const date = new Date(at)
  const exact = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeStyle: 'long' })
  return (
    <time dateTime={at} title={exact.format(date)} class="unbroken">
      {shownMoment(date, new Date(), words.locale)}
    </time>
  )
}

export function shownMoment(date: Date, now: Date, locale: string): string {
  const away = date.getTime() - now.getTime()
  if (Math.abs(away) < HOUR_MS) {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
    const isSeconds = Math.abs(away) < MINUTE_MS
    return format.format(
      Math.trunc(away / (isSeconds ? 1_000 : MINUTE_MS)),
      isSeconds ? 'second' : 'minute',
    )
  }
  const isThisYear = date.getFullYear() === now.getFullYear()
  return new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(date)
}
