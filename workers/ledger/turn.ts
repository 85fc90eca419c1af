import type { Logger } from 'pino'
import type { Head } from '../../chain/blocks/blocks.ts'
import { openKinds, openRequests } from '../../store/chain/openKinds.ts'
import { type ChainState, saveConfirmedTime } from '../../store/chain/state.ts'
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
import { endDoubtfulRefunds, endUnapprovedRefunds, endX402Refunds } from '../refund/ends.ts'
import { proveExternalRefunds } from '../refund/external.ts'
import {
  chainState,
  confirmedBlock,
  type LedgerContext,
  type Progress,
} from '../turns/ledgerContext.ts'
import { OpenWorkReader } from '../turns/openWork.ts'
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

const NOTHING: Progress = { changed: 0, isFull: false }

/** How long what becomes due by time alone may wait while nothing is open, in ms. */
const WHOLE_TURN_EVERY_MS = 10_000
/** How long a leader that rests may not follow the head: readers take ten blocks for a chain that stands. */
const REST = { blocks: 5, mostMs: 5_000 }

export interface Ledger {
  /**
   * One pass over everything that the chain's leader does, each step short and repeatable. Resolves to true when
   * it has changed something that others wait for. One that `mayRest` only projects transfers and follows the
   * head while nothing is open, but for a whole one now and then.
   */
  turn(mayRest?: boolean): Promise<boolean>
  /** Whether nothing is open, and the last turn is so young that the next new head needs none. */
  rests(): Promise<boolean>
}

export function createLedger(
  given: LedgerContext,
  heads: HeadReader,
  log: Logger,
  identified = openIdentityCheck(given.database, given.client),
  open = new OpenWorkReader(given.database, given.client.chain.networkId),
): Ledger {
  const context: LedgerContext & { seen: ChainState | null } = { ...given, seen: null }
  const { database, client } = context
  const { networkId, blockTimeMs } = client.chain
  const restMs = Math.min(REST.blocks * blockTimeMs, REST.mostMs)
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
  let restsUntil = 0
  const { work } = context
  const stored = new QuarantineStore(database, networkId, [
    { part: 'invoice', quarantine: work.invoices.quarantine },
    { part: 'ledger', quarantine: work.others.quarantine },
    { part: 'step', quarantine: work.steps.quarantine },
  ])
  const step = <T>(name: LedgerStep, run: () => Promise<T>) => runStep(work, name, run)
  const stepIf = async (isOpen: boolean, name: LedgerStep, run: () => Promise<Progress>) => {
    return isOpen ? ((await step(name, run)) ?? NOT_DONE) : NOTHING
  }
  const follow = async (state: ChainState, head: Head, now: Date) => {
    const { headerOf } = heads
    hasMoved = (await advanceHead(database, client, head, now, { headerOf, state })) || hasMoved
  }
  return {
    async rests() {
      if (Date.now() >= restsUntil) return false
      const { forLeader, announced } = await open.forLeader()
      // Remembered, so that the next turn need not query a node for it.
      await heads.newest(announced)
      return !forLeader
    },
    turn,
  }

  async function turn(mayRest = false): Promise<boolean> {
    restsUntil = 0
    context.seen = null
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
    const state = await chainState(context)
    context.seen = state
    // What the indexer has found is recorded even while the node doesn't answer.
    const found = await step('projecting transfers', () => projectTransfers(context, now))
    hasMoved ||= found === null || found.changed > 0 || found.hasIndexerMoved
    const isQuiet = found?.changed === 0 && !found.isFull && !isDue && beginnings.size === 0
    if (mayRest && isQuiet && now.getTime() < wholeAt) {
      const { forLeader, announced } = await open.forLeader()
      if (!forLeader) {
        await follow(state, await heads.newest(announced), now)
        restsUntil = now.getTime() + restMs
        return false
      }
    }
    wholeAt = now.getTime() + WHOLE_TURN_EVERY_MS
    const asked = await step('deriving invoices', () => advanceChangedInvoices(context, now))
    const head = await heads.newest()
    await follow(state, head, now)
    context.seen = await chainState({ database, client })
    isDue ||= hasMoved
    hasMoved = false
    const woken = (await step('reading hubs', () => hubs.turn(head))) ?? 0
    if (now.getTime() >= foldAt) {
      foldAt = now.getTime() + FOLD_EVERY_MS
      await step('counting invoices', () => countInvoices(context))
      await step('adding movements up', () => addMovementsUp(context))
    }
    await step('removing what is old', () => retention.turn(now))
    const { orders, approvals, recipients, unapproved } = await openRequests(database, networkId)
    const early = [
      await stepIf(orders, 'carrying out orders', () => carryOutOrders(context, log)),
      await stepIf(approvals, 'following approvals', () => followApprovals(context, log)),
      await stepIf(recipients, 'following recipients', () => followRecipients(context, log)),
      await stepIf(unapproved, 'ending unapproved refunds', () => {
        return endUnapprovedRefunds(context, now)
      }),
    ]
    isDue ||= early.some((one) => one.changed > 0)
    const isWanted = woken > 0 || [asked ?? NOT_DONE, ...early].some(({ changed }) => changed > 0)
    if (!isDue) return isWanted
    const kinds = await openKinds(database, networkId)
    const steps = [
      found,
      asked,
      await stepIf(kinds.displaced, 'reverting payments', () => revertPayments(context, now)),
      await stepIf(kinds.reverted, 'following addresses', () => followUnwatched(context, now)),
      await stepIf(kinds.pending, 'confirming payments', () => confirmPayments(context, now)),
    ]
    // Time that is confirmed lets invoices expire: not before their payments are known.
    if (found !== null && work.isUnreadStored()) {
      await saveConfirmedTime(database, networkId, await confirmedBlock(context))
    }
    searches.beginTurn()
    steps.push(
      await stepIf(kinds.unsettled, 'settling due invoices', () =>
        advanceDueInvoices(context, now),
      ),
      await step('announcing expiries', () => announceExpiries(context, now)),
      await stepIf(kinds.entries, 'following registry entries', () => followEntries(context, log)),
      await stepIf(kinds.refunds, 'ending refunds', () => {
        return endDoubtfulRefunds(context, searches, now)
      }),
      await stepIf(kinds.refunds, 'ending x402 refunds', () => endX402Refunds(context, searches)),
      await stepIf(kinds.externalRefunds, 'proving external refunds', () => {
        return proveExternalRefunds(context, now)
      }),
      ...(await advanceX402(context, searches, kinds, log)),
    )
    const healed = (await step('comparing deposits', () => healer.turn(now))) ?? 0
    const done = steps.map((one) => one ?? NOT_DONE)
    isDue = done.some(({ isFull }) => isFull)
    const isChanged = healed > 0 || isWanted || done.some(({ changed }) => changed > 0)
    if (!isChanged && !isDue && beginnings.size === 0) restsUntil = now.getTime() + restMs
    return isChanged
  }
}
