/**
 * The answer of the operator's service about a payer's address: `{ "verdict": "allow" | "hold", "reason"? }`.
 * Any other answer counts as none, and money of that address waits.
 */

export type Verdict = 'allow' | 'hold'

export type ScreeningAnswer =
  | { readonly ok: true; readonly verdict: Verdict; readonly note: string | null }
  /** Why there is no answer, in words that hold nothing of the service's URL. */
  | { readonly ok: false; readonly fault: string }

/** So many characters of a reason are kept. */
const NOTE_MAX = 200
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

/** Reads the body of an answer with status 200. */
export function readVerdict(text: string): ScreeningAnswer {
  const body = parsed(text)
  if (typeof body !== 'object' || body === null || !('verdict' in body)) {
    return { ok: false, fault: 'no JSON object with a verdict' }
  }
  const { verdict } = body
  if (verdict !== 'allow' && verdict !== 'hold') {
    return { ok: false, fault: 'a verdict that is neither "allow" nor "hold"' }
  }
  const reason = 'reason' in body && typeof body.reason === 'string' ? body.reason : ''
  const note = reason.replaceAll('\0', '').trim().slice(0, NOTE_MAX)
  return { ok: true, verdict, note: note === '' ? null : note }
}

/** How long the service is left alone after so many failures in a row, in ms. */
export function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
