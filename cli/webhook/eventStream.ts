import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../terminal/command.ts'

/** Reads a merchant's events through the API, from now on and in their order. */

export interface StreamedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

export interface EventSource {
  readonly apiUrl: string
  readonly key: string
  /** Called when the API stops answering, and when it answers again. */
  say(sentence: string): void
}

/** Between two requests; half of a merchant's rate limit is left for everything else. */
const PAUSE_MS = 1_000
const TIMEOUT_MS = 10_000

interface Page {
  readonly events: readonly StreamedEvent[]
  readonly hasMore: boolean
  readonly nextAfter: string | null
}

/**
 * The events that happen from now on, until the signal. It waits while the API is away. Throws a
 * CommandError when the key is refused.
 */
export async function* streamEvents(
  source: EventSource,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  let after: string | null | undefined
  let wasAway = false
  while (!signal.aborted) {
    const asked = await ask(source, after)
    if (typeof asked === 'number') {
      if (!wasAway) source.say('the API does not answer; waiting for it')
      wasAway = true
      await pause(asked, signal)
      continue
    }
    if (wasAway) source.say('the API answers again')
    wasAway = false
    // The first answer only says which event is the newest.
    if (after !== undefined) yield* asked.events
    const isAtEnd = after === undefined || !asked.hasMore
    after = asked.nextAfter
    if (isAtEnd) await pause(PAUSE_MS, signal)
  }
}

/**
 * The URLs of the merchant's webhook endpoints that are active; none when the API doesn't answer. A
 * merchant has fewer than a page holds.
 */
export async function activeEndpoints(source: Omit<EventSource, 'say'>): Promise<string[]> {
  const asked = await get(source, '/v1/webhooks/endpoints?limit=100')
  if (!asked?.ok) return []
  const { data }: { data: readonly { readonly url: string; readonly active: boolean }[] } =
    await asked.json()
  return data.filter(({ active }) => active).map(({ url }) => url)
}

/** A page of events, or how long to wait before the next try, in ms. */
async function ask(source: EventSource, after: string | null | undefined): Promise<Page | number> {
  const query =
    after === undefined ? 'first=newest&limit=1' : after === null ? '' : `after=${after}`
  const response = await get(source, `/v1/events?${query}`)
  if (response === null) return PAUSE_MS
  // An answer that does not come to its end is none.
  if (response.ok) return response.json().then(pageOf, () => PAUSE_MS)
  await response.body?.cancel()
  return Math.max(PAUSE_MS, 1_000 * Number(response.headers.get('retry-after') ?? 0))
}

/** What the API answers; null when it doesn't. Throws a CommandError when it refuses. */
async function get(
  { apiUrl, key }: Omit<EventSource, 'say'>,
  path: string,
): Promise<Response | null> {
  let response: Response
  try {
    response = await fetch(`${apiUrl}${path}`, {
      headers: { 'X-Service-Key': key },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    return null
  }
  if (response.ok || response.status >= 500 || response.status === 429) return response
  throw new CommandError([`the API refuses: ${await response.text()}`])
}

function pageOf(body: {
  readonly data: readonly StreamedEvent[]
  readonly metadata: { readonly pagination: Omit<Page, 'events'> }
}): Page {
  return { events: body.data, ...body.metadata.pagination }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects when it is aborted, which ends the pause as well.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
