import type { Logger } from 'pino'
import { saveConfirmedTime } from '../../../store/chain/state.ts'
import { foldMovements } from '../../../store/invoice/list/movements.ts'
import { foldTallies } from '../../../store/invoice/list/tallies.ts'
import { nameHub } from '../../../store/x402/payee/forwarders.ts'
import { Searches } from '../../evidence/searches.ts'
import type { HeadReader } from '../../headReader.ts'
import { HubWatch } from '../../hubs/watch.ts'
import { confirmedBlock, type LedgerContext } from '../context.ts'
import { advanceChangedInvoices, advanceDueInvoices, announceExpiries } from '../invoices/expiry.ts'
import { Healer } from '../invoices/healer.ts'
import { wakeHeldInvoices } from '../invoices/leastSweeps.ts'
import { confirmPayments, projectTransfers, revertPayments } from '../invoices/projector.ts'
import { followUnwatched } from '../invoices/unwatched.ts'
import { followRecipients } from '../recipients/recipients.ts'
import { announceReplaced, followEntries } from '../recipients/registry.ts'
import { proveExternalRefunds } from '../refunds/external.ts'
import { endDoubtfulRefunds, endUnapprovedRefunds } from '../refunds/refunds.ts'
import { endX402Refunds } from '../refunds/x402.ts'
import { advanceX402 } from '../x402/advance.ts'
import { advanceHead, openIdentityCheck, reportUrls } from './head.ts'
import { carryOutOrders } from './orders.ts'
import { Retention } from './retention.ts'

/** How often counters of invoices and sums of movements are added up, in ms. */
const FOLD_EVERY_MS = 2_000

/**
 * One pass over everything that the chain's leader does, each step short and repeatable. The turn
 * resolves to true when it has changed something that others wait for.
 */
export function createLedger(
  context: LedgerContext,
  heads: HeadReader,
  log: Logger,
  identified = openIdentityCheck(context.database, context.client),
): () => Promise<boolean> {
  const { database, client } = context
  const { networkId } = client.chain
  const healer = new Healer(context, log)
  const retention = new Retention(context, log)
  const searches = new Searches(client)
  const hubs = new HubWatch(context, log)
  let isChecked = false
  // True while a pass was cut off, by a fault or by its own bounds, and must be made again.
  let isDue = true
  let foldAt = 0
  return async () => {
    if (!isChecked) {
      await identified()
      reportUrls(client, log)
      await nameHub(database, context.config.hub)
      await announceReplaced(context, log)
      await wakeHeldInvoices(context, log)
      isChecked = true
    }
    const now = new Date()
    // What the indexer has found is recorded even while the node doesn't answer.
    const found = await projectTransfers(context, now)
    const asked = await advanceChangedInvoices(context, now)
    isDue ||= found.changed > 0 || found.hasIndexerMoved
    const head = await heads.newest()
    const hasHeadMoved = await advanceHead(database, client, head, now)
    isDue ||= hasHeadMoved
    const woken = await hubs.turn(head)
    if (now.getTime() >= foldAt) {
      foldAt = now.getTime() + FOLD_EVERY_MS
      await foldTallies(database)
      await foldMovements(database)
    }
    await retention.turn(now)
    const ordered = await carryOutOrders(context, log)
    const replaced = await followRecipients(context, log)
    const unapproved = await endUnapprovedRefunds(context, now)
    isDue ||= replaced.changed + unapproved.changed > 0
    const isWanted = asked.changed > 0 || woken > 0 || ordered.changed > 0 || replaced.changed > 0
    if (!isDue) return isWanted
    const steps = [found, asked, await revertPayments(context, now)]
    steps.push(await followUnwatched(context, now), await confirmPayments(context, now))
    await saveConfirmedTime(database, networkId, await confirmedBlock(context))
    steps.push(await advanceDueInvoices(context, now), await announceExpiries(context, now))
    steps.push(await followEntries(context, log))
    searches.beginTurn()
    steps.push(await endDoubtfulRefunds(context, searches, now))
    steps.push(await endX402Refunds(context, searches))
    steps.push(await proveExternalRefunds(context, now))
    steps.push(await advanceX402(context, searches, log))
    const healed = await healer.turn(now)
    isDue = steps.some((step) => step.isFull)
    return healed > 0 || isWanted || steps.some((step) => step.changed > 0)
  }
}
