import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { readGas, readGasPaces } from '../../../store/relayer/gas.ts'
import { beginsOnOneDay } from '../../support/clock.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  states,
} from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { type FakeRpc, firstOf, type Rule } from '../../support/servers/fakeRpc.ts'

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 13 })
  chain = rig.chain
  node = rig.node
}, 120_000)

afterAll(() => rig?.close())

/** Replaces the newest blocks by as many empty ones; what they held is gone from chain and pool. */
async function reorganise(depth: number): Promise<void> {
  await chain.node.rpc('anvil_reorg', [depth, []])
}

describe('the gas of a transaction', () => {
  test('is booked once, to the wei, when it is final, for whom it was spent', async () => {
    await beginsOnOneDay()
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    const before = await chain.client.getBalance({ address: addressOf(key) })
    await dueSweeps(database, chain, 2, { pays: 'recipient' })
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key })
    await step(chain, relayer)
    await relayer.turn()
    await reorganise(1)
    await relayer.turn()
    const [taken] = await database`select gas_cost, gas_shares from relayer_tx`
    expect(taken).toEqual({ gasCost: null, gasShares: null })

    await settleAll(database, chain, [relayer])
    const [mined] = await database<{ gasCost: bigint }[]>`select gas_cost from relayer_tx`
    const cost = mined?.gasCost ?? 0n
    expect(cost).toBe(before - (await chain.client.getBalance({ address: addressOf(key) })))
    expect(await database`select from gas_spent`).toHaveLength(0)

    await step(chain, relayer, 40)
    await relayer.turn()
    const day = new Date().toISOString().slice(0, 10)
    const filter = { from: '2020-01-01', to: day, networkId: null, merchantId: null }
    const booked = await readGas(database, filter)
    const each = cost / 3n
    expect(booked.map(({ items }) => items).sort()).toEqual([1n, 2n])
    expect(booked.reduce((sum, { wei }) => sum + wei, 0n)).toBe(cost)
    for (const { items, wei } of booked) {
      expect(wei - each * items >= 0n && wei - each * items <= items).toBe(true)
    }
    const [pace] = await readGasPaces(database, new Date())
    expect(pace).toMatchObject({ address: addressOf(key), lastHours: cost, lastDay: cost })
  })
})

