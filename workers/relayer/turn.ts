import { privateKeyToAccount } from 'viem/accounts'
import { accountNonces } from '../../chain/accounts.ts'
import { readHead } from '../../chain/blocks.ts'
import { CanonicalBlocks } from '../../chain/canonical.ts'
import { type Fees, suggestFees } from '../../chain/fees.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Database } from '../../store/database.ts'
import { type Attempt, readAttempts } from '../../store/relayer/attempts.ts'
import { readRelayerKeys } from '../../store/relayer/keys.ts'
import { type RelayerTx, readUnfinished } from '../../store/relayer/transactions.ts'
import { SweepsByOthers } from '../evidence/sweeps.ts'
import { confirmDeep } from './confirm.ts'
import type {
  RelayerContext,
  RelayerDeps,
  RelayerTiming,
  RelayerTurn,
  SendingTurn,
} from './context.ts'
import { decideUndone } from './decide.ts'
import { deliverOpen } from './deliver.ts'
import { dispatchWork, leastCost, openCost } from './dispatch.ts'
import {
  acquireKeys,
  keepLeases,
  releaseKeys,
  resumeFunded,
  watchBalances,
  watchForOtherSenders,
} from './keys.ts'
import { observe } from './observe.ts'
import { renewAttempts } from './signing.ts'

/**
 * Sends a chain's transactions with the keys that this process has leased. Postgres holds all that
 * counts; a relayer that dies at any line is replaced by the next one that leases its keys.
 */
export interface Relayer {
  /** One short pass over everything; never waits for a block or a receipt. Not to be overlapped. */
  turn(): Promise<void>
  /** Gives the leases back, after the last turn. */
  release(): Promise<void>
  /** How soon the next turn should come, by what the last one has seen and done. */
  readonly pace: Pace
}

/** `sent`: something was sent just now; `open`: something is on its way; `idle`: nothing is. */
export type Pace = 'sent' | 'open' | 'idle'

export function createRelayer(deps: RelayerDeps): Relayer {
  const context = contextOf(deps)
  let pace: Pace = 'idle'
  return {
    async turn() {
      pace = await turn(context)
    },
    release: () => releaseKeys(context),
    get pace() {
      return pace
    },
  }
}

function contextOf(deps: RelayerDeps): RelayerContext {
  const { chain, rpc } = deps.client
  const keys = deps.config.relayerKeys.get(chain.networkId) ?? []
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const limits: RelayerTiming = {
    flushMs: 100,
    retryMs: 250,
    rebroadcastMs: Math.max(5_000, 2 * chain.blockTimeMs),
    bumpAfterMs: Math.max(15_000, 4 * chain.blockTimeMs),
    takenNonceBlocks: BigInt(Math.max(3, chain.confirmations)),
    balanceEveryMs: 15_000,
    revertPauseMs: Math.max(2_000, chain.blockTimeMs),
    ...deps.timing,
  }
  return {
    ...deps,
    limits,
    networkId: chain.networkId,
    sweepsByOthers: new SweepsByOthers(deps.database, deps.client),
    accounts: new Map(accounts.map((account) => [lowerCaseAddress(account.address), account])),
    memory: {
      leases: new Map(),
      operators: new Map(),
      balances: new Map(),
      logged: new Map(),
      sent: new Map(),
      missing: new Map(),
      overtaken: new Map(),
      canonical: new CanonicalBlocks(rpc, BigInt(chain.finalityDepth)),
      fees: null,
      renewedAt: 0,
      lookedForKeysAt: Number.NEGATIVE_INFINITY,
    },
    step: async (step) => {
      await deps.onStep?.(step)
    },
  }
}

async function turn(context: RelayerContext): Promise<Pace> {
  await keepLeases(context)
  await acquireKeys(context)
  const seen = await look(context)
  await context.memory.canonical.advance(seen.head)
  await Promise.all([watchForOtherSenders(seen), watchBalances(seen)])
  const current = (await observe(seen)) ? await reread(seen) : seen
  const priced = { ...current, fees: await currentFees(current) }
  const sending = (await renewAttempts(priced)) ? await reread(priced) : priced
  const isSent = await dispatchWork(sending, await deliverAll(sending))
  // Sending comes first, because money waits for it: what is confirmed stays confirmed.
  await decideUndone(sending)
  context.sweepsByOthers.beginTurn()
  await confirmDeep(sending)
  forgetOld(sending)
  if (isSent) return 'sent'
  return sending.unfinished.some(({ state }) => state === 'signed') ? 'open' : 'idle'
}

/** Reads rows and chain together. */
async function look(context: RelayerContext): Promise<RelayerTurn> {
  const { client, database, networkId, memory } = context
  const [head, ofLeased, keys, unfinished] = await Promise.all([
    readHead(client.rpc),
    accountNonces(client.rpc, [...memory.leases.keys()]),
    readRelayerKeys(database, networkId),
    unfinishedOf(context),
  ])
  const others = new Set(unfinished.map(({ address }) => address).filter((a) => !ofLeased.has(a)))
  const [attempts, ofOthers] = await Promise.all([
    openAttempts(database, unfinished),
    accountNonces(client.rpc, [...others]),
  ])
  return {
    ...context,
    head,
    accountNonces: new Map([...ofLeased, ...ofOthers]),
    keys: new Map(keys.map((key) => [key.address, key])),
    unfinished,
    attempts,
  }
}

/** Reads the rows again after this turn has changed them; the chain is as it was seen. */
async function reread<T extends RelayerTurn>(turn: T): Promise<T> {
  const unfinished = await unfinishedOf(turn)
  return { ...turn, unfinished, attempts: await openAttempts(turn.database, unfinished) }
}

function unfinishedOf(context: RelayerContext): Promise<RelayerTx[]> {
  const { database, networkId, memory, accounts } = context
  return readUnfinished(database, networkId, [...memory.leases.keys()], [...accounts.keys()])
}

/** The attempts of everything that is still open, or whose end is not decided. */
function openAttempts(
  database: Database,
  unfinished: readonly RelayerTx[],
): Promise<Map<bigint, Attempt[]>> {
  const open = unfinished.filter(({ state }) => state === 'signed' || state === 'nonce_taken')
  return readAttempts(
    database,
    open.map(({ id }) => id),
  )
}

async function currentFees({ memory, client, head }: RelayerTurn): Promise<Fees> {
  if (memory.fees?.head === head.hash) return memory.fees.fees
  const fees = await suggestFees(client.rpc, head.baseFeePerGas)
  memory.fees = { head: head.hash, fees }
  return fees
}

/** Sends what is open, key by key. Returns the keys that may send something new. */
async function deliverAll(turn: SendingTurn): Promise<Set<Address>> {
  const { keys, memory, unfinished } = turn
  const addresses = new Set([...memory.leases.keys(), ...unfinished.map(({ address }) => address)])
  const clear = new Set<Address>()
  await Promise.all(
    [...addresses].map(async (address) => {
      if (keys.get(address)?.status === 'no_funds' && memory.leases.has(address)) {
        await resumeFunded(turn, address, openCost(turn, address) + leastCost(turn))
      }
      if (await deliverOpen(turn, address)) clear.add(address)
    }),
  )
  return clear
}

/** The attempts that are over need not be remembered. */
function forgetOld({ memory, attempts }: RelayerTurn): void {
  if (memory.logged.size > 500) memory.logged.clear()
  if (memory.sent.size < 500) return
  const open = new Set([...attempts.values()].flat().map(({ hash }) => hash))
  for (const hash of memory.sent.keys()) if (!open.has(hash)) memory.sent.delete(hash)
}
