/**
 * Text that others wrote: revert reasons of contracts, answers of nodes. It may hold anything, and what
 * Postgres refuses to store, or a terminal obeys, must be refused where it enters.
 */

const LONGEST = 500
// C0 and C1 with their neighbours, among them NUL, and what reorders the text beside it.
const CONTROLS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** The text on one line, without control characters and halves of surrogates, shortened. */
export function cleanText(text: string, longest: number = LONGEST): string {
  // Cut first: what is replaced never grows, and the text may be a megabyte.
  const cut = text
    .slice(0, longest * 2)
    .toWellFormed()
    .replace(CONTROLS, ' ')
  return cut.slice(0, longest).toWellFormed().trim()
}

/** Line ends, and characters without a glyph that copying brings along: zero-width ones, marks of direction. */
const UNSEEN = /[\r\n\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/g

/**
 * An address, hash, id, reference or email address as it was meant, where users paste them: without blanks around it,
 * and without line ends, which emails and terminals insert into long words. Never for amounts or stored text.
 */
export function pasted(text: string): string {
  return text.replace(UNSEEN, '').trim()
}

/** The most characters of a caller's text that go into a log or back into an answer. */
export const EXCERPT_LENGTH = 64

/**
 * The beginning of a caller's text, which bounds what is logged or repeated. What was cut ends with an
 * ellipsis.
 */
export function excerpt(text: string, most: number = EXCERPT_LENGTH): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}
