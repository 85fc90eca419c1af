import type { SessionId } from './session.ts'

/** The page of a session. `publicUrl` is where payers reach the API. */
export function checkoutUrl(publicUrl: string, id: SessionId): string {
  return `${publicUrl}/checkout/${id}`
}

/** Where x402 clients pay an invoice; like the page, open to anyone with the id. */
export function x402Url(publicUrl: string, id: SessionId): string {
  return `${publicUrl}${X402_INVOICES}/${id}`
}

export const X402_INVOICES = '/x402/invoices'
