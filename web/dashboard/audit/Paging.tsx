import { usePage } from '../parts/page.ts'
import type { Filters } from './filters.ts'

interface PagingProps {
  readonly filters: Filters
  readonly next: string | null
  readonly onGo: (filters: Filters) => void
}

/** To older entries, and back to the newest. */
export function Paging({ filters, next, onGo }: PagingProps) {
  const { words } = usePage()
  if (filters.before === '' && next === null) return null
  return (
    <nav class="paging" aria-label={words.say('pages')}>
      {filters.before !== '' && (
        <button type="button" onClick={() => onGo({ ...filters, before: '' })}>
          {words.say('auditNewest')}
        </button>
      )}
      {next !== null && (
        <button type="button" onClick={() => onGo({ ...filters, before: next })}>
          {words.say('next')}
        </button>
      )}
    </nav>
  )
}
