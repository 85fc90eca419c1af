import { Problem } from '../session/request.ts'
import { type DashboardWords, usePage } from './page.ts'
import { refusalText } from './refusals.ts'

/** Placeholders: loading and failed. */

/** Rows of grey in the height of what comes, so that nothing moves when it is there. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const { words } = usePage()
  return (
    <div class="skeleton" role="status" aria-label={words.say('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  )
}

interface FailedProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function Failed({ error, onRetry }: FailedProps) {
  const { words } = usePage()
  const traceId = error instanceof Problem ? error.traceId : null
  return (
    <div class="empty" role="alert">
      <h2>{words.say('failedTitle')}</h2>
      <p>{problemText(words, error)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {words.say('retry')}
        </button>
      )}
      {traceId && <small class="hint">{words.say('reference', { id: traceId })}</small>}
    </div>
  )
}

/** What to do about a problem, in the reader's language. */
export function problemText(words: DashboardWords, error: unknown): string {
  if (!(error instanceof Problem)) return words.say('failedNext')
  if (error.status === 0) return words.say('offline')
  if (error.status === 429) {
    return words.say('tooMany', { time: words.duration(error.retryAfter ?? 60) })
  }
  return refusalText(words, error)
}
