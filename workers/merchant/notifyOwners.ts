import {
  membershipEmail,
  moreMembershipsEmail,
  type RoleChange,
} from '../../core/access/membership.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { rulesEmail } from '../../core/merchant/approval.ts'
import {
  addressApprovedEmail,
  DASHBOARD_PLACE,
  forgedEmail,
  type RecipientChange,
  recipientEmail,
  stopUrl,
} from '../../core/merchant/recipientChange.ts'
import { merchantName } from '../../store/access/members.ts'
import type { Transaction } from '../../store/database/database.ts'
import {
  ownersToNotify,
  storeMembershipWarnings,
  storeOncePerHour,
  storeOwnerEmail,
  storeOwnerEmails,
} from '../../store/events/ownerEmails.ts'
import { createStopLink } from '../../store/merchant/recipientChanges.ts'
import type { MacedRequest } from '../../store/merchant/requestMacs.ts'

/**
 * Emails to every owner of a merchant about who gets its money, in the transaction that lets it count. Owners
 * removed less than the recipient's delay ago are notified too, because they may have been removed for just
 * that. A worker knows no address of the dashboard: the API writes it into links when it sends the email.
 */

/** Notifies that another recipient was requested, each owner with a link of their own that stops it. */
export async function notifyOwnersRequested(
  sql: Transaction,
  change: RecipientChange,
  writtenAt: Date,
  sinceS: number,
): Promise<void> {
  const name = await merchantName(sql, change.merchantId)
  for (const { personId, email } of await ownersToNotify(sql, change.merchantId, sinceS)) {
    const url = stopUrl(DASHBOARD_PLACE, await createStopLink(sql, change.id, personId))
    const message = recipientEmail({ merchantName: name, change, writtenAt, url })
    await storeOwnerEmail(sql, { recipient: email, hasStopLink: true, ...message })
  }
}

/**
 * Notifies what was carried out with an approval; other changes are notified at their request, or from the
 * table of members.
 */
export async function notifyOwnersDone(
  sql: Transaction,
  request: MacedRequest,
  approvedBy: string,
  delayS: number,
): Promise<void> {
  const { merchantId, actorName: by } = request
  const messageOf = (name: string) => {
    const facts = { merchantName: name, by, approvedBy }
    if (request.wantedAddress !== null)
      return addressApprovedEmail({ ...facts, address: request.wantedAddress, delayS })
    return request.kind === 'policy' ? rulesEmail(facts) : null
  }
  const message = messageOf(await merchantName(sql, merchantId))
  if (message !== null)
    await storeOwnerEmails(sql, await ownersToNotify(sql, merchantId, delayS), message)
}

/** Notifies that the database has a row that the API has not requested. */
export async function notifyOwnersForged(
  sql: Transaction,
  merchantId: MerchantId,
  sinceS: number,
): Promise<void> {
  const message = forgedEmail(await merchantName(sql, merchantId))
  const owners = await ownersToNotify(sql, merchantId, sinceS)
  // An attacker who can store one can store thousands.
  await storeOncePerHour(sql, owners, `forged:${merchantId}`, message)
}

/**
 * Notifies the member and the owners of another role, or of its end; an accepted invitation needs no
 * notification.
 */
export async function notifyMembership(
  sql: Transaction,
  merchantId: MerchantId,
  change: RoleChange,
  sinceS: number,
): Promise<void> {
  const name = await merchantName(sql, merchantId)
  const owners = await ownersToNotify(sql, merchantId, sinceS)
  const recipients = new Set([change.email, ...owners.map(({ email }) => email)])
  if (change.by === null) recipients.delete(change.email)
  const message = membershipEmail(name, change)
  await storeMembershipWarnings(sql, merchantId, recipients, message, moreMembershipsEmail(name))
}
