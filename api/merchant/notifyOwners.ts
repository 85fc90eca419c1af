import type { ApiConfig } from '../../core/config/api.ts'
import { cancelledEmail, type RecipientChange } from '../../core/merchant/recipientChange.ts'
import { merchantName } from '../../store/access/members.ts'
import type { Transaction } from '../../store/database/database.ts'
import { storeEmail } from '../../store/events/emails.ts'
import { ownersToNotify } from '../../store/events/ownerEmails.ts'

/**
 * Notifies every owner that a change was cancelled, with the actor, in the transaction that cancels it. Leaders notify
 * of new changes: workers/merchant/notifyOwners.ts.
 */
export async function notifyOwnersCancelled(
  sql: Transaction,
  { recipientDelayS }: Pick<ApiConfig, 'recipientDelayS'>,
  change: RecipientChange,
  by: string,
): Promise<void> {
  const name = await merchantName(sql, change.merchantId)
  const message = cancelledEmail({ merchantName: name, change }, by)
  for (const { email } of await ownersToNotify(
    sql,
    change.merchantId,
    recipientDelayS,
    change.id,
  )) {
    await storeEmail(sql, { recipient: email, kind: 'warning', ...message })
  }
}
