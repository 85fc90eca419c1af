import type { Logger } from 'pino'
import { type ChainClient, openChain } from '../../chain/client.ts'
import { isRpcFault } from '../../chain/faults.ts'
import type { ActiveChain, WorkerConfig } from '../../core/config/processes.ts'
import type { InvoiceId } from '../../core/ids.ts'
import { shortMessage } from '../../core/logging.ts'
import type { ChainMessage } from '../../core/messages.ts'
import { saveConfirmedTime, saveRpcError } from '../../store/chain/state.ts'
import {
  type Database,
  isContention,
  isDatabaseDown,
  type Transaction,
} from '../../store/database.ts'
import { advanceInvoice } from '../../store/invoice/advance.ts'
import { markDue } from '../../store/invoice/due.ts'
import type { Leadership } from '../../store/leadership.ts'
import { confirmedBlock, type LedgerContext } from '../ledger/context.ts'
import { advanceDueInvoices, announceExpiries } from '../ledger/expiry.ts'
import { checkIdentity, followHead, WrongChainError } from '../ledger/head.ts'
import { Healer } from '../ledger/healer.ts'
import { InvoiceWork } from '../ledger/invoices.ts'
import { confirmPayments, projectTransfers, revertPayments } from '../ledger/projector.ts'
import { endOverdueRefunds } from '../ledger/refunds.ts'
import { followUnwatched } from '../ledger/unwatched.ts'
import { advanceX402 } from '../ledger/x402.ts'
import { createRelayer, type Relayer } from '../relayer/turn.ts'
import { type Loop, startLoop } from './loop.ts'

/**
 * One chain, one actor. The ledger loop belongs to whichever process leads the chain: it follows the
 * head, projects transfers and plans settlements. The relayer loop runs in every process, with the
 * keys that this process has leased. Both are driven by ticks and rows; bells only make them sooner.
 */

export interface ChainActor {
  /** Asks both loops for a turn soon. */
  wake(): void
  handle(message: ChainMessage): Promise<void>
  stop(): Promise<void>
}

export interface ChainActorOptions {
  readonly config: WorkerConfig
  readonly chain: ActiveChain
  readonly database: Database
  readonly leadership: Leadership
  readonly workerId: string
  readonly log: Logger
  /** Tells the other processes on this chain that work waits. */
  ringOthers(): void
  /** Tells the notifiers that events may wait. */
  wakeNotifier(): void
  /** Called when the actor has failed too often in a row and must not go on. */
  onFatal(error: unknown): void
}

/** Failures in a row, other than of the network or the database, before the actor gives up. */
const FAILURES_MAX = 20
/** The relayer's tick while transactions are in flight: a twentieth of a block, within these, in ms. */
const BUSY_TICK_MS = { least: 25, most: 150 }
/** The tick after something was sent, in ms: some chains have mined it by then. */
const SENT_TICK_MS = 5

export function startChainActor(options: ChainActorOptions): ChainActor {
  const { chain, config, database } = options
  const log = options.log.child({ networkId: chain.networkId })
  const client = openChain(chain)
  const relayer = createRelayer({
    database,
    client,
    config,
    workerId: options.workerId,
    log,
    onSettlementChanged: async (sql, invoiceIds) => {
      for (const id of invoiceIds) await advanceOrPostpone(sql, config, id, log)
      // The bell is a moment late, so that these events are committed by then.
      options.wakeNotifier()
    },
  })
  const tickMs = Math.min(3_000, Math.max(250, chain.blockTimeMs / 4))
  const onError = errorPolicy(options, log)

  const busyTickMs = Math.min(
    Math.max(chain.blockTimeMs / 20, BUSY_TICK_MS.least),
    BUSY_TICK_MS.most,
  )
  // Receipts are looked for more often while some are missing, and at once in case they are there.
  const paces = { sent: SENT_TICK_MS, open: Math.min(busyTickMs, tickMs), idle: tickMs }
  const relayerLoop = startLoop({
    tickMs: () => paces[relayer.pace],
    turn: () => relayer.turn(),
    onError,
  })
  const ledgerLoop = startLoop({
    tickMs: () => tickMs,
    turn: ledgerTurn(options, client, log, () => {
      relayerLoop.wake()
      options.ringOthers()
      options.wakeNotifier()
    }),
    onError,
  })
  return actorOf(options, relayer, ledgerLoop, relayerLoop)
}

