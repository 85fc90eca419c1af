import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import postgres from 'postgres'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import type { Address } from '../../../core/chain/evm.ts'
import {
  type Database,
  DatabaseBehindError,
  openDatabase,
} from '../../../store/database/database.ts'
import { closeRedis, openRedis, type RedisConnection } from '../../../store/redis/connection.ts'
import { openNonceMemory } from '../../../store/redis/nonces.ts'
import { readRelayerKeys } from '../../../store/relayer/keys.ts'
import type { RelayerStep } from '../../../workers/relayer/context.ts'
import { FailoverGuard } from '../../../workers/relayer/failover.ts'
import { createRelayer } from '../../../workers/relayer/turn.ts'
import { newAddress, refundRig } from '../../support/invoice/refunds.ts'
import { openRelayer, QUICK, relayerVariables } from '../../support/relayer/relayers.ts'
import { dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { dueSweeps } from '../../support/relayer/sweeps.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { openLosingPostgres } from '../../support/servers/lostCommits.ts'
import { postgresUrl, redisPrefix, redisUrl } from '../../support/servers/run.ts'

/**
 * A failover that loses the commit of what was signed, at any moment of a turn by two keys: whatever is signed
 * afterwards, by the same worker or by another, no refund and no sweep moves money twice.
 *
 * LOST_COMMIT_RUNS=200 tries as many interleavings, and LOST_COMMIT_SEED=n begins with the one that failed.
 */

const RUNS = Number(process.env.LOST_COMMIT_RUNS ?? 3)
const FIRST_SEED = Number(process.env.LOST_COMMIT_SEED ?? 1)
const SILENT = pino({ level: process.env.RELAYER_DEBUG ? 'debug' : 'silent' })
const REFUND = 2_000_000n

let chain: HubChain
let redis: RedisConnection
let server: postgres.Sql
let template: string
let base: Database
let keys: string
let snapshot: string
/** Who is to be paid, and how much at most. */
const most = new Map<Address, bigint>()

beforeAll(async () => {
  chain = await startHubChain({ relayers: 2 })
  redis = openRedis(await redisUrl(), { name: 'test', onError: () => {} })
  server = postgres(await postgresUrl(), { max: 1, onnotice: () => {} })
  base = await freshDatabase()
  template = new URL(databaseUrlOf(base)).pathname.slice(1)
  keys = chain.relayerKeys.join(',')
  const [key] = chain.relayerKeys
  if (key === undefined) throw new Error('the chain has no relayer key')
  const taking = openRelayer(base, chain, { key, variables: variablesOfKeys() })
  await taking.turn()
  await taking.release()
  await storeWork(key)
  snapshot = String(await chain.node.rpc('evm_snapshot'))
}, 120_000)

afterAll(async () => {
  closeRedis(redis)
  await server?.end()
  await base?.end()
  await chain?.node.stop()
})

function variablesOfKeys() {
  return { RELAYER_KEYS_BASE_SEPOLIA: keys }
}

/** A refund, two sweeps and payments that wait; each account holds more than is to leave it. */
async function storeWork(key: `0x${string}`): Promise<void> {
  const rig = await refundRig(base, chain, key)
  const invoice = await rig.invoice()
  await rig.pay(invoice, 3n * REFUND)
  const address = newAddress()
  const asked = await rig.ask(invoice, '2', { address })
  if (!asked.ok) throw new Error('the refund was refused')
  most.set(address, REFUND)
  const forwarder = await newForwarder(base, chain)
  await dueSettles(base, chain, forwarder, 2)
  const sweeps = await dueSweeps(base, chain, 2, { pays: 'recipient' })
  await chain.mint(sweeps.map(({ deposit }) => ({ to: deposit, amount: 5_000_000n })))
  const [first] = sweeps
  if (first === undefined) throw new Error('there is no sweep')
  const paid = sweeps.reduce((sum, { amount, fee }) => sum + amount - fee, 0n)
  most.set(first.recipient, paid)
  await chain.mine(3)
  await base`update work_item set not_before = now() + interval '1 day'`
}

/** When commits are lost, and who goes on. */
interface Interleaving {
  /** The step, and the how manieth of it, after which all commits since the beginning are lost. */
  readonly step: RelayerStep
  readonly nth: number
  /** Whether a block is mined right before. */
  readonly isMined: boolean
  /** The same worker; another one, which Redis tells; another one, to whom only the chain speaks. */
  readonly next: 'kept' | 'redis' | 'chain'
}

interface Outcome {
  /** Accounts that got more than they were to get. */
  readonly overpaid: readonly Address[]
  readonly wasLost: boolean
  readonly statuses: readonly string[]
}

async function play(at: Interleaving, isGuarded = true): Promise<Outcome> {
  await chain.node.rpc('evm_revert', [snapshot])
  snapshot = String(await chain.node.rpc('evm_snapshot'))
  const losing = await openLosingPostgres(server, template)
  const database = openDatabase(losing.url, { name: 'test', poolSize: 4 })
  let seen = 0
  let wasLost = false
  const onStep = async (step: RelayerStep) => {
    if (wasLost || step !== at.step) return
    seen += 1
    if (seen < at.nth) return
    wasLost = true
    if (at.isMined) await chain.mine()
    await losing.failOver()
  }
  const prefix = redisPrefix()
  const worker = openWorker(database, 'before', prefix, isGuarded, onStep)
  try {
    await worker.turn()
    await database`update work_item set not_before = now()`
    await losing.keep()
    for (let turn = 0; turn < 5 && !wasLost; turn += 1) {
      await turnOnce(worker)
      await chain.mine()
    }
    // The leases of the one before have run out by then.
    if (at.next !== 'kept') await database`update relayer_key set lease_until = 'epoch'`
    const known = at.next === 'redis' ? prefix : redisPrefix()
    const following = at.next === 'kept' ? worker : openWorker(database, 'after', known, isGuarded)
    for (let turn = 0; turn < 6; turn += 1) {
      await turnOnce(following)
      await chain.mine()
    }
    const rows = await readRelayerKeys(database, chain.networkId)
    return { overpaid: await overpaid(), wasLost, statuses: rows.map(({ status }) => status) }
  } finally {
    await database.end({ timeout: 1 })
    await losing.stop()
  }
}

type Worker = ReturnType<typeof openWorker>

function openWorker(
  database: Database,
  workerId: string,
  prefix: string,
  isGuarded: boolean,
  onStep: (step: RelayerStep) => Promise<void> = async () => {},
) {
  const [key = '0x'] = chain.relayerKeys
  const setup = { key, variables: variablesOfKeys() }
  const { config, chain: active } = workerConfig(relayerVariables(chain, setup))
  const client = openChain(active)
  const nonces = openNonceMemory(redis, prefix)
  const guard = new FailoverGuard({ database, client, hub: chain.hub, nonces, log: SILENT })
  const relayer = createRelayer({
    ...{ database, client, config, workerId, onStep },
    heads: { newest: () => readHead(client.rpc) },
    log: SILENT,
    onSettlementChanged: async () => {},
    timing: QUICK,
    guard: isGuarded ? guard : undefined,
  })
  return {
    async turn() {
      if (isGuarded && !(await guard.check())) return
      await relayer.turn()
    },
  }
}

/** What fails a turn has broken connections, or lost rows, for its reason. */
async function turnOnce(worker: Worker): Promise<unknown> {
  return worker.turn().catch((error: unknown) => error)
}

async function overpaid(): Promise<Address[]> {
  const accounts = [...most]
  const balances = await Promise.all(accounts.map(([account]) => chain.balance(account)))
  return accounts.flatMap(([account, limit], i) => ((balances[i] ?? 0n) > limit ? [account] : []))
}

/** Numbers from 0 up to but not including `below`, always the same for one seed. */
function randomOf(seed: number) {
  let state = seed * 2_654_435_761
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return state % below
  }
}

