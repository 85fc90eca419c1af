import { usePage } from './context.ts'

/** A point in time: in the payer's own zone once the page is alive, before that in UTC and saying so. */
export function Moment({ at }: { readonly at: string }) {
  const { words, isAlive } = usePage()
  const format = new Intl.DateTimeFormat(`${words.locale}-u-nu-latn`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(isAlive ? {} : { timeZone: 'UTC' }),
  })
  return (
    <time dateTime={at}>
      {format.format(new Date(at))}
      {isAlive ? '' : ' UTC'}
    </time>
  )
}
