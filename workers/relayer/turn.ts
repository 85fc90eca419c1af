import { privateKeyToAccount } from 'viem/accounts'
import { accountNonces } from '../../chain/accounts.ts'
import { readHead } from '../../chain/blocks.ts'
import { CanonicalBlocks } from '../../chain/canonical.ts'
import { type Fees, suggestFees } from '../../chain/fees.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { readRelayerKeys } from '../../store/relayer/keys.ts'
import { readUnfinished } from '../../store/relayer/transactions.ts'
import { SweepsByOthers } from '../evidence/sweeps.ts'
import { confirmDeep } from './confirm.ts'
import type { RelayerContext, RelayerDeps, RelayerTiming, TurnView } from './context.ts'
import { decideUndone } from './decide.ts'
import { deliverOpen } from './deliver.ts'
import { dispatchWork, leastCost, openCost } from './dispatch.ts'
import {
  acquireKeys,
  keepLeases,
  releaseKeys,
  resumeFunded,
  watchBalances,
  watchForStrangers,
} from './keys.ts'
import { attemptsOf, observe } from './observe.ts'
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
    foreignBlocks: BigInt(Math.max(3, chain.confirmations)),
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
      said: new Map(),
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
  const { memory } = context
  await keepLeases(context)
  await acquireKeys(context)
  const seen = await look(context)
  await memory.canonical.advance(seen.head)
  await Promise.all([watchForStrangers(context, seen), watchBalances(context, seen)])
  const isMoved = await observe(context, seen)
  const current = isMoved ? await reread(context, seen) : seen
  const fees = await currentFees(context, current)
  const isRenewed = await renewAttempts(context, current, fees)
  const view = isRenewed ? await reread(context, current) : current
  const clear = await deliverAll(context, view, fees)
  const isSent = await dispatchWork(context, view, clear, fees)
  // Money waits for the slots to be filled first: what is confirmed stays confirmed.
  await decideUndone(context, view)
  context.sweepsByOthers.beginTurn()
  await confirmDeep(context, view)
  forgetOld(context, view)
  if (isSent) return 'sent'
  return view.unfinished.some(({ state }) => state === 'signed') ? 'open' : 'idle'
}

/** Reads rows and chain together. */
async function look(context: RelayerContext): Promise<TurnView> {
  const { client, database, networkId, memory } = context
  const held = [...memory.leases.keys()]
  const configured = [...context.accounts.keys()]
  const [head, heldNonces, keys, unfinished] = await Promise.all([
    readHead(client.rpc),
    accountNonces(client.rpc, held),
    readRelayerKeys(database, networkId),
    readUnfinished(database, networkId, held, configured),
  ])
  const others = new Set(unfinished.map(({ address }) => address).filter((a) => !heldNonces.has(a)))
  const [attempts, otherNonces] = await Promise.all([
    attemptsOf(context, unfinished),
    accountNonces(client.rpc, [...others]),
  ])
  return {
    head,
    accountNonces: new Map([...heldNonces, ...otherNonces]),
    keys: new Map(keys.map((key) => [key.address, key])),
    unfinished,
    attempts,
  }
}

/** Reads the rows again after this turn has changed them; the chain is as it was seen. */
async function reread(context: RelayerContext, view: TurnView): Promise<TurnView> {
  const held = [...context.memory.leases.keys()]
  const configured = [...context.accounts.keys()]
  const unfinished = await readUnfinished(context.database, context.networkId, held, configured)
  return { ...view, unfinished, attempts: await attemptsOf(context, unfinished) }
}

async function currentFees({ memory, client }: RelayerContext, { head }: TurnView): Promise<Fees> {
  if (memory.fees?.head === head.hash) return memory.fees.fees
  const fees = await suggestFees(client.rpc, head.baseFeePerGas)
  memory.fees = { head: head.hash, fees }
  return fees
}

/** Sends what is open, key by key. The answer holds the keys that may send something new. */
async function deliverAll(
  context: RelayerContext,
  view: TurnView,
  fees: Fees,
): Promise<Set<Address>> {
  const addresses = new Set([
    ...context.memory.leases.keys(),
    ...view.unfinished.map(({ address }) => address),
  ])
  const clear = new Set<Address>()
  await Promise.all(
    [...addresses].map(async (address) => {
      await resumeIfFunded(context, view, address, fees)
      if (await deliverOpen(context, view, address)) clear.add(address)
    }),
  )
  return clear
}

async function resumeIfFunded(
  context: RelayerContext,
  view: TurnView,
  address: Address,
  fees: Fees,
): Promise<void> {
  if (view.keys.get(address)?.status !== 'no_funds' || !context.memory.leases.has(address)) return
  await resumeFunded(context, address, openCost(view, address) + leastCost(fees))
}

/** The attempts that are over need not be remembered. */
function forgetOld({ memory }: RelayerContext, view: TurnView): void {
  if (memory.said.size > 500) memory.said.clear()
  if (memory.sent.size < 500) return
  const open = new Set([...view.attempts.values()].flat().map(({ hash }) => hash))
  for (const hash of memory.sent.keys()) if (!open.has(hash)) memory.sent.delete(hash)
}
