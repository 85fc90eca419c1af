import type { RateSource } from '../../core/config/rates.ts'
import { readAnswer, type SourceAnswer } from '../../core/fiat/known.ts'

/**
 * Reads the operator's source of rates: `GET <RATE_URL>?pairs=EUR/USD,GBP/USD`. The URL is the operator's
 * own and may be in a private network; redirects are not followed, and the response is limited.
 */

/** Timeout of the complete response. */
const ANSWER_LIMIT_MS = 5_000
const ANSWER_BYTES = 64 * 1024
const USER_AGENT = 'Remit-Rates/1'

/** Never rejects: faults are returned as messages that never contain the URL. */
export async function fetchRates(
  { url, name }: Pick<RateSource, 'url' | 'name'>,
  pairs: readonly string[],
  now: () => Date,
  limitMs = ANSWER_LIMIT_MS,
): Promise<SourceAnswer> {
  try {
    const target = new URL(url)
    target.searchParams.set('pairs', pairs.join(','))
    const response = await fetch(target, {
      redirect: 'manual',
      decompress: false,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': USER_AGENT,
      },
      signal: AbortSignal.timeout(limitMs),
    })
    const text = await readBounded(response)
    if (response.status !== 200) return fault(`the status ${response.status}`)
    if (text === null) return fault(`more than ${ANSWER_BYTES} bytes`)
    return readAnswer(parsed(text), pairs, name, now())
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return fault(isLate ? `no response within ${limitMs} ms` : 'no connection')
  }
}

/** The body, or null if it is too long; then the connection is closed. */
async function readBounded(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader !== undefined && length <= ANSWER_BYTES) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(Buffer.concat(parts))
    parts.push(value)
    length += value.length
  }
  await reader?.cancel()
  return reader === undefined ? '' : null
}

/** Invalid JSON is treated like a response without rates. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fault(words: string): SourceAnswer {
  return { ok: false, fault: words }
}
