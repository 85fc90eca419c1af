import { useState } from 'preact/hooks'
import { ActionButton } from '../forms/ActionButton.tsx'
import { usePage } from '../parts/page.ts'
import { toast } from '../parts/Toasts.tsx'
import { request } from '../session/request.ts'

const HOUR_MS = 3_600_000
const SPANS = [
  { hours: 1, word: 'devLastHour' },
  { hours: 24, word: 'devLastDay' },
  { hours: 168, word: 'devLastWeek' },
  { hours: 720, word: 'devLastMonth' },
] as const

/** Sends what an endpoint has not taken once more. */
export function Replay({ path }: { readonly path: string }) {
  const { words } = usePage()
  const [hours, setHours] = useState<number>(SPANS[0].hours)

  async function replay(): Promise<void> {
    const since = new Date(Date.now() - hours * HOUR_MS).toISOString()
    let replayed = 0
    for (let hasMore = true; hasMore; ) {
      const { data } = await request<{ data: { replayed: number; hasMore: boolean } }>(
        'POST',
        `${path}/replay`,
        { since },
      )
      replayed += data.replayed
      hasMore = data.hasMore
    }
    toast(words.say('devResent', { n: replayed }), {
      href: location.pathname,
      name: words.say('view'),
    })
  }

  return (
    <section class="card" aria-labelledby="replay">
      <h2 id="replay">{words.say('devResendFailed')}</h2>
      <p class="hint">{words.say('devResendFailedHint')}</p>
      <div class="actions">
        <select
          aria-label={words.say('period')}
          value={String(hours)}
          onChange={(event) => setHours(Number(event.currentTarget.value))}
        >
          {SPANS.map(({ hours: each, word }) => (
            <option key={each} value={String(each)}>
              {words.say(word)}
            </option>
          ))}
        </select>
        <ActionButton label={words.say('devResendFailed')} onAction={replay} />
      </div>
    </section>
  )
}
