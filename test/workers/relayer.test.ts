import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../chain/hub.ts'
import { baseUnits } from '../../core/money.ts'
import { addressOf } from '../../dev/keys.ts'
import type { Database } from '../../store/database.ts'
import { insertSweep } from '../../store/ledger.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'
import { type FakeRpc, script, sometimes, startFakeRpc } from '../support/fakeRpc.ts'
import { freshDatabase, openRelayer, settleAll, step } from '../support/relayers.ts'
import { dueSweeps, expectSweptOnce, expectUnbrokenNonces, states } from '../support/sweeps.ts'

let chain: HubChain
let node: FakeRpc
const databases: Database[] = []
let taken = 0

/** Every test has a relayer key of its own, so that none inherits another's account nonces. */
function ownKey() {
  const key = chain.relayerKeys[taken++]
  if (key === undefined) throw new Error('the chain has too few relayer keys')
  return key
}

async function ownDatabase(): Promise<Database> {
  const database = await freshDatabase()
  databases.push(database)
  return database
}

beforeAll(async () => {
  chain = await startHubChain({ relayers: 20 })
  node = startFakeRpc(chain.node.url)
}, 60_000)

afterAll(async () => {
  for (const database of databases) await database.end()
  await node?.stop()
  await chain?.node.stop()
})

