import type { ApiConfig } from '../../core/config/api.ts'
import { cancelledMail, type RecipientChange } from '../../core/merchant/recipientChange.ts'
import { merchantName } from '../../store/access/members.ts'
import type { Transaction } from '../../store/database/database.ts'
import { storeMail } from '../../store/events/mails.ts'
import { ownersToNotify } from '../../store/events/ownerMails.ts'

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
  const message = cancelledMail({ merchantName: name, change }, by)
  for (const { email } of await ownersToNotify(
    sql,
    change.merchantId,
    recipientDelayS,
    change.id,
  )) {
    await storeMail(sql, { recipient: email, kind: 'warning', ...message })
  }
}
