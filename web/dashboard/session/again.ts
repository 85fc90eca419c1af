/**
 * Signing in again, for operations that need a recent sign-in: the component that can prompt for it registers
 * here, and the refused operation is repeated afterwards.
 */

type Ask = () => Promise<boolean>

let ask: Ask | null = null
let asking: Promise<boolean> | null = null

/** The codes of our own refusal and of the sign-in library's. */
const STALE: readonly string[] = ['fresh_sign_in_required', 'SESSION_NOT_FRESH']

export function isStale(code: string): boolean {
  return STALE.includes(code)
}

/** Registers the prompt. Returns a function that unregisters it. */
export function askBy(wanted: Ask): () => void {
  ask = wanted
  return () => {
    if (ask === wanted) ask = null
  }
}

/** True once the user has signed in again, false if they cancel. One prompt at a time. */
export function signedInAgain(): Promise<boolean> {
  if (ask === null) return Promise.resolve(false)
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}
