import { type Address, anyCaseAddress, type Hex } from '../../chain/evm.ts'
import { asInvoiceId, type InvoiceId, isUuid } from '../../ids.ts'
import { isReferenceStart } from '../../request/keys.ts'

/** What a merchant's search can be for: its form says what it may be. */

export interface SearchTerms {
  /** Any text may be the beginning of an externalRef. */
  readonly externalRef: string
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

export function searchTerms(text: string): SearchTerms {
  const capitals = text.toUpperCase()
  return {
    externalRef: text,
    reference: isReferenceStart(capitals) ? capitals : null,
    invoiceId: isUuid(text) ? asInvoiceId(text) : null,
    txHash: isHash(text) ? `0x${text.slice(2).toLowerCase()}` : null,
    address: anyCaseAddress(text),
  }
}

function isHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}
