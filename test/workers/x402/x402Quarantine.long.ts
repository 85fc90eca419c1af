import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import pino from 'pino'
import type { Hex } from '../../../core/chain/evm.ts'
import { CHANNELS } from '../../../core/channels/channel.ts'
import { openKinds } from '../../../store/chain/openKinds.ts'
import { readChainState } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceX402 } from '../../../workers/ledger/x402Steps.ts'
import { endX402Refunds } from '../../../workers/refund/ends.ts'
import { Searches } from '../../../workers/turns/searches.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { dueDeposits } from '../../support/relayer/deposits.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { isOfBlock } from '../../support/servers/provider.ts'
import { fund } from '../../support/x402/chain.ts'

/** What can't be worked on of x402 is put aside, what a node lacks decides nothing, and the rest goes on. */

const SILENT = pino({ level: 'silent' })
let shared: RelayerRig
let database: Database
let rig: LedgerRig
let merchant: Awaited<ReturnType<typeof newForwarder>>

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

beforeEach(async () => {
  shared.node.rule()
  database = await shared.ownDatabase()
  rig = await ledgerRig(database, shared.chain, shared.node.url)
  merchant = await newForwarder(database, shared.chain)
  await shared.chain.mine(5)
  await rig.advance()
}, 120_000)

async function advance() {
  const { database, client } = rig.projection
  const open = await openKinds(database, client.chain.networkId)
  return advanceX402(rig.projection, new Searches(client), open, SILENT)
}

async function headOf(): Promise<bigint> {
  return (await readChainState(database, shared.chain.networkId))?.head ?? 0n
}

/** Calls of this method that hold these digits are refused by the node. */
function refuse(digits: string): void {
  shared.node.rule((call) =>
    call.method === 'eth_call' && JSON.stringify(call.params).includes(digits.slice(2))
      ? { type: 'error', code: -32_000, message: 'missing trie node' }
      : undefined,
  )
}

const subjects = () => rig.projection.work.others.setbacks(new Date()).map(([name]) => name)

/** Channels of which payers withdraw, with something to claim by what their servers have stored. */
async function withdrawing(count: number) {
  const due = await dueDeposits(database, shared.chain, merchant, count)
  await database`
    insert into x402_channel_voucher (network_id, channel_id, max_claimable, signature, charged,
      claim_max, claim_signature, claim_total, authorizer_signature, claimed_block)
    select network_id, channel_id, 500, '0x12', 500, 500, '0x12', 500, '0x12', 1 from x402_channel`
  await database`
    update x402_channel set balance = 1000, withdraw_amount = 1000,
      withdraw_at = now() + interval '1 hour', base_hash = ${`0x${'ba'.repeat(32)}`}`
  await database`delete from work_item`
  await database`delete from x402_channel_action`
  return due
}

test('a channel that a node can’t answer for is put aside, and the next ones are looked at', async () => {
  const [bad, good] = await withdrawing(2)
  if (bad === undefined || good === undefined) throw new Error('there are no channels')
  refuse(bad.channelId)
  await advance()
  const looked = await database<{ channelId: Hex }[]>`
    select channel_id from x402_channel where auto_claimed_at is not null`
  expect(looked.map(({ channelId }) => channelId)).toEqual([good.channelId])
  const [row] = await database<{ id: string }[]>`
    select id from x402_channel where channel_id = ${bad.channelId}`
  expect(subjects()).toEqual([`channel ${row?.id}`])
}, 60_000)

test('a channel whose state a node can’t tell is put aside, and the others are read', async () => {
  const [bad, good] = await dueDeposits(database, shared.chain, merchant, 2)
  if (bad === undefined || good === undefined) throw new Error('there are no channels')
  refuse(bad.channelId)
  await advance()
  const unread = await database<{ channelId: Hex }[]>`
    select channel_id from x402_channel where base_hash is null`
  expect(unread.map(({ channelId }) => channelId)).toEqual([bad.channelId])
  expect(subjects()).toEqual([`base of channel ${bad.channelId}`])
}, 60_000)

test('that nothing is to be paid out is believed of a head that has the claims only', async () => {
  await withdrawing(1)
  const head = await headOf()
  const hash = `0x${'12'.repeat(32)}`
  await database`
    update x402_channel set withdraw_at = null`
  await database`
    insert into x402_channel_action (id, network_id, merchant_id, kind, action_key, receiver, token,
      amount, channels, calldata, gas, status, tx_hash, block_number, block_hash, moved,
      claimed_block, settled_at, confirmed_at, is_automatic)
    values (gen_random_uuid(), ${shared.chain.networkId}, ${merchant.merchantId}, 'claim', 'one',
      ${merchant.forwarder}, ${shared.chain.usdc.address}, 500, '[]', '0x12', 1, 'settled', ${hash},
      ${head + 1n}, ${hash}, 500, 1, now(), now(), true)`
  const followed = async () => {
    await advance()
    const [row] = await database<{ followedAt: Date | null }[]>`
      select followed_at from x402_channel_action`
    return row?.followedAt ?? null
  }
  expect(await followed()).toBeNull()
  await shared.chain.mine()
  await rig.advance()
  // A node that stands still knows less than the ledger, and is not believed.
  shared.node.rule(() => ({ type: 'frozen', at: Number(head) }))
  expect(await followed()).toBeNull()
  shared.node.rule()
  expect(await followed()).not.toBeNull()
}, 60_000)

