import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { reactivateKey } from '../../../store/relayer/keys.ts'
import { readAlarms } from '../../../store/turns/alarms.ts'
import { openRelayer, settleAll, step, type TestRelayer } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  states,
} from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 23 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

/** A transaction with the relayer's key that Remit knows nothing of. */
async function useNonce(key: Hex, nonce: number): Promise<void> {
  const account = privateKeyToAccount(key)
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce,
    to: account.address,
    gas: 21_000n,
    maxFeePerGas: 900_000_000_000n,
    maxPriorityFeePerGas: 200_000_000_000n,
  })
  await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
}

/** Longer than any turn, so that a lease ends when the test says so. */
const LONG_LEASE = { RELAYER_LEASE_MS: '600000' }

async function endLease(database: Database, workerId: string): Promise<void> {
  await database`update relayer_key set lease_until = now() where lease_owner = ${workerId}`
}

test('a dead worker leaves no transaction behind that no one looks after', async () => {
  const database = await rig.ownDatabase()
  const [one, two] = [rig.ownKey(), rig.ownKey()]
  const variables = { RELAYER_KEYS_PER_WORKER: '1', ...LONG_LEASE }
  const first = openRelayer(database, chain, { key: one, workerId: 'first', variables })
  const both = { ...variables, RELAYER_KEYS_BASE_SEPOLIA: [one, two].join(',') }
  const second = openRelayer(database, chain, { key: two, workerId: 'second', variables: both })
  const collected = await chain.balance(chain.collector)
  const due = await dueSweeps(database, chain, 1, { pays: 'recipient' })
  await first.turn()
  await second.turn()
  expect(await states(database)).toMatchObject({ 'sweep assigned': 1 })
  const holders = () => database<{ leaseOwner: string }[]>`
    select lease_owner from relayer_key order by lease_owner`
  expect((await holders()).map((key) => key.leaseOwner)).toEqual(['first', 'second'])
  // The first worker is never heard of again. Its share is full, yet the second takes the key over.
  await endLease(database, 'first')
  await second.turn()
  expect((await holders()).map((key) => key.leaseOwner)).toEqual(['second', 'second'])
  await settleAll(database, chain, [second])
  await expectSweptOnce(database, chain, due, collected)
})

