import type { Logger } from 'pino'
import { openChain } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import { shortMessage } from '../../core/base/logging.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { ChainMessage } from '../../core/events/messages.ts'
import { saveRpcError } from '../../store/chain/state.ts'
import {
  DatabaseBehindError,
  isContention,
  isDatabaseDown,
  isStatementTimeout,
  type Transaction,
} from '../../store/database/database.ts'
import type { Leadership } from '../../store/database/leadership.ts'
import { advanceInvoice, advanceInvoices } from '../../store/invoice/advance.ts'
import { markDue } from '../../store/invoice/due.ts'
import type { NonceMemory } from '../../store/redis/nonces.ts'
import { announceHandover } from '../../store/relayer/handover.ts'
import { raiseAlarm } from '../../store/turns/alarms.ts'
import { openIdentityCheck, WrongChainError } from '../blocks/head.ts'
import { openHeadReader } from '../blocks/headReader.ts'
import { FailoverGuard } from '../relayer/failover.ts'
import { createRelayer } from '../relayer/turn.ts'
import type { ObserveSigning } from '../signers/signatures.ts'
import type { SigningConfig } from '../signers/signers.ts'
import { Alarms } from '../turns/alarms.ts'
import { LedgerWork, TOGETHER } from '../turns/ledgerWork.ts'
import { type Actor, type ActorOptions, reportFailure, startLoop } from '../turns/loop.ts'
import { OpenWorkReader } from '../turns/openWork.ts'
import { probeOf } from '../turns/probe.ts'
import { createLedger } from './turn.ts'

/**
 * One chain, one actor. The ledger loop belongs to whichever process leads the chain: it follows the
 * head, projects transfers and plans settlements. The relayer loop runs in every process, with the
 * keys that this process has leased. Both are driven by ticks and rows; being woken only makes them
 * sooner.
 */
export interface ChainActor extends Actor {
  handle(message: ChainMessage): Promise<void>
  /**
   * Requests a turn for a new head, which brings a relayer with nothing on its way nothing new; while heads are
   * announced, ticks only replace messages that were lost.
   */
  followHead(): void
}

export interface ChainActorOptions extends ActorOptions {
  readonly config: SigningConfig
  readonly chain: ActiveChain
  readonly leadership: Leadership
  readonly nonces: NonceMemory
  /** Called for each call to a key store. */
  readonly onSigning?: ObserveSigning | undefined
  /** Notifies the other processes on this chain of queued work. */
  wakeOthers(): void
  /** Notifies the notifiers of queued events. */
  wakeNotifier(): void
}

/** The relayer's tick while it has to look after transactions: a tenth of a block, within these, in ms. */
const BUSY_TICK_MS = { least: 25, most: 150 }
/** The tick after something was sent, in ms, where blocks are as fast as this: they have mined it by then. */
const SENT_TICK = { ms: 5, blockTimeMs: 500 }
/** The tick while heads are announced: a little longer than a block, and this at most, in ms. */
const ANNOUNCED_TICK = { blocks: 1.25, most: 2_000 }
/** So long after the last one, heads count as no longer announced. */
const SILENT = { blocks: 3, least: 2_000 }

