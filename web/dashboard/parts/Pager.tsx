import { usePage } from './page.ts'

interface PagerProps {
  /** How many rows are shown, in words. */
  readonly shown: string
  readonly next: string | null
  readonly previous: string | null
  readonly onGo: (place: { readonly after: string } | { readonly before: string }) => void
}

/** Under a list that is paged by cursor: how many rows there are, and the ways on and back. */
export function Pager({ shown, next, previous, onGo }: PagerProps) {
  const { words } = usePage()
  return (
    <nav class="paging" aria-label={words.say('pages')}>
      <span role="status">{shown}</span>
      {previous !== null && (
        <button type="button" onClick={() => onGo({ before: previous })}>
          {words.say('previous')}
        </button>
      )}
      {next !== null && (
        <button type="button" onClick={() => onGo({ after: next })}>
          {words.say('next')}
        </button>
      )}
    </nav>
  )
}
