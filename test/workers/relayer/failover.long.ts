import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import postgres from 'postgres'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { insertChainState } from '../../../store/chain/state.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { chainLeadership } from '../../../store/database/leadership.ts'
import { closeRedis, openRedis, type RedisConnection } from '../../../store/redis/connection.ts'
import { ledgerOf, type NonceMemory, openNonceMemory } from '../../../store/redis/nonces.ts'
import { type KeyStatus, reactivateKey, readRelayerKeys } from '../../../store/relayer/keys.ts'
import { startChainActor } from '../../../workers/ledger/actor.ts'
import { type FailoverContext, FailoverGuard } from '../../../workers/relayer/failover.ts'
import { openRelayer, relayerVariables, settleAll } from '../../support/relayer/relayers.ts'
import { dueSweeps } from '../../support/relayer/sweeps.ts'
import { send, tokenCall, transact } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { postgresUrl, redisPrefix, redisUrl } from '../../support/servers/run.ts'
import { newHash } from '../../support/store/database.ts'

/** A database that a failover took back to before the last commits, on a chain that has gone on. */

const SILENT = pino({ level: 'silent' })
let chain: HubChain
let redis: RedisConnection
let nonces: NonceMemory
let next = 0

beforeAll(async () => {
  chain = await startHubChain({ relayers: 20 })
  redis = openRedis(await redisUrl(), { name: 'test', onError: () => {} })
}, 120_000)
beforeEach(() => {
  nonces = openNonceMemory(redis, redisPrefix())
})
afterAll(async () => {
  closeRedis(redis)
  await chain?.node.stop()
})

interface Rewound {
  readonly key: Hex
  readonly deposit: Address
  /** Has forgotten the sweep that the chain has carried out. */
  readonly behind: Database
  /** Knows it. */
  readonly whole: Database
}

/** Sends a sweep, and gives the database as it was before that back beside the one that it became. */
async function rewind(): Promise<Rewound> {
  const whole = await freshDatabase()
  const key = chain.relayerKeys[next++]
  if (key === undefined) throw new Error('the chain has too few relayer keys')
  const relayer = openRelayer(whole, chain, { key })
  await relayer.turn()
  const [sweep] = await dueSweeps(whole, chain, 1, { pays: 'recipient' })
  if (sweep === undefined) throw new Error('there is no sweep')
  await relayer.release()
  const url = new URL(databaseUrlOf(whole))
  const copy = `${url.pathname.slice(1)}_before`
  const server = postgres(await postgresUrl(), { max: 1, onnotice: () => {} })
  await server`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${url.pathname.slice(1)}`
  await server`
    create database ${server(copy)} template ${server(url.pathname.slice(1))} strategy file_copy`
  await server.end()
  const again = openRelayer(whole, chain, { key })
  await settleAll(whole, chain, [again])
  await again.release()
  url.pathname = `/${copy}`
  return { key, deposit: sweep.deposit, whole, behind: openDatabase(url.href, { name: 'test' }) }
}

function clientFor(key: Hex, rpcUrl = chain.node.url) {
  const { config, chain: active } = workerConfig(relayerVariables(chain, { key, rpcUrl }))
  return { config, client: openChain(active), active }
}

function contextOf(database: Database, client: ChainClient): FailoverContext {
  return { database, client, hub: chain.hub, nonces, log: SILENT }
}

/** An actor that has had time to send whatever it would, or runs until something holds. */
async function runActor(
  database: Database,
  key: Hex,
  holds: (() => Promise<boolean>) | null = null,
  rpcUrl = chain.node.url,
): Promise<void> {
  const { config, active } = clientFor(key, rpcUrl)
  const url = `postgres://${database.options.user}@${database.options.host[0]}:${database.options.port[0]}/${database.options.database}`
  const actor = startChainActor({
    config,
    chain: active,
    database,
    nonces,
    leadership: chainLeadership(url, active.chainId),
    workerId: 'after the failover',
    log: SILENT,
    wakeOthers() {},
    wakeNotifier() {},
    onFatal(error) {
      throw error
    },
  })
  const turn = async () => {
    actor.wake()
    await Bun.sleep(100)
    await chain.mine()
  }
  if (holds === null) for (let i = 0; i < 15; i += 1) await turn()
  else for (const end = Date.now() + 60_000; Date.now() < end && !(await holds()); ) await turn()
  await actor.stop()
}

