import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../terminal/command.ts'

/** Reads a merchant's new events from the API, in order. */

export interface StreamedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

export interface EventSource {
  readonly apiUrl: string
  readonly key: string
  /** Called when the API becomes unreachable, and when it responds again. */
  say(sentence: string): void
}

/** The pause between requests, which leaves half of a merchant's rate limit for other requests. */
const PAUSE_MS = 1_000
const TIMEOUT_MS = 10_000

interface Page {
  readonly events: readonly StreamedEvent[]
  readonly hasMore: boolean
  readonly nextAfter: string | null
}

/**
 * New events, until the signal. Waits while the API is unreachable. Throws a
 * CommandError if the key is refused.
 */
export async function* streamEvents(
  source: EventSource,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  let after: string | null | undefined
  let wasAway = false
  while (!signal.aborted) {
    const read = await readEvents(source, after)
    if (typeof read === 'number') {
      if (!wasAway) source.say('the API does not respond; waiting for it')
      wasAway = true
      await pause(read, signal)
      continue
    }
    if (wasAway) source.say('the API responds again')
    wasAway = false
    // The first response only determines the newest event.
    if (after !== undefined) yield* read.events
    const isAtEnd = after === undefined || !read.hasMore
    after = read.nextAfter
    if (isAtEnd) await pause(PAUSE_MS, signal)
  }
}

/**
 * The URLs of the merchant's active webhook endpoints; none if the API doesn't respond. A
 * merchant has at most one page of them.
 */
export async function activeEndpoints(source: Omit<EventSource, 'say'>): Promise<string[]> {
  const response = await get(source, '/v1/webhooks/endpoints?limit=100')
  if (!response?.ok) return []
  const { data }: { data: readonly { readonly url: string; readonly active: boolean }[] } =
    await response.json()
  return data.filter(({ active }) => active).map(({ url }) => url)
}

/** A page of events, or the pause before the next attempt, in ms. */
async function readEvents(
  source: EventSource,
  after: string | null | undefined,
): Promise<Page | number> {
  const query =
    after === undefined ? 'first=newest&limit=1' : after === null ? '' : `after=${after}`
  const response = await get(source, `/v1/events?${query}`)
  if (response === null) return PAUSE_MS
  // A truncated response is a failure.
  if (response.ok) return response.json().then(pageOf, () => PAUSE_MS)
  await response.body?.cancel()
  return Math.max(PAUSE_MS, 1_000 * Number(response.headers.get('retry-after') ?? 0))
}

/** The API's response; null if unreachable. Throws a CommandError if the key is refused. */
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
  throw new CommandError([`the API refused the request: ${await response.text()}`])
}

function pageOf(body: {
  readonly data: readonly StreamedEvent[]
  readonly metadata: { readonly pagination: Omit<Page, 'events'> }
}): Page {
  return { events: body.data, ...body.metadata.pagination }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Rejects on abort, which also ends the pause.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
