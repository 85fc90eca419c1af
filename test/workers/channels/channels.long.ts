import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { openChain } from '../../../chain/rpc/client.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { CHANNELS } from '../../../core/channels/channel.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import type { Database } from '../../../store/database/database.ts'
import { lockDueItems } from '../../../store/relayer/workItems.ts'
import { channelEvidence } from '../../../workers/channels/kind.ts'
import { workersOf } from '../../support/relayer/crashes.ts'
import {
  areAllDepositsConfirmed,
  type DueDeposit,
  dueDeposits,
  expectDepositedOnce,
} from '../../support/relayer/deposits.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { newForwarder } from '../../support/relayer/settles.ts'
import { expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import { tokenCall, transact } from '../../support/relayer/transactions.ts'
import { workerConfig } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { play } from '../../support/servers/provider.ts'
import { fund } from '../../support/x402/chain.ts'
import { BURNING_WALLET, placeCode, WASTEFUL_WALLET } from '../../support/x402/walletCode.ts'

/** Workers that carry deposits into channels, several in one transaction. */

/** For the receiver's side, which signs its own transaction. */
const REFUND = parseAbi([
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'function refund(ChannelConfig config, uint128 amount)',
])

const SETTINGS = { X402_BATCH_MAX: '3' }

let rig: RelayerRig

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 8, mining: 100 })
}, 120_000)

afterAll(() => rig?.close())

test('a deposit that fails on-chain stops none of those that it travels with', async () => {
  const { database, due, workers, areConfirmed } = await scene(6)
  const [poor, ...good] = due
  if (poor === undefined) throw new Error('there is no deposit')
  await fund(rig.chain.node, poor.config.payer)
  const drain = tokenCall('transfer', [rig.chain.collector, poor.amount])
  await transact(rig.chain, poor.key, rig.chain.usdc.address, drain)
  await bookedAhead(database)
  await workers.work(areConfirmed)
  await expectDepositedOnce(database, rig.chain, good)
  const [failed] = await database`
    select status, reason from x402_channel_action where payer = ${poor.config.payer}`
  expect({ ...failed }).toEqual({
    status: 'failed',
    reason: 'invalid_batch_settlement_evm_deposit_transaction_failed',
  })
}, 180_000)

/** Who burns the gas of a transaction that others share, and how often it may. */
async function burned() {
  const { database, due, workers, areConfirmed } = await scene(6)
  const [burner, ...honest] = due
  if (burner === undefined) throw new Error('there is no deposit')
  // It had no code when it was asked, as accounts that delegate (EIP-7702) don't.
  await placeCode(rig.chain, burner.config.payer, BURNING_WALLET)
  await bookedAhead(database)
  await workers.work(areConfirmed)
  await expectDepositedOnce(database, rig.chain, honest)
  await expectUnbrokenNonces(database, rig.chain)
  const [failed] = await database`
    select status, reason, coalesce(until > now() + interval '50 minutes', false) as is_paused
    from x402_channel_action a left join x402_wallet_pause b using (network_id, payer)
    where a.payer = ${burner.config.payer}`
  expect({ ...failed }).toEqual({
    status: 'failed',
    reason: 'invalid_batch_settlement_evm_deposit_transaction_failed',
    isPaused: true,
  })
  const pauses = await database`select from x402_wallet_pause`
  expect(pauses).toHaveLength(1)
  const sent = await database<{ count: number }[]>`
    select item_count as count from relayer_tx where outcome is not null order by id`
  return sent.map(({ count }) => count)
}

test('who burns the gas of others has one try, and each of them is made by itself, once', async () => {
  // The burner with two others, three others, and those two.
  expect((await burned()).sort()).toEqual([1, 1, 3, 3])
}, 180_000)

test('who burns it and hides its code afterwards has one more by itself', async () => {
  rig.node.rule(({ method }) =>
    method === 'eth_getCode' ? { type: 'result', result: '0x' } : undefined,
  )
  try {
    expect((await burned()).sort()).toEqual([1, 1, 1, 3, 3])
  } finally {
    rig.node.rule()
  }
}, 180_000)

test('who burns the gas of others and deposits all the same pauses, too', async () => {
  const { database, due, workers, areConfirmed } = await scene(3)
  const [waster] = due
  if (waster === undefined) throw new Error('there is no deposit')
  await placeCode(rig.chain, waster.config.payer, WASTEFUL_WALLET)
  // The first money that ever came to the contract would cost more gas.
  await rig.chain.mint([{ to: CHANNELS, amount: 1n }])
  await bookedAhead(database)
  await workers.work(areConfirmed)
  await expectDepositedOnce(database, rig.chain, due)
  const sent = await database<{ count: number }[]>`
    select item_count as count from relayer_tx where outcome is not null order by id`
  expect(sent.map(({ count }) => count)).toEqual([3, 1])
  const pauses = await database<{ payer: string }[]>`
    select payer from x402_wallet_pause where until > now() + interval '50 minutes'`
  expect(pauses.map(({ payer }) => payer)).toEqual([waster.config.payer])
}, 180_000)