export function startChainActor(given: ChainActorOptions): ChainActor {
  const { chain, config, database, leadership, wakeNotifier, wakeOthers } = given
  const log = given.log.child({ networkId: chain.networkId })
  const options = { ...given, log }
  const client = openChain(chain)
  const heads = openHeadReader(database, client)
  const guard = new FailoverGuard({
    ...{ database, client, log },
    hub: config.hub,
    nonces: given.nonces,
  })
  const open = new OpenWorkReader(database, chain.networkId, {
    onAnnounced: (ageMs) => noteAnnounced(ageMs),
    onRelayerWork: () => {
      if (relayer.pace === 'idle') wakeRelayer()
    },
  })
  const relayer = createRelayer({
    ...options,
    client,
    heads,
    open,
    guard,
    onSettlementChanged: async (sql, invoiceIds) => {
      await advanceOrPostpone(sql, config, invoiceIds, log)
      // It is received a moment later, so that these events are committed by then.
      wakeNotifier()
    },
  })
  const ledger = { database, config, client, work: new LedgerWork(log, probeOf(database, client)) }
  // Apart from the relayer's of the same process, which knows nothing of these.
  const source = { networkId: chain.networkId, workerId: `${given.workerId} ledger` }
  const alarms = new Alarms(database, source)
  const identified = openIdentityCheck(database, client)
  const leader = createLedger(ledger, heads, log, identified, open)
  const noting = (loop: 'ledger' | 'relayer') => (isFailed: boolean, seconds: number) =>
    given.onTurn?.({ loop, chain: chain.networkId, isFailed, seconds })

  const tickMs = Math.min(3_000, Math.max(250, chain.blockTimeMs / 4))
  const { least, most } = BUSY_TICK_MS
  const busyTickMs = Math.min(Math.max(chain.blockTimeMs / 10, least), most, tickMs)
  // Receipts are searched for more often while some are missing, and at once in case they are there.
  const { blocks, most: atMost } = ANNOUNCED_TICK
  // Also leases are renewed by then.
  const longestMs = Math.min(blocks * chain.blockTimeMs, atMost, config.relayer.leaseMs / 4)
  const announcedTickMs = Math.max(tickMs, longestMs)
  const silentMs = Math.max(SILENT.blocks * chain.blockTimeMs, SILENT.least)
  let announcedAt = Number.NEGATIVE_INFINITY
  // True while nothing but ticks and new heads has woken the loop since its last turn.
  let mayRest = false
  let mayRelayerRest = false
  // A chain may stand while its head is announced.
  const noteAnnounced = (ageMs: number) => {
    announcedAt = Math.max(announcedAt, performance.now() - ageMs)
  }
  const areAnnounced = () => performance.now() - announcedAt < silentMs
  const idleTickMs = () => (areAnnounced() ? announcedTickMs : tickMs)
  const paces = {
    sent: () => (chain.blockTimeMs < SENT_TICK.blockTimeMs ? SENT_TICK.ms : busyTickMs),
    open: () => busyTickMs,
    // The head that brings its block wakes the loop.
    waiting: () => (areAnnounced() ? announcedTickMs : busyTickMs),
    following: idleTickMs,
    idle: idleTickMs,
  }
  function wakeRelayer(): void {
    mayRelayerRest = false
    relayerLoop.wake()
  }
  const relayerLoop = startLoop({
    tickMs: () => paces[relayer.pace](),
    watch: options,
    async turn(at) {
      const rests = mayRelayerRest
      mayRelayerRest = true
      at('open work')
      if (rests && (await relayer.rests())) return
      // On a chain that was reset, all that was mined would count as reorganised.
      at('the identity of the nodes')
      await identified()
      at('the check for a failover')
      if (!(await guard.check())) return
      at('the work of the keys')
      await relayer.turn()
    },
    onTurn: noting('relayer'),
    onError(error, failures) {
      mayRelayerRest = false
      return pauseAfter(options, 'relayer', error, failures)
    },
  })
  const ledgerLoop = startLoop({
    tickMs: idleTickMs,
    watch: options,
    async turn(at) {
      const rests = mayRest
      mayRest = true
      at('open work')
      if (rests && (await leader.rests())) return
      at('leadership')
      if (!(await leadership.hold())) return
      at('the ledger')
      const isChanged = await leader.turn(rests)
      at('its alarms')
      await alarms.publish(ledger.work.alarms(new Date()))
      if (!isChanged) return
      wakeRelayer()
      wakeOthers()
      wakeNotifier()
    },
    onTurn: noting('ledger'),
    onError(error, failures) {
      mayRest = false
      return pauseAfter(options, 'ledger', error, failures)
    },
  })
  const wake = () => {
    mayRest = false
    ledgerLoop.wake()
    wakeRelayer()
  }
  return {
    ready: Promise.all([ledgerLoop.ready, relayerLoop.ready]).then(() => undefined),
    wake,
    followHead() {
      noteAnnounced(0)
      ledgerLoop.wake()
      if (relayer.pace !== 'idle') relayerLoop.wake()
    },
    async handle(message) {
      if (message.type === 'advance_invoice') {
        const { invoiceId } = message
        await database.begin((sql) => advanceInvoice(sql, config, invoiceId, new Date()))
        wakeNotifier()
      }
      if (message.type === 'work_queued') wakeRelayer()
      else wake()
    },
    async stop() {
      const announce = () => announceHandover(database, chain.networkId)
      // Neither waits for the other: what one releases, others can use at once.
      await Promise.all([
        relayerLoop.stop().then(relayer.release).then(announce),
        ledgerLoop.stop().then(leadership.release).then(announce),
      ])
    },
  }
}

/**
 * Recalculates invoices after their sweeps changed. When that can't be done with one, what happened on-chain is
 * recorded all the same, and the leader tries again: one invoice must not stop a chain's relayer.
 */
export async function advanceOrPostpone(
  sql: Transaction,
  config: SigningConfig,
  invoiceIds: readonly InvoiceId[],
  log: Logger,
): Promise<void> {
  const [invoiceId] = invoiceIds
  if (invoiceId === undefined) return
  const halve = async () => {
    const middle = Math.ceil(invoiceIds.length / 2)
    await advanceOrPostpone(sql, config, invoiceIds.slice(0, middle), log)
    await advanceOrPostpone(sql, config, invoiceIds.slice(middle), log)
  }
  if (invoiceIds.length > TOGETHER) return halve()
  try {
    await sql.savepoint((inner) => advanceInvoices(inner, config, invoiceIds, new Date()))
  } catch (error) {
    const isLost = isContention(error) && !isStatementTimeout(error)
    if (isDatabaseDown(error) || isLost) throw error
    if (invoiceIds.length > 1) return halve()
    log.error({ err: error, invoiceId }, 'an invoice could not be recalculated; it is due again')
    await markDue(sql, invoiceId)
  }
}

/** So many failed turns in a row are reported to the operator. A report outlasts the pauses. */
const FAILURES_REPORTED = 3
const REPORTED_FOR_MS = 30_000

function reportFailing(options: ChainActorOptions, loop: string, error: unknown): void {
  const { chain, database, workerId, log } = options
  const source = { networkId: chain.networkId, workerId, forMs: REPORTED_FOR_MS }
  const detail = shortMessage(error)
  raiseAlarm(database, source, { kind: 'turn', subject: loop, detail, since: new Date() }).catch(
    (cause: unknown) => log.warn({ err: cause }, 'that turns fail could not be noted'),
  )
}

/** Faults of the network and the database are transient; others end the process after a while. */
function pauseAfter(
  options: ChainActorOptions,
  loop: string,
  error: unknown,
  failures: number,
): number {
  const { chain, database, log } = options
  if (failures >= FAILURES_REPORTED) reportFailing(options, loop, error)
  reportFailure(options, error, failures, isRpcFault(error))
  if (isRpcFault(error)) {
    saveRpcError(database, chain.networkId, shortMessage(error)).catch((cause: unknown) => {
      log.warn({ err: cause }, 'the fault of the node could not be noted in the database')
    })
  }
  if (error instanceof WrongChainError) options.onFatal(error)
  // The next turn begins with the check that holds the chain: until then callers withdraw what was sent.
  if (error instanceof DatabaseBehindError) return 0
  return Math.min(10_000, 250 * 2 ** Math.min(failures, 6))
}
