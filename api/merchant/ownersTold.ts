import type { Address } from '../../core/chain/evm.ts'
import type { ApiConfig } from '../../core/config/processes/api.ts'
import type { MerchantId } from '../../core/ids.ts'
import {
  addressApprovedMail,
  cancelledMail,
  type RecipientChange,
  recipientMail,
  stopUrl,
} from '../../core/merchant/recipientChange.ts'
import { storeMail } from '../../store/dashboard/mails.ts'
import { merchantName, ownersToTell } from '../../store/dashboard/members.ts'
import type { Transaction } from '../../store/database.ts'
import { createStopLink } from '../../store/merchant/recipientChanges.ts'

/**
 * What every owner of a merchant is told by mail about its recipient. The mails are rows of the same
 * transaction: nobody asks for another recipient without all owners hearing of it. Who was an owner until less
 * than the recipient's delay ago is told, too, because an owner may have been removed for just that.
 */

type TellingConfig = Pick<ApiConfig, 'dashboard' | 'recipientDelayS'>

/**
 * Tells that another recipient was asked for, each with a link of their own that stops it. The answer is
 * how many owners are told.
 */
export async function tellOwnersAsked(
  sql: Transaction,
  { dashboard, recipientDelayS }: TellingConfig,
  change: RecipientChange,
): Promise<number> {
  // Without a dashboard there are no owners, and no page to stop it on.
  if (dashboard === null) return 0
  const name = await merchantName(sql, change.merchantId)
  const owners = await ownersToTell(sql, change.merchantId, recipientDelayS)
  for (const { personId, email } of owners) {
    const url = stopUrl(dashboard.origin, await createStopLink(sql, change.id, personId))
    await storeMail(sql, {
      recipient: email,
      kind: 'warning',
      hasStopLink: true,
      ...recipientMail({ merchantName: name, change, url }),
    })
  }
  return owners.length
}

/** Tells that a change was ended, and by whom. */
export async function tellOwnersCancelled(
  sql: Transaction,
  { recipientDelayS }: TellingConfig,
  change: RecipientChange,
  by: string,
): Promise<void> {
  const name = await merchantName(sql, change.merchantId)
  const mail = cancelledMail({ merchantName: name, change }, by)
  for (const { email } of await ownersToTell(sql, change.merchantId, recipientDelayS, change.id)) {
    await storeMail(sql, { recipient: email, kind: 'warning', ...mail })
  }
}

/** Tells that an address was approved to which invoices may send money. */
export async function tellOwnersOfAddress(
  sql: Transaction,
  { recipientDelayS: delayS }: TellingConfig,
  merchantId: MerchantId,
  approved: { readonly address: Address; readonly by: string; readonly approvedBy: string },
): Promise<void> {
  const facts = { merchantName: await merchantName(sql, merchantId), delayS, ...approved }
  const mail = addressApprovedMail(facts)
  for (const { email } of await ownersToTell(sql, merchantId, delayS)) {
    await storeMail(sql, { recipient: email, kind: 'warning', ...mail })
  }
}
