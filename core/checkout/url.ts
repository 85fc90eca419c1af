import type { SessionId } from './session.ts'

/** The page of a session. `publicUrl` is where payers reach the API. */
export function checkoutUrl(publicUrl: string, id: SessionId): string {
  return `${publicUrl}/checkout/${id}`
}