test('events that can’t be booked hold up neither claims nor payouts', async () => {
  await withdrawing(1)
  await database`update chain_state set channels_block = 1, distributions_block = 1`
  await database`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${shared.chain.networkId}, 'x402_channel', 'channel', '{}'),
      (${shared.chain.networkId}, 'distribute', 'distribute', '{}')`
  await database`alter table chain_state add check (channels_block = 1)`
  await advance()
  expect(subjects()).toEqual([])
  const steps = rig.projection.work.steps.setbacks(new Date())
  expect(steps.map(([name]) => name)).toEqual(['step events of channels'])
  const [row] = await database<{ block: bigint; looked: number }[]>`
    select distributions_block as block,
      (select count(*)::int from x402_channel where auto_claimed_at is not null) as looked
    from chain_state`
  expect(row?.looked).toBe(1)
  expect(row?.block).toBeGreaterThan(1n)
}, 60_000)

test('a deposit that waits past its time is done when anyone has made it, and else has failed', async () => {
  const { chain } = shared
  const [made, unmade] = await dueDeposits(database, chain, merchant, 2)
  if (made === undefined || unmade === undefined) throw new Error('there are no deposits')
  await fund(chain.node, made.config.payer)
  const [row] = await database<{ calldata: Hex }[]>`
    select calldata from x402_channel_action where payer = ${made.config.payer}`
  await transact(chain, made.key, CHANNELS, row?.calldata ?? '0x')
  await database`update x402_channel_action set valid_before = 1`
  await chain.mine(5)
  await rig.advance()
  const states = async () => {
    const rows = await database<{ status: string; reason: string | null; state: string }[]>`
      select a.status, a.reason, w.state from x402_channel_action a
      join work_item w on (w.payload->>'actionId')::uuid = a.id
      order by a.payer = ${made.config.payer} desc`
    return rows.map(({ status, reason, state }) => [status, reason, state])
  }
  // The node shows the events that are booked, by their topics, and nothing else of their blocks.
  shared.node.rule((call) =>
    isOfBlock(call) && Object(call.params[0]).topics.length !== 1
      ? { type: 'result', result: [] }
      : undefined,
  )
  await advance()
  const failed = ['failed', 'payment_expired', 'failed']
  expect(await states()).toEqual([['pending', null, 'queued'], failed])
  shared.node.rule()
  await advance()
  expect(await states()).toEqual([['settled', null, 'settled'], failed])
}, 60_000)

test('an expired payment that a node can’t answer for is put aside, and others end', async () => {
  const [bad] = await dueSettles(database, shared.chain, merchant, 3)
  if (bad === undefined) throw new Error('there is no payment')
  await database`update x402_payment set valid_before = 1`
  await shared.chain.mine(3)
  await rig.advance()
  refuse(bad.authorization.from)
  await advance()
  const states = async () => {
    const rows = await database<{ status: string }[]>`
      select status from x402_payment order by payer = ${bad.authorization.from}`
    return rows.map(({ status }) => status)
  }
  expect(await states()).toEqual(['failed', 'failed', 'pending'])
  expect(subjects()).toHaveLength(1)
  shared.node.rule()
  await eventually(
    async () => {
      await advance()
      return states()
    },
    (all) => all.every((status) => status === 'failed'),
  )
  expect(subjects()).toEqual([])
}, 60_000)

test('a refund that can’t be ended after its payment was paid out is put aside, and others end', async () => {
  await dueSettles(database, shared.chain, merchant, 3)
  const hash = `0x${'12'.repeat(32)}`
  await database`
    update x402_payment set status = 'settled', tx_hash = '0x' || repeat(replace(id::text, '-', ''), 2),
      log_index = 1, block_number = 1, block_hash = ${hash}, settled_at = now(), confirmed_at = now()`
  await database`
    select ask_for_x402_refund(gen_random_uuid(), merchant_id, id, id::text, '1000', payer) from x402_payment`
  await database`update x402_payment set distribution_id = gen_random_uuid()`
  const [bad] = await database<{ id: string }[]>`select id from refund order by id limit 1`
  if (bad === undefined) throw new Error('there is no refund')
  await database.unsafe(
    `alter table refund add constraint faulty check (status = 'open' or id <> '${bad.id}')`,
  )
  const end = () => endX402Refunds(rig.projection, new Searches(rig.projection.client))
  const states = async () => {
    const rows = await database<{ status: string }[]>`select status from refund order by id`
    return rows.map(({ status }) => status)
  }
  expect((await end()).changed).toBe(2)
  expect(await states()).toEqual(['open', 'failed', 'failed'])
  expect(subjects()).toEqual([`x402 refund ${bad.id}`])
  await database`alter table refund drop constraint faulty`
  await eventually(
    async () => {
      await end()
      return states()
    },
    (all) => all.every((status) => status === 'failed'),
  )
  expect(subjects()).toEqual([])
}, 60_000)
