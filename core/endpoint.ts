import type { ErrorDetail } from './errors.ts'

/** What endpoints have in common, whether they are prices of URLs or receive webhooks. */

export const MAX_URL_LENGTH = 2048
export const MAX_DESCRIPTION_LENGTH = 1000
export const URL_TOO_LONG = `must have at most ${MAX_URL_LENGTH} characters, encoded as a URL`

/** Whether a URL is too long as it was written, or in the form in which it is used. */
export function isTooLong(text: string, encoded: string): boolean {
  return [...text].length > MAX_URL_LENGTH || encoded.length > MAX_URL_LENGTH
}

export function descriptionProblems(description: string | undefined): ErrorDetail[] {
  if (description === undefined || [...description].length <= MAX_DESCRIPTION_LENGTH) return []
  const message = `must have at most ${MAX_DESCRIPTION_LENGTH} characters`
  return [{ path: 'description', message }]
}