test('who burns the gas of a transaction of its own has no second one', async () => {
  const { database, due, workers, areConfirmed } = await scene(1)
  const [burner] = due
  if (burner === undefined) throw new Error('there is no deposit')
  await placeCode(rig.chain, burner.config.payer, BURNING_WALLET)
  await bookedAhead(database)
  await workers.work(areConfirmed)
  const sent = await database`select from relayer_tx where outcome is not null`
  const pauses = await database`select from x402_wallet_pause where payer = ${burner.config.payer}`
  expect([sent.length, pauses.length]).toEqual([1, 1])
}, 180_000)

test('a refund is not done by one that was carried out before it was asked for', async () => {
  const { database, items, before, view } = await refundsAround()
  const client = openChain(workerConfig(rig.chain.variables()).chain)
  const { found, open } = await channelEvidence({ client, database }, items, view)
  expect(found.map(({ item }) => item.payload)).toEqual([{ actionId: before }])
  expect(open).toEqual(new Set())
}, 60_000)

test('what a booked event shows is not undone because a node lacks its receipt', async () => {
  const { database, items, before, view } = await refundsAround()
  const variables = rig.chain.variables({ RPC_URL_BASE_SEPOLIA: rig.node.url })
  const client = openChain(workerConfig(variables).chain)
  play(rig.node, { nullReceipts: true })
  const { found, open } = await channelEvidence({ client, database }, items, view)
  play(rig.node)
  expect(found).toEqual([])
  const unknown = items.filter(({ id }) => open.has(id))
  expect(unknown.map(({ payload }) => payload)).toEqual([{ actionId: before }])
}, 60_000)

/** Two refunds of a channel, one asked for before one that its payer's side made itself, and one after it. */
async function refundsAround() {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const merchant = await newForwarder(database, chain)
  const [deposit] = await dueDeposits(database, chain, merchant, 1)
  if (deposit === undefined) throw new Error('there is no deposit')
  const at = await refundAutomatically(database, deposit)
  const { channelId, config } = deposit
  const ask = (block: bigint, key: string) =>
    claimAction(database, {
      ...{ networkId: chain.networkId, merchantId: merchant.merchantId, kind: 'refund', key },
      ...{ receiver: merchant.forwarder, token: chain.usdc.address, deposit: null, amount: 1n },
      channels: [{ channelId, config, totalClaimed: null }],
      ...{ calldata: '0x', gas: 1, block, isAlone: false },
    })
  await database`delete from work_item`
  const before = await ask(at.blockNumber - 1n, 'before')
  await ask(at.blockNumber, 'after')
  await bookedAhead(database)
  await database`
    insert into x402_channel_event (network_id, tx_hash, log_index, block_number, block_hash,
      block_time, name, channel_id, amount)
    values (${chain.networkId}, ${at.transactionHash}, 0, ${at.blockNumber}, ${at.blockHash},
      now(), 'Refunded', ${channelId}, 1)`
  const items = await database.begin((sql) => lockDueItems(sql, chain.networkId, 'x402_channel', 9))
  expect(items).toHaveLength(2)
  return { database, items, before, view: { number: at.blockNumber, hash: at.blockHash } }
}

/** A payer that deposits and has a part refunded, without any relayer. The answer is the refund's receipt. */
async function refundAutomatically(database: Database, { key, config }: DueDeposit) {
  const { chain } = rig
  await fund(chain.node, config.payer)
  const [row] = await database<{ calldata: Hex }[]>`select calldata from x402_channel_action`
  await transact(chain, key, CHANNELS, row?.calldata ?? '0x')
  const refund = encodeFunctionData({ abi: REFUND, args: [config, 1n] })
  const receipt = await transact(chain, key, CHANNELS, refund)
  expect(receipt.status).toBe('success')
  return receipt
}

/** No leader books events here: as if it had, and had found none. */
async function bookedAhead(database: Database): Promise<void> {
  await database`
    insert into chain_state (network_id, chain_id, genesis_hash, channels_block)
    values (${rig.chain.networkId}, 84532, ${`0x${'00'.repeat(32)}`}, 1000000000)
    on conflict (network_id) do update set channels_block = excluded.channels_block`
}

async function scene(count: number) {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const merchant = await newForwarder(database, chain)
  await database`delete from work_item`
  const due = await dueDeposits(database, chain, merchant, count)
  const workers = workersOf(rig, database, rig.ownKey(), SETTINGS)
  const areConfirmed = () =>
    eventually(
      () => areAllDepositsConfirmed(database),
      (areAll) => areAll,
      150_000,
    )
  return { database, due, workers, areConfirmed }
}
