import type { Authorization } from './terms.ts'

/**
 * What a hold is of, as text: what the payer signed beside the nonce. A payer can sign one nonce for many
 * things, and what is held for one of them does not apply to the others.
 */
export function heldTerms({
  to,
  value,
  validAfter,
  validBefore,
}: Omit<Authorization, 'from' | 'nonce'>): string {
  return `${to} ${value} ${validAfter} ${validBefore}`
}
