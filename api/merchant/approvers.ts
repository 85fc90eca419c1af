import { asPersonId, type MerchantId, type PersonId } from '../../core/base/ids.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import type { Actor } from '../../core/events/audit.ts'
import { approvalEmail } from '../../core/merchant/approval.ts'
import { approversToNotify, merchantName } from '../../store/access/members.ts'
import type { Transaction } from '../../store/database/database.ts'
import { storeApprovalEmails } from '../../store/events/emails.ts'
import { signRequests } from '../../store/merchant/requestMacs.ts'

/** The requester of an approval; `personId` is null for a key. */
interface Requester {
  readonly merchantId: MerchantId
  readonly personId: PersonId | null
  readonly name: string
}

type Config = Pick<ApiConfig, 'secretKeys' | 'dashboard'>

/** Signs the request of this transaction, and notifies its approvers. */
export async function requestApproval(
  sql: Transaction,
  { secretKeys, dashboard }: Config,
  requester: Requester,
): Promise<void> {
  await signRequests(sql, secretKeys, requester.merchantId)
  if (dashboard !== null) await notifyApprovers(sql, dashboard.origin, requester)
}

/** The same, for a request of a member or a key that turns out to need an approval. */
export function approvalFor(config: Config, merchantId: MerchantId, actor: Actor | null) {
  const personId = actor?.type === 'person' ? asPersonId(actor.id) : null
  const requester = { merchantId, personId, name: actor?.name ?? '' }
  return (sql: Transaction) => requestApproval(sql, config, requester)
}

/**
 * Emails every eligible approver who wants it, except the requester. The emails are rows of the same transaction and limited per
 * hour, because requests can be made and withdrawn without end.
 */
async function notifyApprovers(
  sql: Transaction,
  origin: string,
  { merchantId, personId, name }: Requester,
): Promise<void> {
  const message = approvalEmail(
    await merchantName(sql, merchantId),
    name,
    `${origin}/dashboard/merchants/${merchantId}/overview`,
  )
  const recipients = await approversToNotify(sql, merchantId, personId)
  await storeApprovalEmails(sql, merchantId, recipients, message)
}
