import type { Logger } from 'pino'
import type { MerchantId, RecipientChangeId } from '../../core/base/ids.ts'
import type { Transaction } from '../../store/database/database.ts'
import {
  activateChange,
  announce,
  openChanges,
  verifyChange,
  withdraw,
} from '../../store/merchant/recipientChanges.ts'
import { verifyMacOfChange } from '../../store/merchant/requestMacs.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'
import type { ApprovalTerms } from './approvals.ts'
import { FORGED, faultOf, NOT_GENUINE } from './genuine.ts'
import { notifyOwnersForged, notifyOwnersRequested } from './notifyOwners.ts'

/** As things that may be quarantined. */
const CHANGE = 'change of recipient'

/**
 * Advances requested changes of recipients: notifies owners of new ones, activates those whose delay is over,
 * announces pending ones to the hub of this chain, and withdraws ended ones from hubs. A change concerns every
 * chain, and the leader of any of them may be first.
 */
export async function followRecipients(
  { database, config, client, work }: LedgerContext,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<Progress> {
  const changes = await openChanges(database)
  const forged = new Set<string>()
  const followed = await work.others.each(
    CHANGE,
    changes,
    ({ id }) => String(id),
    async (change) => {
      const { id, merchantId, recipient, state, isDue } = change
      const about = { changeId: id, merchantId, recipient }
      if (state === 'untold') {
        const came = await database.begin((sql) => notifyOrRefuse(sql, config, about, log))
        if (came === 'forged') forged.add(String(merchantId))
        return came !== 'nothing'
      }
      if (state === 'ended') {
        if (!(await withdraw(database, config, id))) return false
        log.info(about, 'a recipient that was not to be is withdrawn from the hubs')
      } else if (isDue) {
        const due = await activateChange(database, config, change)
        if (due === null) return false
        log.warn({ ...about, due }, 'another recipient is active')
      } else {
        if (!(await announce(database, config, client.chain.networkId, change))) return false
        log.info(about, 'a hub hears of a recipient that is to come')
      }
      return true
    },
  )
  // They are over; an operator has to find out how they got there.
  for (const id of forged) work.others.put(FORGED, id, new Error(NOT_GENUINE))
  return { changed: followed.filter(Boolean).length, isFull: false }
}

/**
 * Notifies the owners of a new change, which starts its delay, or ends one that the API has not requested.
 * Nothing when another leader has.
 */
export async function notifyOrRefuse(
  sql: Transaction,
  { secretKeys, recipientDelayS }: ApprovalTerms,
  about: { readonly changeId: RecipientChangeId; readonly merchantId: MerchantId },
  log: Pick<Logger, 'info' | 'error'>,
): Promise<'notified' | 'forged' | 'nothing'> {
  const found = await verifyMacOfChange(sql, secretKeys, about.changeId)
  if (found === null) return 'nothing'
  const fault = faultOf(found)
  const verified = await verifyChange(sql, about.changeId, recipientDelayS, fault)
  if (verified === null) return 'nothing'
  if (fault === null) {
    await notifyOwnersRequested(
      sql,
      verified,
      verified.notifiedAt ?? verified.createdAt,
      recipientDelayS,
    )
    log.info(about, 'owners are notified of another recipient')
    return 'notified'
  }
  await notifyOwnersForged(sql, about.merchantId, recipientDelayS)
  log.error(about, 'a change of the recipient that the API has not made is ended')
  return 'forged'
}
