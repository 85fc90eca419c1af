import { privateKeyToAccount } from 'viem/accounts'
import { accountNonces } from '../../chain/accounts.ts'
import { readHead } from '../../chain/blocks.ts'
import { CanonicalBlocks } from '../../chain/canonical.ts'
import { type Fees, suggestFees } from '../../chain/fees.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { readRelayerKeys } from '../../store/relayer/keys.ts'
import { readUnfinished } from '../../store/relayer/transactions.ts'
import { SCANS_PER_TURN } from '../evidence/sweptByOthers.ts'
import { confirmDeep } from './confirm.ts'
import type { RelayerDeps, RelayerTiming, RelayerWorld, TurnView } from './context.ts'
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
  const world = worldOf(deps)
  let pace: Pace = 'idle'
  return {
    async turn() {
      pace = await turn(world)
    },
    release: () => releaseKeys(world),
    get pace() {
      return pace
    },
  }
}

function worldOf(deps: RelayerDeps): RelayerWorld {
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
    accounts: new Map(accounts.map((account) => [lowerCaseAddress(account.address), account])),
    memory: {
      leases: new Map(),
      operators: new Map(),
      balances: new Map(),
      said: new Map(),
      sent: new Map(),
      missing: new Map(),
      overtaken: new Map(),
      searches: new Map(),
      scansLeft: 0,
      canonical: new CanonicalBlocks(rpc, BigInt(chain.finalityDepth)),
      head: null,
      fees: null,
      renewedAt: 0,
      lookedForKeysAt: Number.NEGATIVE_INFINITY,
    },
    step: async (step) => {
      await deps.onStep?.(step)
    },
  }
}

async function turn(world: RelayerWorld): Promise<Pace> {
  const { memory } = world
  await keepLeases(world)
  await acquireKeys(world)
  const seen = await look(world)
  memory.head = seen.head
  await memory.canonical.advance(seen.head)
  await Promise.all([watchForStrangers(world, seen), watchBalances(world, seen)])
  const isMoved = await observe(world, seen)
  const current = isMoved ? await reread(world, seen) : seen
  const fees = await currentFees(world, current)
  const isRenewed = await renewAttempts(world, current, fees)
  const view = isRenewed ? await reread(world, current) : current
  const clear = await deliverAll(world, view, fees)
  const isSent = await dispatchWork(world, view, clear, fees)
  // Money waits for the slots to be filled first: what is confirmed stays confirmed.
  await decideUndone(world, view)
  memory.scansLeft = SCANS_PER_TURN
  await confirmDeep(world, view)
  forgetOld(world, view)
  if (isSent) return 'sent'
  return view.unfinished.some(({ state }) => state === 'signed') ? 'open' : 'idle'
}

/** Reads rows and chain together. */
async function look(world: RelayerWorld): Promise<TurnView> {
  const { client, database, networkId, memory } = world
  const held = [...memory.leases.keys()]
  const configured = [...world.accounts.keys()]
  const [head, heldNonces, keys, unfinished] = await Promise.all([
    readHead(client.rpc),
    accountNonces(client.rpc, held),
    readRelayerKeys(database, networkId),
    readUnfinished(database, networkId, held, configured),
  ])
  const others = new Set(unfinished.map(({ address }) => address).filter((a) => !heldNonces.has(a)))
  const [attempts, otherNonces] = await Promise.all([
    attemptsOf(world, unfinished),
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
async function reread(world: RelayerWorld, view: TurnView): Promise<TurnView> {
  const held = [...world.memory.leases.keys()]
  const configured = [...world.accounts.keys()]
  const unfinished = await readUnfinished(world.database, world.networkId, held, configured)
  return { ...view, unfinished, attempts: await attemptsOf(world, unfinished) }
}

async function currentFees({ memory, client }: RelayerWorld, { head }: TurnView): Promise<Fees> {
  if (memory.fees?.head === head.hash) return memory.fees.fees
  const fees = await suggestFees(client.rpc, head.baseFeePerGas)
  memory.fees = { head: head.hash, fees }
  return fees
}

/** Sends what is open, key by key. The answer holds the keys that may send something new. */
async function deliverAll(world: RelayerWorld, view: TurnView, fees: Fees): Promise<Set<Address>> {
  const addresses = new Set([
    ...world.memory.leases.keys(),
    ...view.unfinished.map(({ address }) => address),
  ])
  const clear = new Set<Address>()
  await Promise.all(
    [...addresses].map(async (address) => {
      await resumeIfFunded(world, view, address, fees)
      if (await deliverOpen(world, view, address)) clear.add(address)
    }),
  )
  return clear
}

async function resumeIfFunded(
  world: RelayerWorld,
  view: TurnView,
  address: Address,
  fees: Fees,
): Promise<void> {
  if (view.keys.get(address)?.status !== 'no_funds' || !world.memory.leases.has(address)) return
  await resumeFunded(world, address, openCost(view, address) + leastCost(fees))
}

/** The attempts that are over need not be remembered. */
function forgetOld({ memory }: RelayerWorld, view: TurnView): void {
  if (memory.said.size > 500) memory.said.clear()
  if (memory.sent.size < 500) return
  const open = new Set([...view.attempts.values()].flat().map(({ hash }) => hash))
  for (const hash of memory.sent.keys()) if (!open.has(hash)) memory.sent.delete(hash)
}
