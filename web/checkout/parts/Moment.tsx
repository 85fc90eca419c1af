import { usePage } from './context.ts'

/** Making one takes longer than all that it is then used for on a page. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** A point in time: in the payer's own zone where the page is alive, before that in UTC and saying so. */
export function Moment({ at }: { readonly at: string }) {
  const { words, isAlive } = usePage()
  const name = `${words.locale} ${isAlive}`
  const format = formats.get(name) ?? formatOf(words.locale, isAlive)
  formats.set(name, format)
  const text = format.format(new Date(at))
  return <time dateTime={at}>{isAlive ? text : `${text} UTC`}</time>
}

function formatOf(locale: string, isAlive: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(isAlive ? {} : { timeZone: 'UTC' }),
  })
}
