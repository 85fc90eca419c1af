import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'
import type { Approver } from './approvals.ts'

/** Approved payout addresses of a merchant's invoices and x402 payments, while these need approval. */

export interface ApprovedRecipient {
  readonly address: Address
  /** Who requested it, as the audit log names them. */
  readonly addedBy: string
  readonly createdAt: Date
  /** Who has approved it; null for one that an owner has added alone, which counts only without the rule. */
  readonly approvedBy: string | null
  /** From when on it counts while the rule is on. */
  readonly usableFrom: Date | null
}

/** The list, the oldest first. */
export async function listApprovedRecipients(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<ApprovedRecipient[]> {
  return sql<ApprovedRecipient[]>`
    select address, added_by, created_at, approved_by, usable_from from approved_recipient
    where merchant_id = ${merchantId} order by created_at, address`
}

/** What became of an address; `waiting` for one that is approved and does not count yet. */
export type AddressAdded = 'done' | 'waiting' | 'asked' | 'open'

/** Adds an address: at once, or by an approval where changes of the recipient need one, and after their delay. */
export async function addApprovedRecipient(
  sql: Queryable,
  { merchantId, personId, name }: Approver,
  address: Address,
): Promise<AddressAdded> {
  const [row] = await sql<{ outcome: AddressAdded }[]>`
    select ask_for_approved_recipient(${merchantId}, ${address}, ${personId}, ${name}) as outcome`
  if (!row) throw new Error('an address was neither added nor refused')
  return row.outcome
}

/** Takes an address off the list; false when it is not there. */
export async function removeApprovedRecipient(
  sql: Queryable,
  { merchantId, personId }: Approver,
  address: Address,
): Promise<boolean> {
  const [row] = await sql<{ isRemoved: boolean }[]>`
    select remove_approved_recipient(${merchantId}, ${address}, ${personId}) as is_removed`
  return row?.isRemoved ?? false
}
