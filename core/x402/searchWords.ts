/** The words that are searched for, at most so many. */
const MOST_WORDS = 8

/**
 * A search as Postgres reads it (to_tsquery): each word is the beginning of one of the resource's. Null
 * when there is no word in it. Letters and digits alone get through, so that it is a query of no other kind.
 */
export function searchQuery(text: string): string | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return null
  return words
    .slice(0, MOST_WORDS)
    .map((word) => `${word}:*`)
    .join(' & ')
}
