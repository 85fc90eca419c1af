import type { ErrorDetail } from './errors.ts'

/** What endpoints have in common, whether they are prices of URLs or receive webhooks. */

export const MAX_URL_LENGTH = 2048
export const MAX_DESCRIPTION_LENGTH = 1000
export const URL_TOO_LONG = `must have at most ${MAX_URL_LENGTH} characters, encoded as a URL`

/** Whether a URL is too long as it was written, or in the form in which it is used. */
export function isTooLong(text: string, encoded: string): boolean {
  return hasMore(text, MAX_URL_LENGTH) || encoded.length > MAX_URL_LENGTH
}

/** Whether a text has more characters than so many; a character is one or two units. */
function hasMore(text: string, most: number): boolean {
  return text.length > 2 * most || [...text].length > most
}

export function descriptionProblems(description: string | undefined): ErrorDetail[] {
  if (description === undefined || !hasMore(description, MAX_DESCRIPTION_LENGTH)) return []
  const message = `must have at most ${MAX_DESCRIPTION_LENGTH} characters`
  return [{ path: 'description', message }]
}
