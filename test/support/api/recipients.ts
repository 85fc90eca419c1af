import { pino } from 'pino'
import { asRecipientChangeId, type MerchantId } from '../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { activateChange, openChanges } from '../../../store/merchant/recipientChanges.ts'
import { followApprovals } from '../../../workers/merchant/approvals.ts'
import { notifyOrRefuse } from '../../../workers/merchant/recipients.ts'
import { Isolation } from '../../../workers/turns/isolation.ts'
import { openAs } from '../servers/roles.ts'
import { type ApiRig, OTHER_TREASURY } from './rig.ts'

/** Changes of recipients: what owners are sent, and what time and workers do. */

export const PATH = '/v1/settings/recipient'
export const DELAY_S = 3_600

/** What a chain's leader does about people and recipients, with a worker's rights, until nothing is left of it. */
export async function leaderTurn(rig: ApiRig): Promise<void> {
  const worker = await openAs(rig.config.databaseUrl, 'worker', 2)
  const log = pino({ level: 'silent' })
  const others = new Isolation(log)
  const parts = { database: worker, config: rig.config, work: { others } }
  const followAll = async () => {
    while ((await followApprovals(parts, log)).changed > 0);
  }
  // Who has become an owner is told of that before they are told of changes.
  await followAll()
  for (const { id, merchantId, state } of await openChanges(worker)) {
    if (state !== 'untold') continue
    await worker.begin((sql) => notifyOrRefuse(sql, rig.config, { changeId: id, merchantId }, log))
  }
  await followAll()
  await worker.end()
}

/** The emails to an address, once a leader has written what it is to write; the newest first. */
export async function mailsTo(rig: ApiRig, email: string) {
  await leaderTurn(rig)
  return rig.database<{ subject: string; body: string }[]>`
    select subject, body, created_at, id from mail where recipient = ${email}
    union all select subject, body, created_at, id from owner_mail where recipient = ${email}
    order by created_at desc, id desc`
}

/** What the newest link holds that was sent there; empty when none was. */
export async function tokenSentTo(rig: ApiRig, email: string): Promise<string> {
  const mails = await mailsTo(rig, email)
  return mails.map(({ body }) => /stop-change#(\S+)/.exec(body)?.[1]).find(Boolean) ?? ''
}

/** Lets the time of a change be over. */
export async function ripen(rig: ApiRig, id: string): Promise<void> {
  await leaderTurn(rig)
  await rig.database`
    update recipient_change set waits_since = waits_since - make_interval(secs => ${DELAY_S}),
      notified_at = notified_at - make_interval(secs => ${DELAY_S}),
      force_at = force_at - make_interval(secs => ${DELAY_S}) where id = ${id}`
}

/** What a chain's leader does, with a worker's rights. */
export async function activateRecipient(rig: ApiRig, id: string, recipient = OTHER_TREASURY) {
  const worker = await openAs(rig.config.databaseUrl, 'worker', 2)
  const change = { id: asRecipientChangeId(id), recipient: lowerCaseAddress(recipient) }
  const due = await activateChange(worker, rig.config, change)
  await worker.end()
  return due
}

/** What the audit log has of a merchant's recipient, the oldest first. */
export const entries = (rig: ApiRig, id: MerchantId) => rig.database<
  { action: string; actor: string; status: number }[]
>`
  select e.action, e.actor, o.status from audit_entry e left join audit_outcome o on o.entry_id = e.id
  where e.merchant_id = ${id} and e.action ilike '%recipient%' order by e.id`