/**
 * Derives an invoice anew after its sweep changed. When that can't be done, what happened on-chain is
 * recorded all the same, and the leader tries again: one invoice must not stop a chain's relayer.
 */
async function advanceOrPostpone(
  sql: Transaction,
  config: WorkerConfig,
  invoiceId: InvoiceId,
  log: Logger,
): Promise<void> {
  try {
    await sql.savepoint((inner) => advanceInvoice(inner, config, invoiceId, new Date()))
  } catch (error) {
    if (isDatabaseDown(error) || isContention(error)) throw error
    log.error({ err: error, invoiceId }, 'an invoice could not be derived anew; it is due again')
    await markDue(sql, invoiceId)
  }
}

function actorOf(
  { config, database, leadership, wakeNotifier }: ChainActorOptions,
  relayer: Relayer,
  ledgerLoop: Loop,
  relayerLoop: Loop,
): ChainActor {
  const wake = () => {
    ledgerLoop.wake()
    relayerLoop.wake()
  }
  return {
    wake,
    async handle(message) {
      if (message.type === 'advance_invoice') {
        const { invoiceId } = message
        await database.begin((sql) => advanceInvoice(sql, config, invoiceId, new Date()))
        wakeNotifier()
      }
      wake()
    },
    async stop() {
      await Promise.all([ledgerLoop.stop(), relayerLoop.stop()])
      await relayer.release()
      await leadership.release()
    },
  }
}

/** One pass over everything that the chain's leader does, each part short and repeatable. */
function ledgerTurn(
  { config, chain, database, leadership }: ChainActorOptions,
  client: ChainClient,
  log: Logger,
  onWork: () => void,
): () => Promise<void> {
  const context: LedgerContext = { database, config, client, work: new InvoiceWork(log) }
  const healer = new Healer(context, log)
  let isChecked = false
  // True while a pass was cut off, by a fault or by its own bounds, and must be made again.
  let isDue = true
  return async () => {
    if (!(await leadership.hold())) return
    if (!isChecked) {
      await checkIdentity(database, client)
      isChecked = true
    }
    const now = new Date()
    // What the indexer has found is recorded even while the node itself is away.
    const found = await projectTransfers(context, now)
    isDue ||= found.changed > 0 || found.hasIndexerMoved
    const hasHeadMoved = await followHead(database, client, now)
    isDue ||= hasHeadMoved
    if (!isDue) return
    const steps = [found, await revertPayments(context, now)]
    steps.push(await followUnwatched(context, now), await confirmPayments(context, now))
    await saveConfirmedTime(database, chain.networkId, await confirmedBlock(context))
    steps.push(await advanceDueInvoices(context, now), await announceExpiries(context, now))
    steps.push(await endOverdueRefunds(context, now))
    steps.push(await advanceX402(context))
    const healed = await healer.turn(now)
    isDue = steps.some((step) => step.isFull)
    if (healed > 0 || steps.some((step) => step.changed > 0)) onWork()
  }
}

/** Faults of the network and the database pass by themselves; others end the process after a while. */
function errorPolicy(
  { chain, database, onFatal }: ChainActorOptions,
  log: Logger,
): (error: unknown, failures: number) => number {
  return (error, failures) => {
    log.error({ err: error, failures }, 'a turn failed')
    if (isRpcFault(error)) {
      saveRpcError(database, chain.networkId, shortMessage(error)).catch((cause: unknown) => {
        log.warn({ err: cause }, 'the fault of the node could not be noted in the database')
      })
    }
    const passes = isRpcFault(error) || isDatabaseDown(error) || isContention(error)
    if (error instanceof WrongChainError || (failures >= FAILURES_MAX && !passes)) onFatal(error)
    return Math.min(10_000, 250 * 2 ** Math.min(failures, 6))
  }
}
