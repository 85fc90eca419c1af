import { isReferenceStart } from '../access/keys.ts'
import { asInvoiceId, type InvoiceId, isUuid } from '../base/ids.ts'
import { pasted } from '../base/text.ts'
import { type Address, anyCaseAddress, type Hex, isHash } from '../chain/evm.ts'

/** What a merchant's search can match, by the form of its text. */

export interface SearchTerms {
  /** Any text may be the beginning of an externalRef. */
  readonly externalRef: string
  /** As it was sent: an externalRef may have blanks of its own. */
  readonly sent: string
  /** In capitals. */
  readonly reference: string | null
  readonly invoiceId: InvoiceId | null
  readonly txHash: Hex | null
  readonly address: Address | null
}

/** By what a search found something. */
export const MATCHES = [
  'id',
  'reference',
  'external_ref',
  'transaction',
  'deposit_address',
  'payer',
] as const
export type Match = (typeof MATCHES)[number]

/** The most that a search finds. */
export const MOST_FOUND = 20

/** What was pasted may have blanks around it, and line ends. */
export function searchTerms(sent: string): SearchTerms {
  const text = pasted(sent) || sent
  const [capitals, lower] = [text.toUpperCase(), text.toLowerCase()]
  return {
    externalRef: text,
    sent,
    reference: isReferenceStart(capitals) ? capitals : null,
    invoiceId: isUuid(text) ? asInvoiceId(text) : null,
    txHash: isHash(lower) ? lower : null,
    address: anyCaseAddress(lower),
  }
}
