import { CanonicalBlocks } from '../../chain/blocks/canonical.ts'
import type { Address } from '../../core/chain/evm.ts'
import { readAttempts } from '../../store/relayer/attempts.ts'
import { type RelayerTx, readUnfinished } from '../../store/relayer/transactions.ts'
import type { Alarm } from '../../store/turns/alarms.ts'
import { Signatures } from '../signers/signatures.ts'
import { Alarms } from '../turns/alarms.ts'
import { Isolation } from '../turns/isolation.ts'
import { OpenWorkReader } from '../turns/openWork.ts'
import { probeOf } from '../turns/probe.ts'
import { QuarantineStore } from '../turns/quarantineStore.ts'
import { Searches } from '../turns/searches.ts'
import { confirmDeep } from './confirm.ts'
import type { RelayerContext, RelayerDeps, RelayerTiming, RelayerTurn } from './context.ts'
import { deliverOpen } from './deliver.ts'
import { dispatchWork, leastCost, openCost, waitingWork } from './dispatch.ts'
import { priced } from './gas.ts'
import {
  acquireKeys,
  canResume,
  hasItsShare,
  keepLeases,
  noncesAt,
  releaseKeys,
  resumeFunded,
  watchBalances,
} from './keys.ts'
import { KINDS } from './kinds.ts'
import { observe } from './observe.ts'
import { isRenewalDue, renewAttempts } from './signing.ts'
import { forgetEnded, txName } from './stages.ts'

/**
 * Sends a chain's transactions with the keys that this process has leased. Postgres holds all that
 * counts; a relayer that dies at any line is replaced by the next one that leases its keys.
 */
export interface Relayer {
  /** One short pass over everything; never waits for a block or a receipt. Not to be overlapped. */
  turn(): Promise<void>
  /** Whether there was nothing to do in the last turn, which is young, and there is nothing now. Leases are kept. */
  rests(): Promise<boolean>
  /** Gives the leases back, after the last turn. */
  release(): Promise<void>
  /** How soon the next turn should come, by what the last one has seen and done. */
  readonly pace: Pace
}

/** Not longer, because what a node refuses today it may answer in a minute. */
const LONGEST_QUARANTINE_MS = 60_000

/**
 * `sent`: something was sent just now; `open`: something is to be looked after before the next block; `waiting`:
 * what is on its way was taken by a node and waits for its block; `following`: new blocks decide about what is
 * mined, or work waits for a key; `idle`: there is nothing to do.
 */
export type Pace = 'sent' | 'open' | 'waiting' | 'following' | 'idle'

/** A used nonce without a receipt is nothing to report before this, in ms. */
const RECEIPT_LATE_MS = 5 * 60_000
/** How often a relayer with nothing to do makes a whole turn, in ms: while keys may become free for it, and otherwise. */
const WHOLE_TURN_EVERY_MS = { whileShort: 5_000, most: 30_000 }
/** What is open may have been read a block ago, or so long, in ms: the leader's next reading wakes its relayer. */
const READ_AGO_MS = 2_000

export function createRelayer(deps: RelayerDeps): Relayer {
  const context = contextOf(deps)
  const { database, networkId, work } = context
  const stored = new QuarantineStore(database, networkId, [
    { part: 'relayer', quarantine: work.quarantine },
  ])
  const { open = new OpenWorkReader(database, networkId) } = deps
  const readAgoMs = Math.min(deps.client.chain.blockTimeMs, READ_AGO_MS)
  let pace: Pace = 'idle'
  let restsUntil = 0
  return {
    async turn() {
      restsUntil = 0
      const begun = performance.now()
      await stored.sync()
      pace = await turn(context)
      await context.alarms.publish(alarmsOf(context))
      const { whileShort, most } = WHOLE_TURN_EVERY_MS
      if (pace === 'idle') restsUntil = begun + (hasItsShare(context) ? most : whileShort)
    },
    async rests() {
      if (performance.now() >= restsUntil || (await open.hasRelayerWork(readAgoMs))) return false
      return keepLeases(context)
    },
    release: () => releaseKeys(context),
    get pace() {
      return pace
    },
  }
}

