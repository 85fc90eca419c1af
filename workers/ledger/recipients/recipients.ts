import type { Logger } from 'pino'
import {
  announce,
  openChanges,
  putInForce,
  withdraw,
} from '../../../store/merchant/recipientChanges.ts'
import type { LedgerContext, Progress } from '../context.ts'

/** As things that may be quarantined. */
const CHANGE = 'change of recipient'

/**
 * Looks after the recipients that merchants have asked for: puts those in force whose time has come, has
 * the hub of this chain hear of those that wait, and has hubs forget those that were ended. A change
 * concerns every chain, and the leader of any of them may be first.
 */
export async function followRecipients(
  { database, config, client, work }: LedgerContext,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Progress> {
  const changes = await openChanges(database)
  const followed = await work.others.each(
    CHANGE,
    changes,
    ({ id }) => String(id),
    async (change) => {
      const { id, merchantId, recipient, state, isDue } = change
      const about = { changeId: id, merchantId, recipient }
      if (state === 'ended') {
        if (!(await withdraw(database, config, id))) return false
        log.info(about, 'a recipient that was not to be is withdrawn from the hubs')
      } else if (isDue) {
        const due = await putInForce(database, config, change)
        if (due === null) return false
        log.warn({ ...about, due }, 'another recipient is in force')
      } else {
        if (!(await announce(database, config, client.chain.networkId, change))) return false
        log.info(about, 'a hub hears of a recipient that is to come')
      }
      return true
    },
  )
  return { changed: followed.filter(Boolean).length, isFull: false }
}
