import { type Refusal, refuse } from '../../core/base/errors.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { SessionId } from '../../core/checkout/session.ts'
import { WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import type { Database } from '../database/database.ts'
import { SESSION_CHANNEL } from '../invoice/sessionNews.ts'

/** Stores the payer's refund address. Once a payment was received, the first address stays. */
export async function leaveRefundAddress(
  database: Database,
  sessionId: SessionId,
  address: Address,
): Promise<{ readonly ok: true } | Refusal> {
  return database.begin(async (sql): Promise<{ readonly ok: true } | Refusal> => {
    const watched = await sql`select from watched where address = ${address}`
    if (watched.length > 0) {
      return refuse('invalid_refund_address', [{ path: 'address', message: WATCHED_RECIPIENT }])
    }
    const [left] = await sql<{ isLeft: boolean }[]>`
      select leave_refund_address(${sessionId}, ${address}) as is_left`
    if (left?.isLeft !== true) {
      const message = 'was left before the payment was received: contact the merchant to change it'
      return refuse('refund_address_kept', [{ path: 'address', message }])
    }
    await sql`select pg_notify(${SESSION_CHANNEL}, ${sessionId})`
    return { ok: true }
  })
}