function contextOf(deps: RelayerDeps): RelayerContext {
  const { chain, rpc } = deps.client
  const accounts = deps.config.signers.relayers.get(chain.networkId) ?? []
  const probe = probeOf(deps.database, deps.client)
  const limits: RelayerTiming = {
    flushMs: 100,
    retryMs: 250,
    rebroadcastMs: Math.max(5_000, 2 * chain.blockTimeMs),
    bumpAfterMs: Math.max(15_000, 4 * chain.blockTimeMs),
    tipKeptMs: 10_000,
    takenNonceBlocks: BigInt(Math.max(3, chain.confirmations)),
    quarantineMs: 1_000,
    balanceEveryMs: 15_000,
    restingBalanceMs: 60_000,
    revertPauseMs: Math.max(2_000, chain.blockTimeMs),
    ...deps.timing,
  }
  return {
    ...deps,
    limits,
    kinds: deps.kinds ?? KINDS,
    probe,
    work: new Isolation(deps.log, {
      probe,
      pauses: { firstMs: limits.quarantineMs, longestMs: LONGEST_QUARANTINE_MS },
      concurrency: Number.POSITIVE_INFINITY,
    }),
    alarms: new Alarms(deps.database, { networkId: chain.networkId, workerId: deps.workerId }),
    networkId: chain.networkId,
    searches: new Searches(deps.client),
    accounts: new Map(accounts.map((signer) => [signer.address, signer])),
    signatures: new Signatures(deps.onSigning),
    memory: {
      leases: new Map(),
      operators: new Map(),
      balances: new Map(),
      transfers: new Map(),
      preparing: new Set(),
      logged: new Map(),
      sent: new Map(),
      refusals: new Map(),
      missing: new Map(),
      lookups: new Map(),
      canonical: new CanonicalBlocks(rpc, BigInt(chain.finalityDepth)),
      prices: null,
      tip: null,
      nonces: { head: null, at: 0, known: new Map() },
      renewedAt: 0,
    },
    step: async (step) => {
      await deps.onStep?.(step)
    },
  }
}

async function turn(context: RelayerContext): Promise<Pace> {
  const { memory } = context
  context.searches.beginTurn()
  await forgetEnded(context.work, context.database)
  await keepLeases(context)
  const backlog = await waitingWork(context)
  const hasWork = backlog.length > 0
  const keys = await acquireKeys(context, hasWork)
  if ((await context.guard?.note(keys)) === false) return 'open'
  const rows = {
    keys: new Map(keys.map((key) => [key.address, key])),
    ...(await readOpen(context)),
  }
  if (rows.unfinished.length === 0 && (!hasWork || memory.leases.size === 0)) {
    await watchBalances(context, rows.keys)
    forgetOld(context, rows.attempts)
    if (!canResume(context, rows.keys)) return hasWork ? 'following' : 'idle'
  }
  const { seen, isWhole } = await readNonces(context, { ...rows, backlog }, hasWork)
  // What goes wrong with one step, and with none of its things, holds up no other.
  const step = <T>(name: string, work: () => Promise<T>) => context.work.alone('step', name, work)
  await step('watching balances', () => watchBalances(seen, rows.keys, seen))
  const current = (await step('observing', () => observe(seen))) ? await reread(seen) : seen
  const isPriced = hasWork || canResume(context, rows.keys)
  const isSent = await step('sending', () => sendAll(current, isPriced, hasWork && isWhole))
  // Sending comes first, because money waits for it: what is confirmed stays confirmed.
  await step('confirming', () => confirmDeep(current))
  forgetOld(context, current.attempts)
  if (isSent) return 'sent'
  if (!current.unfinished.some(({ state }) => state === 'signed')) return 'following'
  return hasWork || memory.lookups.size > 0 || !wasTaken(current) ? 'open' : 'waiting'
}

/** Whether a node has taken all that is on its way. */
function wasTaken({ memory, attempts, unfinished }: RelayerTurn): boolean {
  return unfinished.every(({ id, state }) => {
    const newest = attempts.get(id)?.at(-1)
    return state !== 'signed' || (newest && memory.sent.get(newest.hash)?.accepted) === true
  })
}

/** What Postgres has, which costs no request to a node. */
type Rows = Pick<RelayerTurn, 'keys' | 'backlog' | 'unfinished' | 'attempts'>

/** What is on its way, with the attempts of all that is still open, or whose end is not decided. */
async function readOpen(context: RelayerContext): Promise<Pick<Rows, 'unfinished' | 'attempts'>> {
  const { database, networkId, memory, accounts } = context
  const held = [...memory.leases.keys()]
  const unfinished = await readUnfinished(database, networkId, held, [...accounts.keys()])
  const open = unfinished.filter(({ state }) => state === 'signed' || state === 'nonce_taken')
  const ids = open.map(({ id }) => id)
  return { unfinished, attempts: await readAttempts(database, ids) }
}

