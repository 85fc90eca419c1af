import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addressOf } from '../../../dev/stack/keys.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSweeps, states } from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import type { FakeRpc } from '../../support/servers/fakeRpc.ts'

/** What a relayer asks a node while there is nothing to do. */

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 7 })
  chain = rig.chain
  node = rig.node
}, 120_000)

afterAll(() => rig?.close())

/** The calls that this causes, by method. */
async function callsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = new Map(node.calls)
  await work()
  const made = [...node.calls].map(([method, count]) => [method, count - (before.get(method) ?? 0)])
  return Object.fromEntries(made.filter(([, count]) => count !== 0))
}

describe('a relayer with nothing to do', () => {
  test('asks for the balance of its key now and then, and for nothing else', async () => {
    const database = await rig.ownDatabase()
    const timing = { restingBalanceMs: 2_000, tipKeptMs: 0 }
    const variables = { RELAYER_LEASE_MS: '60000' }
    const setup = { key: rig.ownKey(), rpcUrl: node.url, timing, variables }
    const relayer = openRelayer(database, chain, setup)
    await dueSweeps(database, chain, 2, { pays: 'recipient' })
    await settleAll(database, chain, [relayer])
    await chain.mine(31)
    await relayer.turn()
    await Bun.sleep(2_000)
    expect(await callsOf(() => relayer.turn())).toEqual({ eth_getBalance: 1 })
    expect(relayer.pace).toBe('idle')
    expect(await callsOf(() => step(chain, relayer, 5))).toEqual({})
    expect(await relayer.rests()).toBe(true)
    // It begins at once when there is something to do, and only now asks for nonces and fees.
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    expect(await relayer.rests()).toBe(false)
    const calls = await callsOf(() => relayer.turn())
    expect(await relayer.rests()).toBe(false)
    expect(calls).toMatchObject({ eth_getTransactionCount: 1, eth_sendRawTransaction: 1 })
    expect(calls).toHaveProperty('eth_maxPriorityFeePerGas')
    await settleAll(database, chain, [relayer])
  })

  test('keeps its leases while it rests, and does not rest without them', async () => {
    const database = await rig.ownDatabase()
    const variables = { RELAYER_LEASE_MS: '2000' }
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url, variables })
    await relayer.turn()
    await Bun.sleep(500)
    await database`update relayer_key set lease_until = now()`
    expect(await relayer.rests()).toBe(true)
    const [row] = await database<{ isLeased: boolean }[]>`
      select lease_until > now() as is_leased from relayer_key`
    expect(row?.isLeased).toBe(true)
    await database`update relayer_key set fence = fence + 1`
    await Bun.sleep(500)
    expect(await relayer.rests()).toBe(false)
  })

  test('asks for the tip once while it is fresh, however many blocks it sends in', async () => {
    const database = await rig.ownDatabase()
    const asked = async (tipKeptMs: number) => {
      const timing = { tipKeptMs }
      const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url, timing })
      const calls = await callsOf(async () => {
        for (let i = 0; i < 3; i += 1) {
          await dueSweeps(database, chain, 1, { pays: 'recipient' })
          await settleAll(database, chain, [relayer])
        }
      })
      await relayer.release()
      expect(calls).toMatchObject({ eth_sendRawTransaction: 3 })
      return Object(calls).eth_maxPriorityFeePerGas
    }
    expect(await asked(600_000)).toBe(1)
    expect(await asked(0)).toBeGreaterThan(2)
  })

  test('asks for no fees while what it has sent is on its way', async () => {
    const database = await rig.ownDatabase()
    // However slow this machine is, the next block is not late.
    const variables = { BLOCK_TIME_MS_BASE_SEPOLIA: '60000' }
    const setup = { key: rig.ownKey(), rpcUrl: node.url, variables }
    const relayer = openRelayer(database, chain, setup)
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await relayer.turn()
    expect(relayer.pace).toBe('sent')
    const calls = await callsOf(async () => {
      await relayer.turn()
      // It waits for the block alone.
      expect(relayer.pace).toBe('waiting')
      await step(chain, relayer, 3)
    })
    expect(Object.keys(calls)).not.toContain('eth_maxPriorityFeePerGas')
    // The nonce is asked for once in each block until the transaction is mined.
    expect(calls).toMatchObject({ eth_getTransactionCount: 1, eth_getTransactionReceipt: 1 })
  })

  test('asks for a receipt that does not come less and less often, until the next block', async () => {
    const database = await rig.ownDatabase()
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await relayer.turn()
    node.rule(({ method }) =>
      method === 'eth_getTransactionReceipt' ? { type: 'result', result: null } : undefined,
    )
    await chain.mine()
    const calls = await callsOf(async () => {
      for (let i = 0; i < 60; i += 1) await relayer.turn()
    })
    expect(relayer.pace).toBe('open')
    expect(calls.eth_getTransactionReceipt).toBeGreaterThan(1)
    expect(calls.eth_getTransactionReceipt).toBeLessThan(15)
    node.rule()
    await step(chain, relayer, 2)
    expect(await states(database)).toMatchObject({ 'sweep settled': 1 })
  })

  test('notices that a key without money was sent some', async () => {
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key, rpcUrl: node.url })
    await chain.node.rpc('anvil_setBalance', [addressOf(key), '0x0'])
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await step(chain, relayer, 2)
    await database`delete from work_item`
    await chain.node.rpc('anvil_setBalance', [addressOf(key), '0xde0b6b3a7640000'])
    await Bun.sleep(110)
    await step(chain, relayer)
    const [row] = await database`select status from relayer_key`
    expect(row?.status).toBe('active')
    expect(await states(database)).toEqual({ 'settlement open': 1 })
  })
})