/** A worker that starts now finds nothing amiss. */
async function expectWhole(database: Database, client: ChainClient): Promise<void> {
  const rows = async () =>
    (await readRelayerKeys(database, chain.networkId)).map(({ address, status, nextNonce }) => {
      return { address, status, nextNonce }
    })
  const before = await rows()
  expect(await new FailoverGuard(contextOf(database, client)).check()).toBe(true)
  expect(await rows()).toEqual(before)
}

async function sentBy(database: Database): Promise<number> {
  const [row] = await database<{ sent: number }[]>`
    select count(*)::int as sent from relayer_attempt`
  return row?.sent ?? 0
}

describe('a worker whose database has forgotten what was sent', () => {
  test('sends nothing on that chain, and says what to do', async () => {
    const { behind, whole, key, deposit } = await rewind()
    // Money that belongs to another party by now.
    await chain.mint([{ to: deposit, amount: 5_000_000n }])
    await runActor(behind, key)
    expect(await sentBy(behind)).toBe(0)
    expect(await chain.balance(deposit)).toBe(5_000_000n)
    const keys = await readRelayerKeys(behind, chain.networkId)
    expect(keys.map(({ status }) => status)).toEqual(['quarantined'])
    expect(keys[0]?.note).toContain('the database is behind the chain')
    expect(keys[0]?.note).toContain('remit reconcile')
    expect(keys[0]?.note).toContain(`remit relayer revive --chain ${chain.networkId}`)
    await whole.end()
    await behind.end()
  }, 120_000)

  test('goes on once a person has put its key back, and not by itself', async () => {
    const { behind, whole, key } = await rewind()
    await runActor(behind, key)
    await runActor(behind, key)
    expect(await sentBy(behind)).toBe(0)
    const { client } = clientFor(key)
    const [held] = await readRelayerKeys(behind, chain.networkId)
    if (held === undefined) throw new Error('there is no key')
    const { address } = held
    const nonce = BigInt(await client.rpc.getTransactionCount({ address }))
    const { networkId } = chain
    expect(await reactivateKey(behind, { networkId, address }, nonce)).toMatchObject({ ok: true })
    await expectWhole(behind, client)
    await whole.end()
    await behind.end()
  }, 120_000)

  test('notices it while it runs, too, and leaves Redis as it was', async () => {
    const { behind, whole, key } = await rewind()
    const { client } = clientFor(key)
    const guard = new FailoverGuard(contextOf(whole, client))
    const other = new FailoverGuard(contextOf(whole, client))
    const statuses = async () =>
      (await readRelayerKeys(whole, chain.networkId)).map(({ status }) => status)
    const note = async (by = guard) => by.note(await readRelayerKeys(whole, chain.networkId))
    await whole`update relayer_key set next_nonce = next_nonce + 1`
    for (const one of [guard, other]) {
      await one.check()
      expect(await note(one)).toBe(true)
    }
    const recalled = await nonces.recall(await ledgerOf(whole, chain.networkId))
    await whole`update relayer_key set next_nonce = next_nonce - 1`
    // Connections need not have been used while they broke.
    expect(await note()).toBe(false)
    expect(await nonces.recall(await ledgerOf(whole, chain.networkId))).toEqual(recalled)
    expect(await statuses()).toEqual(['active'])
    await guard.check()
    expect(await statuses()).toEqual(['quarantined'])
    // A person decides where it resumes, also below where it once was, and all hear of it.
    expect(await note(other)).toBe(true)
    await whole`update relayer_key set status = 'active'`
    expect(await note(other)).toBe(true)
    const shared = await nonces.recall(await ledgerOf(whole, chain.networkId))
    const [resumed] = await readRelayerKeys(whole, chain.networkId)
    expect(shared.get(addressOf(key))).toBe(resumed?.nextNonce)
    expect(await note()).toBe(true)
    await whole.end()
    await behind.end()
  }, 120_000)

  test('is compared again where another server answers for it, and until then nothing is withdrawn', async () => {
    const { behind, whole, key } = await rewind()
    const { client } = clientFor(key)
    const compared = async (database: Database) => {
      const rows = await database<{ isCompared: boolean }[]>`
        select compared_server = pg_postmaster_start_time() as is_compared from chain_state`
      return rows.map(({ isCompared }) => isCompared)
    }
    for (const database of [whole, behind]) {
      await insertChainState(database, chain.networkId, 84_532, newHash())
      await database`update chain_state set compared_server = '2026-11-23 10:00:00+00'`
    }
    const guard = new FailoverGuard(contextOf(whole, client))
    expect(await guard.check()).toBe(true)
    expect(await compared(whole)).toEqual([true])
    const keys = await readRelayerKeys(whole, chain.networkId)
    expect(await guard.note(keys)).toBe(true)
    expect(await guard.note(keys.map((row) => ({ ...row, server: 'another one' })))).toBe(false)
    await whole`update chain_state set compared_server = '2026-11-23 10:00:00+00'`
    expect(await guard.check()).toBe(true)
    expect(await compared(whole)).toEqual([true])
    expect(await guard.note([])).toBe(true)
    // Of one that is behind, what waits counts as signed for before anything can be withdrawn.
    const late = new FailoverGuard(contextOf(behind, client))
    expect(await late.check()).toBe(true)
    expect(await compared(behind)).toEqual([true])
    const statuses = (await readRelayerKeys(behind, chain.networkId)).map(({ status }) => status)
    expect(statuses).toEqual(['quarantined'])
    await whole.end()
    await behind.end()
  }, 120_000)

  test('notices by Redis what no node knows of', async () => {
    const { behind, whole, key } = await rewind()
    const { client } = clientFor(key)
    const [known] = await readRelayerKeys(whole, chain.networkId)
    if (known === undefined) throw new Error('there is no key')
    const guard = new FailoverGuard(contextOf(whole, client))
    await guard.check()
    await whole`update relayer_key set next_nonce = next_nonce + 3`
    await guard.note(await readRelayerKeys(whole, chain.networkId))
    const recalled = await nonces.recall(await ledgerOf(whole, chain.networkId))
    expect(recalled.get(known.address)).toBe(known.nextNonce + 3n)
    await whole`update relayer_key set next_nonce = next_nonce - 3`
    const [first] = await readRelayerKeys(whole, chain.networkId)
    expect(first?.status).toBe('active')
    expect(await new FailoverGuard(contextOf(whole, client)).check()).toBe(true)
    const [held] = await readRelayerKeys(whole, chain.networkId)
    expect(held?.status).toBe('quarantined')
    const { address, nextNonce } = known
    expect(held?.note).toContain(
      `${address} is at account nonce ${nextNonce + 3n}, the database has ${nextNonce}: the database itself had come so far`,
    )
    await whole.end()
    await behind.end()
  }, 120_000)
})