describe('a relayer key', () => {
  test('is used by one worker at a time, and by the next when the term has run out', async () => {
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    // A quarter of its term goes by before a worker notices that it has lost a key.
    const variables = { RELAYER_LEASE_MS: '4000' }
    const first = openRelayer(database, chain, { key, variables, workerId: 'first' })
    const second = openRelayer(database, chain, { key, variables: LONG_LEASE, workerId: 'second' })
    await first.turn()
    await second.turn()
    expect((await lease(database))?.leaseOwner).toBe('first')
    await endLease(database, 'first')
    await second.turn()
    expect(await lease(database)).toEqual({ leaseOwner: 'second', fence: 2n })
    await Bun.sleep(1_050)
    await first.turn()
    expect(await lease(database)).toEqual({ leaseOwner: 'second', fence: 2n })
    await second.release()
    await first.turn()
    expect(await lease(database)).toEqual({ leaseOwner: 'first', fence: 3n })
  })

  test('can be fought over by two workers without a transfer lost or repeated', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 40)
    const key = rig.ownKey()
    const variables = { RELAYER_BATCH_MAX: '2' }
    const workers = ['first', 'second'].map((workerId) =>
      openRelayer(database, chain, { key, variables, workerId }),
    )
    // The term of a lease that is over in mid-turn: the party that is at it finds the fence raised.
    let tookMs = 0
    const rob = async (afterMs: number) => {
      await Bun.sleep(afterMs)
      await database`update relayer_key set lease_until = 'epoch'`
    }
    let rounds = 0
    const turn = async () => {
      const began = performance.now()
      rounds += 1
      const robberies = rounds % 2 === 0 ? [rob(Math.random() * tookMs)] : []
      await Promise.allSettled([...workers.map((worker) => worker.turn()), ...robberies])
      tookMs = performance.now() - began
      if (rounds % 2 === 0) return
      // Between two turns as well, and taken by the other one: it changes hands however the chances fell.
      const owner = (await lease(database))?.leaseOwner
      await rob(0)
      await workers[owner === 'first' ? 1 : 0]?.turn()
    }
    await settleAll(database, chain, [{ turn }])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
    const [row] = await database<{ fence: bigint }[]>`select fence from relayer_key`
    expect(row?.fence).toBeGreaterThan(2n)
  })

  describe('shares the work of a chain with the keys of another worker', () => {
    /** How many transactions the two have made for 60 sweeps, the lesser number first. */
    async function share(
      together: (workers: readonly TestRelayer[]) => Parameters<typeof settleAll>[2],
    ): Promise<readonly [fewer: number, more: number]> {
      const database = await rig.ownDatabase()
      const collected = await chain.balance(chain.collector)
      const sweeps = await dueSweeps(database, chain, 60, { pays: 'recipient' })
      const keys = [rig.ownKey(), rig.ownKey()].join(',')
      const variables = {
        RELAYER_BATCH_MAX: '5',
        RELAYER_IN_FLIGHT_MAX: '2',
        RELAYER_KEYS_PER_WORKER: '1',
        RELAYER_KEYS_BASE_SEPOLIA: keys,
      }
      const workers = ['first', 'second'].map((workerId) =>
        openRelayer(database, chain, { key: '0x', variables, workerId }),
      )
      await settleAll(database, chain, together(workers))
      await expectSweptOnce(database, chain, sweeps, collected)
      await expectUnbrokenNonces(database, chain)
      const used = await database`select count(*)::integer as txs from relayer_tx group by address`
      const [fewer, more] = used.map((row) => row.txs).toSorted((a, b) => a - b)
      return [fewer, more]
    }

    test('one after the other, in full batches', async () => {
      const [fewer, more] = await share((workers) => [
        {
          turn: async () => {
            for (const worker of workers) await worker.turn()
          },
        },
      ])
      expect(fewer + more).toBe(12)
      expect(fewer).toBeGreaterThanOrEqual(3)
    })

    test('at the same moment, in batches that lack what the other was after', async () => {
      const [fewer, more] = await share((workers) => workers)
      expect(fewer + more).toBeGreaterThanOrEqual(12)
      expect(fewer + more).toBeLessThanOrEqual(14)
      // Who finds a free place first is chance; that neither is left with nothing is not.
      expect(fewer).toBeGreaterThanOrEqual(3)
    })
  })

  test('is quarantined when another party uses its nonce, and its sweeps are decided by the chain', async () => {
    const database = await rig.ownDatabase()
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key })
    await relayer.turn()
    await useNonce(key, 0)
    await step(chain, relayer, 6)
    const row = await keyRow(database)
    expect(row?.status).toBe('quarantined')
    expect(row?.note).toContain('account nonce 0 was used by a transaction that is not ours')
    // Nothing gets another nonce while the block that used this one could still be reorganised.
    expect(await states(database)).toEqual({ 'settlement open': 2, 'sweep assigned': 2 })
    const undecided = { ok: false, reason: 'undecided' } as const
    expect(await reactivateKey(database, await keyOf(database), 1n)).toEqual(undecided)
    await chain.mine(31)
    await relayer.turn()
    expect(await states(database)).toEqual({ 'settlement failed': 2, 'sweep failed': 2 })
    expect(relayer.changed.toSorted()).toEqual(sweeps.map(({ invoiceId }) => invoiceId).toSorted())
    expect(await reactivateKey(database, await keyOf(database), 1n)).toEqual({
      ok: true,
      taken: 0n,
    })
  })

  test('goes on while no node shows who used its nonce, and is quarantined when one does', async () => {
    const database = await rig.ownDatabase()
    const first = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key, rpcUrl: rig.node.url })
    rig.node.rule(({ method, params }) => {
      if (method !== 'eth_getBlockByHash' || params[1] !== true) return undefined
      return { type: 'result', result: null }
    })
    await relayer.turn()
    await useNonce(key, 0)
    await step(chain, relayer, 5)
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await step(chain, relayer, 4)
    expect(await states(database)).toMatchObject({ 'sweep assigned': 1, 'sweep settled': 1 })
    expect((await keyRow(database))?.status).toBe('active')
    rig.node.rule()
    await step(chain, relayer, 5)
    expect((await keyRow(database))?.status).toBe('quarantined')
    const [open] = await database`select invoice_id from settlement where status = 'open'`
    expect(open?.invoiceId).toBe(first[0]?.invoiceId)
  })

  test('is not quarantined because receipts of its own transactions are missing for long', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: rig.node.url })
    rig.node.rule(({ method }) =>
      method === 'eth_getTransactionReceipt' ? { type: 'result', result: null } : undefined,
    )
    await step(chain, relayer, 12)
    expect((await keyRow(database))?.status).toBe('active')
    expect(await states(database)).toEqual({ 'settlement open': 2, 'sweep assigned': 2 })
    rig.node.rule()
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test('goes on by itself when a reorganisation takes away what another party sent', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key })
    await relayer.turn()
    await useNonce(key, 0)
    await step(chain, relayer, 6)
    expect((await keyRow(database))?.status).toBe('quarantined')
    await chain.node.rpc('anvil_reorg', [6, []])
    await settleAll(database, chain, [relayer])
    expect(await keyRow(database)).toEqual({ status: 'active', note: null })
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('goes on by itself when it was quarantined without proof', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await step(chain, relayer)
    await database`update relayer_tx set state = 'nonce_taken', mined_block = 1`
    await database`update relayer_key set status = 'quarantined', quarantine_nonce = 0`
    await settleAll(database, chain, [relayer])
    expect(await keyRow(database)).toEqual({ status: 'active', note: null })
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test('begins nothing at a nonce that the chain has passed', async () => {
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key })
    await relayer.turn()
    await useNonce(key, 0)
    await chain.mine()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await step(chain, relayer, 5)
    expect(await states(database)).toMatchObject({ 'sweep queued': 1 })
    expect((await keyRow(database))?.status).toBe('active')
  })

  test('is left alone while the hub does not know it as an operator', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: generatePrivateKey() })
    await step(chain, relayer, 3)
    expect(await states(database)).toMatchObject({ 'sweep queued': 1 })
    expect((await lease(database))?.leaseOwner).toBeNull()
    expect(await readAlarms(database)).toMatchObject([{ kind: 'operator' }])
  })

  test('that drains finishes what it has begun and begins nothing', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const begun = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await relayer.turn()
    await database`update relayer_key set status = 'draining'`
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, begun, collected)
    await dueSweeps(database, chain, 2, { pays: 'recipient' })
    await step(chain, relayer, 3)
    expect(await states(database)).toMatchObject({ 'sweep queued': 2, 'sweep settled': 2 })
  })

  test.each(['draining', 'no_funds', 'quarantined'] as const)(
    'that is %s by the time of its next transaction begins none',
    async (status) => {
      const database = await rig.ownDatabase()
      const given = { key: rig.ownKey(), rpcUrl: rig.node.url, variables: LONG_LEASE }
      const relayer = openRelayer(database, chain, given)
      await dueSweeps(database, chain, 1, { pays: 'recipient' })
      await settleAll(database, chain, [relayer])
      await dueSweeps(database, chain, 1, { pays: 'recipient' })
      // Between the turn's look at the key and its new transaction, the chain's head is asked for.
      let change: Promise<unknown> | null = null
      rig.node.rule(({ method }) => {
        if (method !== 'eth_getBlockByNumber' || change !== null) return undefined
        change = database`update relayer_key set status = ${status}`.execute()
        return { type: 'delay', ms: 1_000 }
      })
      await chain.mine()
      await relayer.turn()
      await change
      rig.node.rule()
      expect((await keyRow(database))?.status).toBe(status)
      expect(await states(database)).toMatchObject({ 'sweep queued': 1 })
    },
  )

  test('that was taken out of the configuration is seen to its end by another worker', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const gone = openRelayer(database, chain, { key: rig.ownKey(), workerId: 'gone' })
    await gone.turn()
    await gone.release()
    await settleAll(database, chain, [openRelayer(database, chain, { key: rig.ownKey() })])
    await expectSweptOnce(database, chain, sweeps, collected)
  })
})

async function lease(database: Database) {
  const [row] = await database`select lease_owner, fence from relayer_key`
  return row
}

async function keyRow(database: Database) {
  const [row] = await database`select status, note from relayer_key`
  return row
}

async function keyOf(database: Database) {
  const [row] = await database<{ networkId: string; address: Address }[]>`
    select network_id, address from relayer_key`
  if (!row) throw new Error('there is no key')
  return { networkId: row.networkId, address: row.address }
}
