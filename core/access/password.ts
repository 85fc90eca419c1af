import passwords from '@zxcvbn-ts/language-common/src/passwords.json'
import { type Invalid, invalid } from '../base/errors.ts'

/** What a password must be: NIST SP 800-63B, section 5.1.1.2. */

export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 128

/** The list is in the order of how often passwords were found in breaches. */
const BREACHED: ReadonlySet<string> = new Set(passwords.slice(0, 10_000))
/** Names and words that users extend at the end to meet a length rule. */
const SHORTEST_STEM = 4

/**
 * Whether it is acceptable as a password. One of the 10,000 most often found in breaches may not, neither with
 * digits and signs behind it nor repeated, because those are what guessing programs try next.
 */
export function checkPassword(password: string): { readonly ok: true } | Invalid {
  const length = [...password].length
  if (length < SHORTEST_PASSWORD) {
    return invalid(`must have at least ${SHORTEST_PASSWORD} characters`)
  }
  if (length > LONGEST_PASSWORD) return invalid(`must have at most ${LONGEST_PASSWORD} characters`)
  if (isGuessable(password.toLowerCase())) {
    return invalid('is one of those that are tried first: choose several words of your own')
  }
  return { ok: true }
}

function isGuessable(password: string): boolean {
  const stem = password.replace(/[^\p{L}]+$/u, '')
  const candidates = [password, stem, repeated(password), repeated(stem)]
  return candidates.some((one) => one.length >= SHORTEST_STEM && BREACHED.has(one)) || stem === ''
}

/** What a text repeats, e.g. `abc` of `abcabcabc`; the text itself when it repeats nothing. */
function repeated(text: string): string {
  const period = (text + text).indexOf(text, 1)
  return period > 0 ? text.slice(0, period) : text
}