describe('a key that another party has used', () => {
  const STRANGER = lowerCaseAddress('0x00000000000000000000000000000000000057a6')
  let rewound: Rewound
  let address: Address
  beforeEach(async () => {
    rewound = await rewind()
    address = addressOf(rewound.key)
  })
  afterEach(async () => {
    await rewound.whole.end()
    await rewound.behind.end()
  })

  const statuses = async (database: Database) =>
    new Map(
      (await readRelayerKeys(database, chain.networkId)).map((key) => [key.address, key.status]),
    )
  const noteOf = async (database: Database) =>
    (await readRelayerKeys(database, chain.networkId)).find((key) => key.address === address)?.note

  test('is out of service alone, by the transaction that shows it', async () => {
    const { whole, key } = rewound
    const second = chain.relayerKeys[next++] ?? '0x'
    await openRelayer(whole, chain, { key: second }).turn()
    const uses = [
      await transact(chain, key, STRANGER, '0x'),
      await transact(chain, key, STRANGER, '0x'),
    ]
    await chain.mine(3)
    await dueSweeps(whole, chain, 1, { pays: 'recipient' })
    const before = await sentBy(whole)
    await runActor(whole, second, async () => (await sentBy(whole)) > before)
    expect(await statuses(whole)).toEqual(
      new Map<Address, KeyStatus>([
        [address, 'quarantined'],
        [addressOf(second), 'active'],
      ]),
    )
    expect(await noteOf(whole)).toContain(
      `were used by another sender, first in ${uses[0]?.transactionHash}`,
    )
    expect(await sentBy(whole)).toBe(before + 1)
    await expectWhole(whole, clientFor(key).client)
    expect(
      await whole`select account_nonce from relayer_tx where state = 'nonce_taken'`,
    ).toHaveLength(2)
  })

  test('while its worker had nothing to do is out of service before anything is sent', async () => {
    const { whole, key } = rewound
    const [{ nextNonce = 0n } = {}] = await readRelayerKeys(whole, chain.networkId)
    const before = await sentBy(whole)
    let turns = 0
    await runActor(whole, key, async () => {
      turns += 1
      if (turns === 5) {
        await transact(chain, key, STRANGER, '0x')
        await transact(chain, key, STRANGER, '0x')
        await dueSweeps(whole, chain, 1, { pays: 'recipient' })
      }
      return (await statuses(whole)).get(address) === 'quarantined'
    })
    expect(await sentBy(whole)).toBe(before)
    expect(await noteOf(whole)).toContain('were used by another sender')
    // What is sent while no worker looks is written down when a person puts it back to work, so that it
    // goes on without a gap in its rows.
    await transact(chain, key, STRANGER, '0x')
    const name = { networkId: chain.networkId, address }
    const behind = { ok: false, reason: 'behind', nextNonce: nextNonce + 2n } as const
    expect(await reactivateKey(whole, name, nextNonce + 1n)).toEqual(behind)
    expect(await reactivateKey(whole, name, nextNonce + 3n)).toEqual({ ok: true, taken: 1n })
    await settleAll(whole, chain, [openRelayer(whole, chain, { key })])
    const rows = await whole`select account_nonce from relayer_tx order by account_nonce`
    expect(rows.map((tx) => tx.accountNonce)).toEqual(rows.map((_, i) => BigInt(i)))
  })

  test('is not told from a database that has forgotten, beside a transaction of ours', async () => {
    const { behind, key } = rewound
    await transact(chain, key, STRANGER, '0x')
    await chain.mine(3)
    const { client } = clientFor(key)
    expect(await new FailoverGuard(contextOf(behind, client)).check()).toBe(true)
    expect(await noteOf(behind)).toContain(`called ${chain.hub}`)
  })

  test.each([
    ['a call to a token, as payments are', () => chain.usdc.address],
    ['nothing at all, as a cancelled transaction does', () => address],
  ])('for %s holds the chain', async (_, to) => {
    const { whole, key } = rewound
    const isToken = to() !== address
    await transact(chain, key, to(), isToken ? tokenCall('transfer', [STRANGER, 0n]) : '0x')
    await chain.mine(3)
    const { client } = clientFor(key)
    expect(await new FailoverGuard(contextOf(whole, client)).check()).toBe(true)
    expect(await noteOf(whole)).toContain('the database is behind the chain')
  })

  test('for more than is looked at holds the chain', async () => {
    const { whole, key } = rewound
    for (let i = 0; i < 17; i += 1) await transact(chain, key, STRANGER, '0x')
    await chain.mine(3)
    const { client } = clientFor(key)
    await new FailoverGuard(contextOf(whole, client)).check()
    expect(await noteOf(whole)).toContain('17 transactions')
  })

  test('in a way that no node shows any more holds the chain', async () => {
    const { whole, key } = rewound
    await transact(chain, key, STRANGER, '0x')
    await chain.mine(3)
    const node = startFakeRpc(chain.node.url)
    const head = await chain.client.getBlock()
    node.rule(({ method, params }) =>
      method === 'eth_getTransactionCount' &&
      Object(params[1]).blockHash !== undefined &&
      Object(params[1]).blockHash !== head.hash
        ? { type: 'error', code: -32_000, message: 'missing trie node' }
        : undefined,
    )
    const { client } = clientFor(key, node.url)
    await new FailoverGuard(contextOf(whole, client)).check()
    expect(await noteOf(whole)).toContain('nothing shows what used nonce')
    await node.stop()
  })

  test('is waited for while its transaction is not deep, and nothing is sent meanwhile', async () => {
    const { whole, key } = rewound
    const { client } = clientFor(key)
    const guard = new FailoverGuard(contextOf(whole, client))
    await send(chain, key, STRANGER, '0x')
    expect(await guard.check()).toBe(false)
    await chain.mine()
    expect(await guard.check()).toBe(false)
    expect(await statuses(whole)).toEqual(new Map([[address, 'active']]))
    await chain.mine(3)
    expect(await guard.check()).toBe(true)
    expect(await noteOf(whole)).toContain('were used by another sender')
  })

  test('keeps a worker from sending by another until the chain has shown for what', async () => {
    const { whole, key } = rewound
    const second = chain.relayerKeys[next++] ?? '0x'
    await openRelayer(whole, chain, { key: second }).turn()
    await dueSweeps(whole, chain, 1, { pays: 'recipient' })
    const { client } = clientFor(key)
    const pending = (await client.rpc.getTransactionCount({ address })) + 1
    const node = startFakeRpc(chain.node.url)
    node.rule(({ method, params }) =>
      method === 'eth_getTransactionCount' &&
      params[1] === 'pending' &&
      String(params[0]).toLowerCase() === address
        ? { type: 'result', result: `0x${pending.toString(16)}` }
        : undefined,
    )
    const before = await sentBy(whole)
    await runActor(whole, second, null, node.url)
    expect(await sentBy(whole)).toBe(before)
    node.rule()
    await runActor(whole, second, async () => (await sentBy(whole)) > before, node.url)
    expect(await sentBy(whole)).toBe(before + 1)
    await node.stop()
  })

  test('is not waited for without end', async () => {
    const { whole, key } = rewound
    const { client } = clientFor(key)
    const guard = new FailoverGuard({ ...contextOf(whole, client), timeoutMs: 0 })
    await send(chain, key, STRANGER, '0x')
    expect(await guard.check()).toBe(false)
    expect(await guard.check()).toBe(true)
    expect(await noteOf(whole)).toContain('its transaction is not mined')
    await chain.mine()
  })
})

test('a worker whose database was made again goes on, regardless of what Redis has of the one before', async () => {
  const { behind, whole, key } = await rewind()
  const { client } = clientFor(key)
  const keys = await readRelayerKeys(whole, chain.networkId)
  const before = keys.map((one) => ({ ...one, nextNonce: one.nextNonce + 3n }))
  await nonces.remember(await ledgerOf(whole, chain.networkId), before)
  await whole`update migration set applied_at = applied_at + interval '1 second'`
  await expectWhole(whole, client)
  await whole.end()
  await behind.end()
}, 120_000)

test('a worker whose database knows all goes on', async () => {
  const { behind, whole, key } = await rewind()
  await expectWhole(whole, clientFor(key).client)
  await dueSweeps(whole, chain, 1, { pays: 'recipient' })
  const before = await sentBy(whole)
  await runActor(whole, key, async () => (await sentBy(whole)) > before)
  expect(await sentBy(whole)).toBe(before + 1)
  await whole.end()
  await behind.end()
}, 120_000)