describe('a sweep that a reorganisation takes away', () => {
  for (const depth of [1, 2, 3, 7, 20]) {
    test(`comes back with the same bytes, from a depth of ${depth}`, async () => {
      const database = await rig.ownDatabase()
      const collected = await chain.balance(chain.collector)
      const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
      const relayer = openRelayer(database, chain, { key: rig.ownKey() })
      await step(chain, relayer)
      await step(chain, relayer, depth - 1)
      await relayer.turn()
      const status = depth >= 2 ? 'confirmed' : 'mined'
      expect(await states(database)).toMatchObject({ [`settlement ${status}`]: 3 })
      const [before] = await database`select mined_hash, mined_block_hash from relayer_tx`

      await reorganise(depth)
      await relayer.turn()
      expect(await states(database)).toEqual({ 'settlement open': 3, 'sweep assigned': 3 })
      const [between] = await database`
        select status, tx_hash, block_number, confirmed_at from settlement limit 1`
      expect(between).toEqual({
        status: 'open',
        txHash: null,
        blockNumber: null,
        confirmedAt: null,
      })

      await settleAll(database, chain, [relayer])
      const [after] = await database`select mined_hash, mined_block_hash from relayer_tx`
      expect(after?.minedHash).toBe(before?.minedHash)
      expect(after?.minedBlockHash).not.toBe(before?.minedBlockHash)
      const [attempts] = await database`select count(*)::integer as count from relayer_attempt`
      expect(attempts?.count).toBe(1)
      await expectSweptOnce(database, chain, sweeps, collected)
      await expectUnbrokenNonces(database, chain)
    })
  }

  test('is followed at once by what the node has dropped with it', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const variables = { RELAYER_BATCH_MAX: '1', RELAYER_IN_FLIGHT_MAX: '1' }
    const timing = { rebroadcastMs: 600_000 }
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), variables, timing })
    await step(chain, relayer)
    // Books the first, and sends the second.
    await relayer.turn()
    const rows = await database<{ hash: Hex }[]>`select hash from relayer_attempt order by tx_id`
    expect(rows).toHaveLength(2)
    await reorganise(1)
    await chain.node.rpc('anvil_dropTransaction', [rows[1]?.hash])
    await relayer.turn()
    await chain.mine()
    for (const { hash } of rows) {
      expect((await chain.client.getTransactionReceipt({ hash })).status).toBe('success')
    }
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('is noticed by a worker that starts afterwards', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3)
    const key = rig.ownKey()
    const first = openRelayer(database, chain, { key })
    await settleAll(database, chain, [first])
    await first.release()
    await reorganise(4)
    const second = openRelayer(database, chain, { key, workerId: 'second' })
    await second.turn()
    expect(await states(database)).toMatchObject({ 'settlement open': 3 })
    await settleAll(database, chain, [second])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('is not believed of a node that merely fell behind', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key, rpcUrl: node.url })
    const behind = await chain.node.rpc('eth_getBlockByNumber', ['latest', false])
    await settleAll(database, chain, [relayer])
    const told = relayer.changed.length
    node.rule(({ method, params }) => {
      if (method === 'eth_getTransactionCount') return { type: 'result', result: '0x0' }
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined
      return { type: 'result', result: behind }
    })
    await step(chain, relayer, 3)
    node.rule()
    await step(chain, relayer, 3)
    expect(relayer.changed).toHaveLength(told)
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('is not made up by account nonces far back: nothing final is sent again, and little else', async () => {
    const database = await rig.ownDatabase()
    const variables = { RELAYER_BATCH_MAX: '1', RELAYER_IN_FLIGHT_MAX: '3' }
    const setup = { key: rig.ownKey(), rpcUrl: node.url, variables }
    const relayer = openRelayer(database, chain, setup)
    await dueSweeps(database, chain, 8, { pays: 'recipient' })
    await settleAll(database, chain, [relayer])
    await chain.mine(31)
    await relayer.turn()
    const behind = await chain.node.rpc('eth_getBlockByNumber', ['latest', false])
    await dueSweeps(database, chain, 6, { pays: 'recipient' })
    await settleAll(database, chain, [relayer])
    const sent = async () => {
      const before = node.calls.get('eth_sendRawTransaction') ?? 0
      await Bun.sleep(210)
      await relayer.turn()
      return (node.calls.get('eth_sendRawTransaction') ?? 0) - before
    }
    // The blocks of all of them are the chain's, so the nonce alone proves nothing.
    const noNonce: Rule = ({ method }) =>
      method === 'eth_getTransactionCount' ? { type: 'result', result: '0x0' } : undefined
    node.rule(noNonce)
    expect(await sent()).toBe(0)
    // As if a reorganisation had made the chain shorter.
    const shorter: Rule = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { type: 'result', result: behind }
        : undefined
    node.rule(firstOf(noNonce, shorter))
    expect(await sent()).toBe(3)
    expect(await sent()).toBe(3)
    node.rule()
  })

  test('is not hidden by a node that makes up a higher block', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    await step(chain, relayer)
    await relayer.turn()
    const latest = await chain.node.rpc('eth_getBlockByNumber', ['latest', false])
    const number = await chain.client.getBlockNumber()
    const madeUp = { ...Object(latest), number: `0x${(number + 500n).toString(16)}` }
    node.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { type: 'result', result: { ...madeUp, hash: `0x${'5a'.repeat(32)}` } }
        : undefined,
    )
    // Its states can't be read, so that nothing is concluded from it.
    await relayer.turn()
    await relayer.turn()
    node.rule()
    expect(await states(database)).toEqual({ 'settlement mined': 2, 'sweep settled': 2 })
    await settleAll(database, chain, [relayer])
  })

  test('is final beyond the depth at which reorganisations are expected', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await settleAll(database, chain, [relayer])
    await chain.mine(31)
    await relayer.turn()
    const [tx] = await database`select state from relayer_tx`
    expect(tx?.state).toBe('final')
  })
})
