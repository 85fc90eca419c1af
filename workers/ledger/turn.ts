import type { Logger } from 'pino'
import { hasOpenWork } from '../../store/chain/openWork.ts'
import { saveConfirmedTime } from '../../store/chain/state.ts'
import { nameHub } from '../../store/hub/forwarders.ts'
import { advanceHead, openIdentityCheck, reportUrls } from '../blocks/head.ts'
import type { HeadReader } from '../blocks/headReader.ts'
import { HubWatch } from '../hub/watch.ts'
import { advanceChangedInvoices, advanceDueInvoices, announceExpiries } from '../invoice/expiry.ts'
import { Healer } from '../invoice/healer.ts'
import { wakeHeldInvoices } from '../invoice/leastSweeps.ts'
import { confirmPayments, projectTransfers, revertPayments } from '../invoice/projector.ts'
import { addMovementsUp, countInvoices } from '../invoice/sums.ts'
import { followUnwatched } from '../invoice/unwatched.ts'
import { followApprovals } from '../merchant/approvals.ts'
import { followRecipients } from '../merchant/recipients.ts'
import { announceReplaced, followEntries } from '../merchant/registry.ts'
import { endDoubtfulRefunds, endUnapprovedRefunds } from '../refund/doubtfulRefunds.ts'
import { proveExternalRefunds } from '../refund/external.ts'
import { endX402Refunds } from '../refund/x402Ends.ts'
import { confirmedBlock, type LedgerContext, type Progress } from '../turns/ledgerContext.ts'
import { QuarantineStore } from '../turns/quarantineStore.ts'
import { Searches } from '../turns/searches.ts'
import { carryOutOrders } from './orders.ts'
import { Retention } from './retention.ts'
import { type LedgerStep, runStep } from './steps.ts'
import { advanceX402 } from './x402Steps.ts'

/** How often counters of invoices and sums of movements are added up, in ms. */
const FOLD_EVERY_MS = 2_000

/** Of a step that failed, or is quarantined: what it would do is still to be done. */
const NOT_DONE: Progress = { changed: 0, isFull: true }

/** How long what becomes due by time alone may wait while nothing is open, in ms. */
const WHOLE_TURN_EVERY_MS = 5_000

/**
 * One pass over everything that the chain's leader does, each step short and repeatable. The turn
 * resolves to true when it has changed something that others wait for. One that `mayRest` only projects transfers
 * and follows the head while nothing is open, but for a whole one now and then.
 */
export function createLedger(
  context: LedgerContext,
  heads: HeadReader,
  log: Logger,
  identified = openIdentityCheck(context.database, context.client),
): (mayRest?: boolean) => Promise<boolean> {
  const { database, client } = context
  const { networkId } = client.chain
  const healer = new Healer(context, log)
  const retention = new Retention(context, log)
  const searches = new Searches(client)
  const hubs = new HubWatch(context, log)
  // What a leader does once, until all of it is done.
  const beginnings = new Map<LedgerStep, () => Promise<boolean>>([
    ['announcing replaced treasuries', () => announceReplaced(context, log)],
    ['waking held invoices', () => wakeHeldInvoices(context, log)],
  ])
  let isChecked = false
  // True while a pass was cut off, by a fault or by its own bounds, and must be made again.
  let isDue = true
  // True while the head or the indexer has moved since the last whole turn.
  let hasMoved = false
  let foldAt = 0
  let wholeAt = 0
  const { work } = context
  const stored = new QuarantineStore(database, networkId, [
    { part: 'invoice', quarantine: work.invoices.quarantine },
    { part: 'ledger', quarantine: work.others.quarantine },
    { part: 'step', quarantine: work.steps.quarantine },
  ])
  const step = <T>(name: LedgerStep, run: () => Promise<T>) => runStep(work, name, run)
  return async (mayRest = false) => {
    if (!isChecked) {
      await identified()
      reportUrls(client, log)
      await nameHub(database, context.config.hub)
      isChecked = true
    }
    await stored.sync()
    for (const [name, begin] of beginnings) {
      if (await step(name, begin)) beginnings.delete(name)
    }
    const now = new Date()
    // What the indexer has found is recorded even while the node doesn't answer.
    const found = await step('projecting transfers', () => projectTransfers(context, now))
    hasMoved ||= found === null || found.changed > 0 || found.hasIndexerMoved
    const isQuiet = found?.changed === 0 && !found.isFull && !isDue && beginnings.size === 0
    if (
      mayRest &&
      isQuiet &&
      now.getTime() < wholeAt &&
      !(await hasOpenWork(database, networkId))
    ) {
      hasMoved = (await advanceHead(database, client, await heads.newest(), now)) || hasMoved
      return false
    }
    wholeAt = now.getTime() + WHOLE_TURN_EVERY_MS
    const asked = await step('deriving invoices', () => advanceChangedInvoices(context, now))
    const head = await heads.newest()
    hasMoved = (await advanceHead(database, client, head, now)) || hasMoved
    isDue ||= hasMoved
    hasMoved = false
    const woken = (await step('reading hubs', () => hubs.turn(head))) ?? 0
    if (now.getTime() >= foldAt) {
      foldAt = now.getTime() + FOLD_EVERY_MS
      await step('counting invoices', () => countInvoices(context))
      await step('adding movements up', () => addMovementsUp(context))
    }
    await step('removing what is old', () => retention.turn(now))
    const early = [
      await step('carrying out orders', () => carryOutOrders(context, log)),
      await step('following approvals', () => followApprovals(context, log)),
      await step('following recipients', () => followRecipients(context, log)),
      await step('ending unapproved refunds', () => endUnapprovedRefunds(context, now)),
    ].map((one) => one ?? NOT_DONE)
    isDue ||= early.some((one) => one.changed > 0)
    const isWanted = woken > 0 || [asked ?? NOT_DONE, ...early].some(({ changed }) => changed > 0)
    if (!isDue) return isWanted
    const steps = [
      found,
      asked,
      await step('reverting payments', () => revertPayments(context, now)),
      await step('following addresses', () => followUnwatched(context, now)),
      await step('confirming payments', () => confirmPayments(context, now)),
    ]
    // Time that is confirmed lets invoices expire: not before their payments are known.
    if (found !== null && work.isUnreadStored()) {
      await saveConfirmedTime(database, networkId, await confirmedBlock(context))
    }
    searches.beginTurn()
    steps.push(
      await step('settling due invoices', () => advanceDueInvoices(context, now)),
      await step('announcing expiries', () => announceExpiries(context, now)),
      await step('following registry entries', () => followEntries(context, log)),
      await step('ending refunds', () => endDoubtfulRefunds(context, searches, now)),
      await step('ending x402 refunds', () => endX402Refunds(context, searches)),
      await step('proving external refunds', () => proveExternalRefunds(context, now)),
      ...(await advanceX402(context, searches, log)),
    )
    const healed = (await step('comparing deposits', () => healer.turn(now))) ?? 0
    const done = steps.map((one) => one ?? NOT_DONE)
    isDue = done.some(({ isFull }) => isFull)
    return healed > 0 || isWanted || done.some(({ changed }) => changed > 0)
  }
}