/**
 * The view that this turn reads from, and what it must know of it before it does anything: the account
 * nonces of keys that have something on its way, or may soon; before anything new is signed those of all keys,
 * and nothing is while one of them is not known.
 */
async function readNonces(
  context: RelayerContext,
  rows: Rows,
  hasWork: boolean,
): Promise<{ readonly seen: RelayerTurn; readonly isWhole: boolean }> {
  const { memory } = context
  const head = await context.heads.newest()
  await memory.canonical.advance(head)
  const addresses = new Set(hasWork ? memory.leases.keys() : [])
  for (const { address, status } of rows.keys.values()) {
    if (hasWork && status !== 'quarantined') addresses.add(address)
  }
  for (const tx of rows.unfinished) if (await isOpen(context, tx)) addresses.add(tx.address)
  const nonces = await noncesAt(context, [...addresses], head)
  context.guard?.see(rows.keys.values(), nonces)
  const seen = { ...context, ...rows, head, accountNonces: nonces }
  return { seen, isWhole: nonces.size === addresses.size }
}

/** True for a transaction that may have to be sent: it isn't mined, or its block is not in the view. */
async function isOpen({ memory }: RelayerContext, tx: RelayerTx): Promise<boolean> {
  if (tx.state !== 'mined' || tx.minedBlock === null) return tx.state === 'signed'
  return (await memory.canonical.hashAt(tx.minedBlock)) !== tx.minedBlockHash
}

/** Sends what is stored and, if it may, something new. True when there was something new. */
async function sendAll(turn: RelayerTurn, isPriced: boolean, mayBegin: boolean): Promise<boolean> {
  if (!isPriced && !turn.unfinished.some((tx) => isRenewalDue(turn, tx))) {
    await deliverAll(turn)
    return false
  }
  const sending = await priced(turn)
  const current = (await renewAttempts(sending)) ? await reread(sending) : sending
  // They can pay for what is open and one item more.
  await resumeFunded(current, (key) => openCost(current, key) + leastCost(current))
  const clear = await deliverAll(current)
  return mayBegin && (await dispatchWork(current, clear))
}

/** Reads the rows again after this turn has changed them; the chain is as it was seen. */
async function reread<T extends RelayerTurn>(turn: T): Promise<T> {
  return { ...turn, backlog: await waitingWork(turn), ...(await readOpen(turn)) }
}

/** Sends what is open, key by key. Returns the keys that may send something new. */
async function deliverAll(turn: RelayerTurn): Promise<Set<Address>> {
  const { memory, unfinished } = turn
  const addresses = new Set([...memory.leases.keys(), ...unfinished.map(({ address }) => address)])
  const clear = new Set<Address>()
  await turn.work.each('deliver', [...addresses], String, async (address) => {
    if (await deliverOpen(turn, address)) clear.add(address)
  })
  return clear
}

/** What only this process sees, for the operator. */
function alarmsOf({ memory, accounts, work }: RelayerContext): Alarm[] {
  const now = Date.now()
  const alarms = work.alarms(new Date(now))
  for (const [subject, answer] of memory.operators) {
    if (answer.isOperator || !accounts.has(subject)) continue
    const detail = 'the hub does not know it as an operator'
    alarms.push({ kind: 'operator', subject, detail, since: new Date(now) })
  }
  for (const [id, { since }] of memory.missing) {
    if (now - since <= RECEIPT_LATE_MS) continue
    const detail = 'its account nonce is used, and no node shows by which transaction'
    alarms.push({ kind: 'nonce', subject: txName({ id }), detail, since: new Date(since) })
  }
  return alarms
}

/** The attempts that are over need not be remembered. */
function forgetOld({ memory, work }: RelayerContext, attempts: RelayerTurn['attempts']): void {
  if (memory.logged.size > 500) memory.logged.clear()
  work.quarantine.forgetBefore(Date.now() - 10 * LONGEST_QUARANTINE_MS)
  // Another worker may have found what this one missed.
  for (const id of memory.missing.keys()) if (!attempts.has(id)) memory.missing.delete(id)
  for (const id of memory.lookups.keys()) if (!attempts.has(id)) memory.lookups.delete(id)
  // A transaction of this very turn is not among the attempts yet.
  if (memory.refusals.size > 500) memory.refusals.clear()
  if (memory.sent.size < 500) return
  const open = new Set([...attempts.values()].flat().map(({ hash }) => hash))
  for (const hash of memory.sent.keys()) if (!open.has(hash)) memory.sent.delete(hash)
}
