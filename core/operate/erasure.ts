/** Taking personal data out of stored JSON, and leaving the rest as it is. */

/** The replacement for erased text. */
export const ERASED = 'erased'

/** Fields that hold what a payer or a merchant wrote about a payer, in every object that has them. */
const EMPTIED: Readonly<Record<string, unknown>> = {
  metadata: {},
  payerRefundAddress: null,
  refundAddress: null,
  clientReference: null,
}

/**
 * The same value with those fields empty, at any depth; and with every text that holds one of `words`, in any
 * case, replaced.
 */
export function erased(value: unknown, words: readonly string[]): unknown {
  if (typeof value === 'string') return holdsAny(value, words) ? ERASED : value
  if (Array.isArray(value)) return value.map((one) => erased(one, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const empty = EMPTIED[name]
      const isKept = one === null || empty === undefined
      return [holdsAny(name, words) ? ERASED : name, isKept ? erased(one, words) : empty]
    }),
  )
}

/** The same with the words alone replaced: for texts that are not only about the user. */
export function withoutWords(value: unknown, words: readonly string[]): unknown {
  if (typeof value === 'string') return holdsAny(value, words) ? ERASED : value
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      holdsAny(name, words) ? ERASED : name,
      withoutWords(one, words),
    ]),
  )
}

function holdsAny(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.some((word) => lower.includes(word.toLowerCase()))
}