const STEPS = ['assigned', 'assigned', 'broadcast_sent', 'receipt_seen', 'resolved'] as const
const NEXT = ['kept', 'kept', 'redis', 'chain'] as const

function interleavingOf(seed: number): Interleaving {
  const random = randomOf(seed)
  return {
    step: STEPS[random(STEPS.length)] ?? 'assigned',
    nth: 1 + random(4),
    isMined: random(2) === 0,
    next: NEXT[random(NEXT.length)] ?? 'kept',
  }
}

describe('the commit of a refund that one key has sent is lost', () => {
  const lost: Interleaving = { step: 'broadcast_sent', nth: 2, isMined: true, next: 'kept' }

  test('and no other key sends it once more: all of them stop', async () => {
    const { overpaid, statuses, wasLost } = await play(lost)
    expect({ overpaid, statuses, wasLost }).toEqual({
      overpaid: [],
      statuses: ['quarantined', 'quarantined'],
      wasLost: true,
    })
  }, 120_000)
})

describe('whatever commit is lost, and whenever', () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
    const at = interleavingOf(seed)
    test(`nothing is paid twice: ${seed}, ${JSON.stringify(at)}`, async () => {
      expect((await play(at)).overpaid).toEqual([])
    }, 120_000)
  }
})

test('the error that ends such a turn says what the database has forgotten, and the next one holds the chain', async () => {
  const losing = await openLosingPostgres(server, template)
  const database = openDatabase(losing.url, { name: 'test', poolSize: 2 })
  const { chain: active } = workerConfig(
    relayerVariables(chain, { key: '0x', variables: variablesOfKeys() }),
  )
  const nonces = openNonceMemory(redis, `${redisPrefix()}:error`)
  const context = { database, client: openChain(active), hub: chain.hub, nonces, log: SILENT }
  const guard = new FailoverGuard(context)
  // As far as the tests before have come with them on the chain.
  for (const { address } of await readRelayerKeys(database, chain.networkId)) {
    const used = await chain.client.getTransactionCount({ address })
    await database`update relayer_key set next_nonce = ${used} where address = ${address}`
  }
  expect(await guard.check()).toBe(true)
  const [first] = await readRelayerKeys(database, chain.networkId)
  if (first === undefined) throw new Error('there is no key')
  await guard.raise(first.address, first.nextNonce + 1n)
  const compared = database.begin((sql) => guard.compare(sql)).catch((error: unknown) => error)
  expect(await compared).toBeInstanceOf(DatabaseBehindError)
  // Another worker hears of it by Redis alone.
  const other = new FailoverGuard(context)
  const heard = database.begin((sql) => other.compare(sql)).catch((error: unknown) => error)
  expect(await heard).toBeInstanceOf(DatabaseBehindError)
  expect(await guard.check()).toBe(true)
  const keys = await readRelayerKeys(database, chain.networkId)
  expect(keys.map(({ status }) => status)).toEqual(['quarantined', 'quarantined'])
  await database.end()
  await losing.stop()
}, 120_000)
