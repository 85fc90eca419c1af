import {
  cancelledMail,
  type RecipientChange,
  recipientMail,
  stopUrl,
} from '../../core/merchant/recipientChange.ts'
import { storeMail } from '../../store/dashboard/mails.ts'
import { listMembers, merchantName } from '../../store/dashboard/members.ts'
import type { Transaction } from '../../store/database.ts'
import { createStopLink } from '../../store/merchant/recipientChanges.ts'

/**
 * What every owner of a merchant is told by mail about its recipient. The mails are rows of the same
 * transaction: nobody asks for another recipient without all owners hearing of it.
 */

/**
 * Tells that another recipient was asked for, each with a link of their own that stops it. The answer is
 * how many owners are told.
 */
export async function tellOwnersAsked(
  sql: Transaction,
  origin: string | null,
  change: RecipientChange,
): Promise<number> {
  // Without a dashboard there are no owners, and no page to stop it on.
  if (origin === null) return 0
  const name = await merchantName(sql, change.merchantId)
  const owners = await ownersOf(sql, change)
  for (const { personId, email } of owners) {
    const url = stopUrl(origin, await createStopLink(sql, change.id, personId))
    await storeMail(sql, {
      recipient: email,
      ...recipientMail({ merchantName: name, change, url }),
    })
  }
  return owners.length
}

/** Tells that a change was ended, and by whom. */
export async function tellOwnersCancelled(
  sql: Transaction,
  change: RecipientChange,
  by: string,
): Promise<void> {
  const name = await merchantName(sql, change.merchantId)
  const mail = cancelledMail({ merchantName: name, change }, by)
  for (const { email } of await ownersOf(sql, change)) {
    await storeMail(sql, { recipient: email, ...mail })
  }
}

async function ownersOf(sql: Transaction, { merchantId }: RecipientChange) {
  return (await listMembers(sql, merchantId)).filter(({ role }) => role === 'owner')
}
