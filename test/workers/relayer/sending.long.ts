import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { offer } from '../../../chain/transactions/fees.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { refundRig } from '../../support/invoice/refunds.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  states,
} from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { type FakeRpc, script, sometimes } from '../../support/servers/fakeRpc.ts'

/** How transactions are sent, regardless of what the node answers. */

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 16 })
  chain = rig.chain
  node = rig.node
}, 120_000)

afterAll(() => rig?.close())

describe('a relayer', () => {
  test('sends again what may not have arrived, and nothing twice', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 40)
    const setup = { key: rig.ownKey(), rpcUrl: node.url, variables: { RELAYER_BATCH_MAX: '2' } }
    const relayer = openRelayer(database, chain, setup)
    const request = sometimes('eth_sendRawTransaction', 0.2, { type: 'drop_request' })
    const answer = sometimes('eth_sendRawTransaction', 0.3, { type: 'drop_answer' })
    node.rule((call) => request(call) ?? answer(call))
    await settleAll(database, chain, [relayer])
    node.rule()
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('outlives a node that fails, stutters and shows stale account nonces', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 30)
    const setup = { key: rig.ownKey(), rpcUrl: node.url, variables: { RELAYER_BATCH_MAX: '3' } }
    const relayer = openRelayer(database, chain, setup)
    await relayer.turn()
    const first = await chain.client.getTransactionCount({ address: addressOf(setup.key) })
    const stale = sometimes('eth_getTransactionCount', 0.3, {
      type: 'result',
      result: `0x${first.toString(16)}`,
    })
    const late = sometimes('eth_getTransactionReceipt', 0.1, { type: 'delay', ms: 30 })
    const lost = sometimes('eth_getTransactionReceipt', 0.05, { type: 'drop_answer' })
    const busy = sometimes('eth_getBlockByNumber', 0.1, {
      type: 'error',
      code: -32603,
      message: 'internal error',
    })
    node.rule((call) => stale(call) ?? late(call) ?? lost(call) ?? busy(call))
    await settleAll(database, chain, [relayer])
    node.rule()
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
    const [key] = await database`select status from relayer_key`
    expect(key?.status).toBe('active')
  })

  test('sends nothing after what a node may not have taken', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const setup = { key: rig.ownKey(), rpcUrl: node.url, variables: { RELAYER_BATCH_MAX: '1' } }
    const relayer = openRelayer(database, chain, setup)
    const message = 'the moon is full'
    node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32000, message }]))
    await relayer.turn()
    expect(await states(database)).toMatchObject({ 'sweep assigned': 1, 'sweep queued': 1 })
    const attempts = await database`select last_error, broadcast_at from relayer_attempt`
    expect([...attempts]).toEqual([{ lastError: message, broadcastAt: null }])
    // The same bytes again, and then the next.
    await relayer.turn()
    expect(await states(database)).toMatchObject({ 'sweep assigned': 2 })
    await settleAll(database, chain, [relayer])
    node.rule()
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('offers an eighth more when a node calls the lowest open nonce underpriced', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const message = 'replacement transaction underpriced'
    node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32000, message }]))
    await relayer.turn()
    await settleAll(database, chain, [relayer])
    node.rule()
    const attempts = await database<{ max: string; tip: string }[]>`
      select max_fee_per_gas as max, max_priority_fee_per_gas as tip
      from relayer_attempt order by seq`
    expect(attempts).toHaveLength(2)
    const [first, second] = attempts
    expect(BigInt(second?.max ?? 0) * 8n).toBeGreaterThanOrEqual(BigInt(first?.max ?? 0) * 9n)
    expect(BigInt(second?.tip ?? 0) * 8n).toBeGreaterThanOrEqual(BigInt(first?.tip ?? 0) * 9n)
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test('bumps what waits too long, only at the lowest open nonce', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 4, { pays: 'recipient' })
    const variables = { RELAYER_BATCH_MAX: '2' }
    const timing = { bumpAfterMs: 50 }
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), variables, timing })
    await relayer.turn()
    await Bun.sleep(60)
    await relayer.turn()
    const attempts = await database`
      select t.account_nonce - (select min(account_nonce) from relayer_tx) as place, a.seq
      from relayer_attempt a join relayer_tx t on t.id = a.tx_id order by place, seq`
    expect(attempts.map((row) => [Number(row.place), row.seq])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
    ])
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('cancels at the same nonce what a node will never take, and sweeps with another', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 4, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const message = 'intrinsic gas too low'
    node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32000, message }]))
    await relayer.turn()
    await settleAll(database, chain, [relayer])
    node.rule()
    const txs = await database`select outcome from relayer_tx order by account_nonce`
    expect(txs.map((row) => row.outcome)).toEqual(['cancelled', 'succeeded', 'succeeded'])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('rests without gas money with its nonce kept, and goes on when it is funded', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
    const key = rig.ownKey()
    const address = addressOf(key)
    const relayer = openRelayer(database, chain, { key })
    await chain.node.rpc('anvil_setBalance', [address, '0x0'])
    await step(chain, relayer, 2)
    const [poor] = await database`select status, balance from relayer_key`
    expect(poor).toEqual({ status: 'no_funds', balance: 0n })
    expect(await states(database)).toMatchObject({ 'sweep queued': 3 })
    await chain.node.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    const [rich] = await database`select status from relayer_key`
    expect(rich?.status).toBe('active')
  })

  test('sweeps with the money that is not enough for a refund, which waits until there is more', async () => {
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    const address = addressOf(key)
    const variables = { GAS_REFUND_BASE_SEPOLIA: `${2n * USUAL_GAS.sweep.item}` }
    const ledger = await refundRig(database, chain, key, { variables })
    const invoice = await ledger.invoice()
    await ledger.pay(invoice, 4_000_000n)
    expect(await ledger.ask(invoice, '1.5')).toMatchObject({ ok: true })
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const { baseFeePerGas } = await chain.client.getBlock()
    const { maxFeePerGas } = offer(
      baseFeePerGas ?? 0n,
      await chain.client.estimateMaxPriorityFeePerGas(),
    )
    const enoughForSweep = (((USUAL_GAS.sweep.item * 3n) / 2n) * maxFeePerGas).toString(16)
    await chain.node.rpc('anvil_setBalance', [address, `0x${enoughForSweep}`])
    await ledger.relayer.turn()
    expect(await states(database)).toMatchObject({ 'refund queued': 1, 'sweep assigned': 1 })
    const [poor] = await database`select status from relayer_key`
    expect(poor?.status).toBe('active')
    await chain.node.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
    while ((await ledger.refundOf(invoice)).status !== 'confirmed') await ledger.turn()
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test.each(['intrinsic gas too low', 'insufficient funds for gas * price + value', 'try later'])(
    'leaves in flight what one node has taken when the next says "%s"',
    async (message) => {
      const database = await rig.ownDatabase()
      const collected = await chain.balance(chain.collector)
      const variables = { RELAYER_BATCH_MAX: '1' }
      const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
      await database`update work_item set not_before = 'infinity' where id = 2`
      const setup = { key: rig.ownKey(), rpcUrl: node.url, variables }
      const relayer = openRelayer(database, chain, setup)
      await relayer.turn()
      node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32000, message }]))
      await Bun.sleep(210)
      await database`update work_item set not_before = now()`
      await relayer.turn()
      node.rule()
      // It is neither cancelled nor does it hold up what comes after it.
      expect(await states(database)).toMatchObject({ 'sweep assigned': 2 })
      await settleAll(database, chain, [relayer])
      const txs = await database`select outcome from relayer_tx`
      expect(txs.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded'])
      await expectSweptOnce(database, chain, sweeps, collected)
      await expectUnbrokenNonces(database, chain)
    },
  )

  test('keeps what it has signed when the node says that the money is gone', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const message = 'insufficient funds for gas * price + value'
    node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32003, message }]))
    await relayer.turn()
    const [paused] = await database`select status, note from relayer_key`
    expect(paused).toEqual({ status: 'no_funds', note: message })
    await settleAll(database, chain, [relayer])
    node.rule()
    const [count] = await database`select count(*)::integer as attempts from relayer_attempt`
    expect(count?.attempts).toBe(1)
    await expectSweptOnce(database, chain, sweeps, collected)
  })
})