describe('a relayer', () => {
  test('registers the merchant, then sweeps every deposit once, in one batch', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 20)
    const relayer = openRelayer(database, chain, { key: ownKey() })
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
    expect(await states(database)).toEqual({
      'settlement confirmed': 20,
      'sweep settled': 20,
      'configure settled': 1,
    })
    const kinds = await database`select kind from relayer_tx order by account_nonce`
    expect(kinds.map((row) => row.kind)).toEqual(['configure', 'sweep'])
    // Once when mined and once when confirmed.
    expect(relayer.changed.toSorted()).toEqual(
      sweeps.flatMap(({ invoiceId }) => [invoiceId, invoiceId]).toSorted(),
    )
  })

  test('sweeps to the recipient that the invoice itself names, without a registry entry', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
    await settleAll(database, chain, [openRelayer(database, chain, { key: ownKey() })])
    await expectSweptOnce(database, chain, sweeps, collected)
    const kinds = await database`select distinct kind from relayer_tx`
    expect(kinds.map((row) => row.kind)).toEqual(['sweep'])
  })

  test('keeps no more in flight than allowed, and no more items in a batch', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 23, { pays: 'recipient' })
    const variables = { RELAYER_BATCH_MAX: '5', RELAYER_IN_FLIGHT_MAX: '3' }
    const relayer = openRelayer(database, chain, { key: ownKey(), variables })
    await relayer.turn()
    await relayer.turn()
    expect(await states(database)).toMatchObject({ 'sweep assigned': 15, 'sweep queued': 8 })
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('ends a sweep that fails on-chain only at the confirmations, and carries out the others', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const [poor] = await dueSweeps(database, chain, 1, { pays: 'recipient', isFunded: false })
    const sweeps = await dueSweeps(database, chain, 4, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: ownKey() })
    await step(chain, relayer)
    await relayer.turn()
    expect(await states(database)).toEqual({
      'settlement mined': 4,
      'settlement open': 1,
      'sweep settled': 4,
      'sweep assigned': 1,
    })
    await chain.mine()
    await relayer.turn()
    const [row] = await database`
      select status, error from settlement where id = ${poor?.settlementId ?? ''}`
    expect(row?.status).toBe('failed')
    expect(row?.error).toBe('DepositHoldsLess(0, 1000000)')
    expect(relayer.changed.filter((id) => id === poor?.invoiceId)).toHaveLength(1)
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test('books a fee that the token refuses as owed, and remits the rest', async () => {
    const database = await ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    if (!sweep) throw new Error('there is no sweep')
    await blacklist(chain.collector, true)
    await settleAll(database, chain, [openRelayer(database, chain, { key: ownKey() })])
    await blacklist(chain.collector, false)
    const [row] = await database`select status, fee_owed from settlement`
    expect(row).toEqual({ status: 'confirmed', fee_owed: sweep.fee.toString() })
    expect(await chain.balance(sweep.deposit)).toBe(sweep.fee)
    expect(await chain.balance(sweep.recipient)).toBe(sweep.amount - sweep.fee)
  })

  test('does not wait for a registry entry that has failed: the chain decides', async () => {
    const database = await ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1)
    // The entry ends while the sweep that waits for it is being stored.
    await database`update work_item set state = 'failed' where kind = 'configure'`
    const relayer = openRelayer(database, chain, { key: ownKey() })
    await step(chain, relayer, 4)
    const [row] = await database`select status, error from settlement`
    const error = expect.stringMatching(/^MerchantNotConfigured\(/)
    expect(row).toEqual({ status: 'failed', error })
    expect(relayer.changed).toEqual([sweep?.invoiceId ?? ''])
    expect(await chain.balance(sweep?.deposit ?? '0x')).toBe(sweep?.amount ?? 0n)
  })

  test('waits for a registry entry that is still on its way', async () => {
    const database = await ownDatabase()
    const sweeps = await dueSweeps(database, chain, 2)
    const relayer = openRelayer(database, chain, { key: ownKey() })
    await relayer.turn()
    await relayer.turn()
    expect(await states(database)).toEqual({
      'settlement open': 2,
      'sweep queued': 2,
      'configure assigned': 1,
    })
    const collected = await chain.balance(chain.collector)
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  for (const { money, ends } of [
    { money: 'enough for both', ends: ['confirmed', 'confirmed'] },
    { money: 'enough for the first one only', ends: ['confirmed', 'failed'] },
  ]) {
    test(`tells two rounds of one deposit in one batch apart, with ${money}`, async () => {
      const database = await ownDatabase()
      const [sweep] = await dueSweeps(database, chain, 1, { pays: 'recipient' })
      if (!sweep) throw new Error('there is no sweep')
      const { invoiceId, deposit, recipient } = sweep
      const plan = {
        networkId: chain.networkId,
        token: chain.usdc.address,
        round: 2,
        amount: baseUnits(700_000n),
        fee: baseUnits(0n),
        recipient,
        registryVersion: 0,
      }
      await database.begin((sql) => insertSweep(sql, invoiceId, plan, null, new Date(0)))
      const isEnough = !ends.includes('failed')
      if (isEnough) await chain.mint([{ to: deposit, amount: 700_000n }])
      await step(chain, openRelayer(database, chain, { key: ownKey() }), 4)
      const rows = await database`
        select s.status, s.tx_hash, w.result, w.log_index
        from settlement s join work_item w on (w.payload->>'settlementId')::uuid = s.id
        order by s.round`
      expect(rows.map((row) => row.status)).toEqual(ends)
      const first = { remitted: `${sweep.amount - sweep.fee}`, fee: `${sweep.fee}`, feeOwed: '0' }
      const second = isEnough
        ? { remitted: '700000', fee: '0', feeOwed: '0' }
        : { error: 'DepositHoldsLess(0, 700000)' }
      expect(rows.map((row) => row.result)).toEqual([first, second])
      expect(await chain.balance(deposit)).toBe(0n)
      const [count] = await database`select count(*)::integer as txs from relayer_tx`
      expect(count?.txs).toBe(1)
    })
  }

  test('sends again what may not have arrived, and nothing twice', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 40)
    const setup = { key: ownKey(), rpcUrl: node.url, variables: { RELAYER_BATCH_MAX: '2' } }
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
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 30)
    const setup = { key: ownKey(), rpcUrl: node.url, variables: { RELAYER_BATCH_MAX: '3' } }
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

  test('offers an eighth more when a node calls the lowest open nonce underpriced', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: ownKey(), rpcUrl: node.url })
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
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 4, { pays: 'recipient' })
    const variables = { RELAYER_BATCH_MAX: '2' }
    const timing = { bumpAfterMs: 50 }
    const relayer = openRelayer(database, chain, { key: ownKey(), variables, timing })
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
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 4, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: ownKey(), rpcUrl: node.url })
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
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
    const key = ownKey()
    const address = addressOf(key)
    const relayer = openRelayer(database, chain, { key })
    await chain.node.rpc('anvil_setBalance', [address, '0x0'])
    await step(chain, relayer, 2)
    const [poor] = await database`select status, balance from relayer_key`
    expect(poor).toEqual({ status: 'no_funds', balance: '0' })
    expect(await states(database)).toMatchObject({ 'sweep queued': 3 })
    await chain.node.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    const [rich] = await database`select status from relayer_key`
    expect(rich?.status).toBe('active')
  })

  test('keeps what it has signed when the node says that the money is gone', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: ownKey(), rpcUrl: node.url })
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

  test('sends a reverted batch again in halves, once it is sure that it reverted', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 8, { pays: 'recipient' })
    const key = ownKey()
    const relayer = openRelayer(database, chain, { key })
    await relayer.turn()
    // The owner takes the operator away under the batch and gives it back: the batch reverts whole.
    await setOperator(addressOf(key), false)
    await relayer.turn()
    const [tx] = await database`select state, outcome from relayer_tx`
    expect(tx).toEqual({ state: 'mined', outcome: 'reverted' })
    expect(await states(database)).toMatchObject({ 'sweep assigned': 8, 'settlement open': 8 })
    await setOperator(addressOf(key), true)
    await settleAll(database, chain, [relayer])
    const batches = await database`
      select count(*)::integer as items from work_item group by tx_id order by tx_id`
    expect(batches.map((row) => row.items)).toEqual([4, 4])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('gives an item that reverts alone three tries, then leaves it to a person', async () => {
    const database = await ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const key = ownKey()
    const relayer = openRelayer(database, chain, { key })
    for (let i = 0; i < 3; i += 1) {
      await relayer.turn()
      await setOperator(addressOf(key), false)
      await setOperator(addressOf(key), true)
      await relayer.turn()
    }
    for (let i = 0; i < 3; i += 1) await step(chain, relayer)
    const [item] = await database`select state, result from work_item`
    expect(item).toEqual({ state: 'review', result: { error: 'its transaction reverted 3 times' } })
    const [settlement] = await database`select status, error from settlement`
    expect(settlement).toEqual({ status: 'failed', error: 'its transaction reverted 3 times' })
    await expectUnbrokenNonces(database, chain)
  })

  test('books a sweep that another operator has made, instead of failing', async () => {
    const database = await ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const [mine, theirs] = [ownKey(), ownKey()]
    const other = await freshDatabase()
    databases.push(other)
    await copyLedger(database, other)
    const stranger = openRelayer(other, chain, { key: theirs, workerId: 'stranger' })
    await settleAll(other, chain, [stranger])
    await settleAll(database, chain, [openRelayer(database, chain, { key: mine })])
    await expectSweptOnce(database, chain, sweeps, collected)
    const [tx] = await database`select outcome from relayer_tx`
    expect(tx?.outcome).toBe('succeeded')
  })
})

