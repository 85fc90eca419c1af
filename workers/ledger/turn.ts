import type { Logger } from 'pino'
import { saveConfirmedTime } from '../../store/chain/state.ts'
import { confirmedBlock, type LedgerContext } from './context.ts'
import { advanceDueInvoices, announceExpiries } from './expiry.ts'
import { advanceHead, checkIdentity } from './head.ts'
import { Healer } from './healer.ts'
import { confirmPayments, projectTransfers, revertPayments } from './projector.ts'
import { endOverdueRefunds } from './refunds.ts'
import { followUnwatched } from './unwatched.ts'
import { advanceX402 } from './x402.ts'

/**
 * One pass over everything that the chain's leader does, each step short and repeatable. The turn
 * resolves to true when it has changed something that others wait for.
 */
export function createLedger(context: LedgerContext, log: Logger): () => Promise<boolean> {
  const { database, client } = context
  const { networkId } = client.chain
  const healer = new Healer(context, log)
  let isChecked = false
  // True while a pass was cut off, by a fault or by its own bounds, and must be made again.
  let isDue = true
  return async () => {
    if (!isChecked) {
      await checkIdentity(database, client)
      isChecked = true
    }
    const now = new Date()
    // What the indexer has found is recorded even while the node doesn't answer.
    const found = await projectTransfers(context, now)
    isDue ||= found.changed > 0 || found.hasIndexerMoved
    const hasHeadMoved = await advanceHead(database, client, now)
    isDue ||= hasHeadMoved
    if (!isDue) return false
    const steps = [found, await revertPayments(context, now)]
    steps.push(await followUnwatched(context, now), await confirmPayments(context, now))
    await saveConfirmedTime(database, networkId, await confirmedBlock(context))
    steps.push(await advanceDueInvoices(context, now), await announceExpiries(context, now))
    steps.push(await endOverdueRefunds(context, now), await advanceX402(context))
    const healed = await healer.turn(now)
    isDue = steps.some((step) => step.isFull)
    return healed > 0 || steps.some((step) => step.changed > 0)
  }
}
