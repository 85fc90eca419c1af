import type { RateSource } from '../../core/config/rates.ts'
import { readAnswer, type SourceAnswer } from '../../core/fiat/known.ts'

/**
 * Asks the operator's source of rates: `GET <RATE_URL>?pairs=EUR/USD,GBP/USD`. Its URL is the operator's
 * own, so that it may lead into a private network; it is followed nowhere else, and little is read of it.
 */

/** How long an answer may take, to its last byte. */
const ANSWER_LIMIT_MS = 5_000
const ANSWER_BYTES = 64 * 1024
const USER_AGENT = 'Remit-Rates/1'

/** Never rejects: every fault becomes a sentence without any part of the URL. */
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
    return fault(isLate ? `no answer within ${limitMs} ms` : 'no connection')
  }
}

/** The body, or null when it is longer than any honest one; the connection is cut off then. */
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

/** What is no JSON has none of the fields either. */
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
