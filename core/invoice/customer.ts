/** Entries of an invoice's metadata that the service knows. */

/** What is bought, in the merchant's words: shown to the payer, unlike all other metadata. */
export const PAYER_DESCRIPTION = 'payerDescription'
/** The customer's email address in lower case, by which the dashboard finds the invoice. */
export const CUSTOMER_EMAIL = 'customerEmail'

const MAX_DESCRIPTION_LENGTH = 500

/** The description in an invoice's metadata; null without one that can be shown. */
export function payerDescription(metadata: Readonly<Record<string, unknown>>): string | null {
  const text = metadata[PAYER_DESCRIPTION]
  if (typeof text !== 'string') return null
  const { length } = [...text]
  return length >= 1 && length <= MAX_DESCRIPTION_LENGTH ? text : null
}