async function sendAsOwner(to: `0x${string}`, data: `0x${string}`): Promise<void> {
  const owner = privateKeyToAccount(chain.ownerKey)
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: owner.address }),
    to,
    data,
    gas: 200_000n,
    // More than a relayer offers, so that it comes before the relayer's transactions in a block.
    maxFeePerGas: 500_000_000_000n,
    maxPriorityFeePerGas: 100_000_000_000n,
  })
  await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await chain.mine()
}

async function setOperator(operator: `0x${string}`, allowed: boolean): Promise<void> {
  const args = [operator, allowed] as const
  await sendAsOwner(
    chain.hub,
    encodeFunctionData({ abi: HUB_ABI, functionName: 'setOperator', args }),
  )
}

async function blacklist(account: `0x${string}`, isListed: boolean): Promise<void> {
  const abi = parseAbi(['function blacklist(address)', 'function unBlacklist(address)'])
  const functionName = isListed ? 'blacklist' : 'unBlacklist'
  await sendAsOwner(chain.usdc.address, encodeFunctionData({ abi, functionName, args: [account] }))
}

async function copyLedger(from: Database, to: Database): Promise<void> {
  for (const table of ['merchant', 'invoice', 'settlement']) {
    for (const row of await from`select * from ${from(table)}`) {
      await to`insert into ${to(table)} ${to(row)}`
    }
  }
  for (const { kind, network_id, dedupe_key, payload } of await from`select * from work_item`) {
    await to`
      insert into work_item (kind, network_id, dedupe_key, payload)
      values (${kind}, ${network_id}, ${dedupe_key}, ${to.json(payload)})`
  }
}
