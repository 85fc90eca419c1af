/**
 * Signing in again, for what needs a sign-in of the last minutes: whoever can ask for it registers here, and
 * an operation that was refused for it is repeated afterwards.
 */

type Ask = () => Promise<boolean>

let ask: Ask | null = null
let asking: Promise<boolean> | null = null

/** The codes of our own refusal and of the sign-in library's. */
const STALE: readonly string[] = ['fresh_sign_in_required', 'SESSION_NOT_FRESH']

export function isStale(code: string): boolean {
  return STALE.includes(code)
}

/** Asks by this from now on; the result ends it. */
export function askBy(wanted: Ask): () => void {
  ask = wanted
  return () => {
    if (ask === wanted) ask = null
  }
}

/** True once somebody has signed in again; false where they have not. One question at a time. */
export function signedInAgain(): Promise<boolean> {
  if (ask === null) return Promise.resolve(false)
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}
