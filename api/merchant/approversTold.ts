import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import { approvalMail } from '../../core/merchant/approval.ts'
import { listMembers, merchantName } from '../../store/access/members.ts'
import type { Transaction } from '../../store/database/database.ts'
import { storeApprovalMails } from '../../store/events/mails.ts'

/** Who has asked for something that needs a second person; null for a key, which is nobody. */
interface Asker {
  readonly merchantId: MerchantId
  readonly personId: PersonId | null
  readonly name: string
}

/**
 * Tells everybody who could approve something that was asked for by somebody else. The mails are rows of
 * the same transaction, and no more than a bound in an hour, because requests can be made and withdrawn without end.
 * Without a dashboard there is nobody.
 */
export async function tellApprovers(
  sql: Transaction,
  origin: string | null,
  { merchantId, personId, name }: Asker,
): Promise<void> {
  if (origin === null) return
  const mail = approvalMail(
    await merchantName(sql, merchantId),
    name,
    `${origin}/dashboard/merchants/${merchantId}/overview`,
  )
  const members = await listMembers(sql, merchantId)
  const others = members.filter(
    (member) => ['owner', 'finance'].includes(member.role) && member.personId !== personId,
  )
  const recipients = others.map(({ email }) => email)
  await storeApprovalMails(sql, merchantId, recipients, mail)
}
