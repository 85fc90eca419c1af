import { paidInBlock } from '../../../chain/x402/authorizationUse.ts'
import { encodeAuthorization } from '../../../chain/x402/settlement.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { CHANNELS } from '../../../core/channels/channel.ts'
import { dueDeposits } from '../relayer/deposits.ts'
import { claimSettles, dueSettles, newForwarder } from '../relayer/settles.ts'
import { send } from '../relayer/transactions.ts'
import { newHash } from '../store/database.ts'
import { authorizeEach } from '../x402/authorizations.ts'
import { fund, newOtherSender } from '../x402/chain.ts'
import {
  bare,
  noNodeFault,
  ROWS_ONLY,
  type Scene,
  several,
  THINGS,
  type Thing,
  type World,
} from './scenes.ts'

/** x402 payments for every step of a ledger's turn that works on them, their refunds, and their payouts. */

const payments =
  (status: string, isConfirmed: boolean) =>
  async ({ database }: World) => {
    const rows = await database<{ id: string }[]>`
    select id from x402_payment
    where status = ${status} and (confirmed_at is not null) = ${isConfirmed}`
    return rows.map(({ id }) => id)
  }

interface Claimed {
  readonly id: string
  readonly itemId: bigint
}

async function claimedBy({ database }: World, payer: string): Promise<Claimed> {
  const [row] = await database<Claimed[]>`
    select p.id, w.id as item_id from x402_payment p
    join work_item w on (w.payload->>'paymentId')::uuid = p.id where p.payer = ${payer}`
  if (row === undefined) throw new Error('the payment was not claimed')
  return row
}

export const expired: Scene = {
  name: 'a payment whose time is over',
  unreached: {},
  async seed(world) {
    const { chain, database } = world
    const signed = await dueSettles(database, chain, await newForwarder(database, chain), THINGS)
    return several(async (i): Promise<Thing> => {
      const payer = signed[i]?.authorization.from ?? ''
      const { id, itemId } = await claimedBy(world, payer)
      await database`update x402_payment set valid_before = 1 where id = ${id}`
      const subject = `expired payment of work item ${itemId}`
      return { id, calls: [bare(payer)], rows: [id], subject }
    })
  },
  ended: payments('failed', false),
  promised: payments('pending', false),
}

export const byOthers: Scene = {
  name: 'a payment that somebody else has submitted',
  unreached: {},
  async seed(world) {
    const { chain, database } = world
    const merchant = await newForwarder(database, chain)
    const signed = await authorizeEach(chain, merchant.forwarder, THINGS)
    await claimSettles(database, chain, merchant, signed)
    for (const one of signed) {
      const key = await newOtherSender(chain)
      await send(chain, key, chain.usdc.address, encodeAuthorization(one))
    }
    await chain.mine()
    const { number, hash } = await chain.client.getBlock()
    return several(async (i): Promise<Thing> => {
      const payer = signed[i]?.authorization.from
      if (payer === undefined) throw new Error('there are too few payers')
      const { id, itemId } = await claimedBy(world, payer)
      const [paid] = (await paidInBlock(chain.client, chain.usdc.address, payer, hash)) ?? []
      if (paid === undefined) throw new Error('the stranger was refused')
      await database`
        update x402_payment set status = 'settled', by_others = true, settled_at = now(),
          tx_hash = ${paid.txHash}, log_index = ${paid.logIndex}, block_number = ${number},
          block_hash = ${hash} where id = ${id}`
      await database`update work_item set state = 'settled' where id = ${itemId}`
      return { id, calls: [bare(payer)], rows: [id], subject: `payment by others ${id}` }
    })
  },
  ended: payments('settled', true),
  promised: payments('settled', false),
}

/** Payments that are confirmed, and refunds of a part of each, by the payments' ids. */
async function refunded(world: World): Promise<{ id: string; refundId: string }[]> {
  const { chain, database, block } = world
  const merchant = await newForwarder(database, chain)
  const signed = await dueSettles(database, chain, merchant, THINGS)
  return several(async (i) => {
    const { id, itemId } = await claimedBy(world, signed[i]?.authorization.from ?? '')
    await database`
      update x402_payment set status = 'settled', tx_hash = ${newHash()}, log_index = 1,
        block_number = ${block.number}, block_hash = ${block.hash}, settled_at = now(),
        confirmed_at = now() where id = ${id}`
    await database`update work_item set state = 'settled' where id = ${itemId}`
    const refundId = Bun.randomUUIDv7()
    await database`
      select ask_for_x402_refund(${refundId}, merchant_id, id, id::text, '1000', payer)
      from x402_payment where id = ${id}`
    return { id, refundId }
  })
}

const failedRefunds = async ({ database }: World) => {
  const rows = await database<{ id: string }[]>`select id from refund where status = 'failed'`
  return rows.map(({ id }) => id)
}

const promisedRefunds = async ({ database }: World) => {
  const rows = await database<{ id: string }[]>`
    select r.id from refund r join x402_payment p on p.id = r.x402_payment_id
    where r.status = 'open' and p.refunding >= r.amount`
  return rows.map(({ id }) => id)
}

export const paidOut: Scene = {
  name: 'a refund of a payment that was paid out first',
  unreached: ROWS_ONLY,
  async seed(world) {
    const all = await refunded(world)
    const paymentIds = all.map(({ id }) => id)
    await world.database`
      update x402_payment set distribution_id = gen_random_uuid()
      where id = any(${paymentIds}::uuid[])`
    return all.map(({ refundId: id }) => {
      return { id, calls: [], rows: [id], subject: `x402 refund ${id}` }
    })
  },
  ended: failedRefunds,
  promised: promisedRefunds,
}

export const overdue: Scene = {
  name: 'a refund of a payment, whose time is over',
  unreached: {},
  async seed(world) {
    const all = await refunded(world)
    return several(async (i): Promise<Thing> => {
      const id = all[i]?.refundId ?? ''
      const orderNumber = 0x7e58_0000n + BigInt(i)
      await world.database`
        update refund set deadline = 1, order_number = ${orderNumber}, fee_left = 0 where id = ${id}`
      const calls = [orderNumber.toString(16).padStart(64, '0')]
      return { id, calls, rows: [id], subject: `x402 refund ${id}` }
    })
  },
  ended: failedRefunds,
  promised: promisedRefunds,
}

/** Merchants who can be paid out, each with a payment that has lain there for long enough. */
export const payouts: Scene = {
  name: 'a forwarder that is to be paid out',
  unreached: ROWS_ONLY,
  async seed(world) {
    const { chain, database, block } = world
    return several(async (): Promise<Thing> => {
      const merchant = await newForwarder(database, chain)
      const { merchantId } = merchant
      const [signed] = await dueSettles(database, chain, merchant, 1)
      const { id, itemId } = await claimedBy(world, signed?.authorization.from ?? '')
      await database`
        update x402_payment set status = 'settled', tx_hash = ${newHash()}, log_index = 1,
          block_number = ${block.number}, block_hash = ${block.hash},
          settled_at = now() - interval '1 hour', confirmed_at = now() where id = ${id}`
      await database`update work_item set state = 'settled' where id = ${itemId}`
      await database`
        update work_item set state = 'settled'
        where kind = 'configure' and payload->>'merchantId' = ${merchantId}`
      const rows = [`"distribute:${chain.networkId}:${merchantId}`]
      return { id: merchantId, calls: [], rows, subject: `payout of merchant ${merchantId}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select payload->>'merchantId' as id from work_item where kind = 'distribute'`
    return rows.map(({ id }) => id)
  },
}

async function newChannels(world: World) {
  const { chain, database } = world
  const merchant = await newForwarder(database, chain)
  return dueDeposits(database, chain, merchant, THINGS)
}

/** Channels in which something has been noted. */
async function channelsWith({ database }: World, column: 'base_hash' | 'auto_claimed_at') {
  const rows = await database<{ id: string }[]>`
    select channel_id as id from x402_channel where ${database(column)} is not null`
  return rows.map(({ id }) => id)
}

export const bases: Scene = {
  name: 'a channel that nothing is known of',
  unreached: {},
  async seed(world) {
    const channels = await newChannels(world)
    return channels.map(({ channelId: id }) => {
      return { id, calls: [bare(id)], rows: [id], subject: `base of channel ${id}` }
    })
  },
  ended: (world) => channelsWith(world, 'base_hash'),
}

export const withdrawals: Scene = {
  name: 'a channel of which its payer withdraws',
  unreached: {},
  async seed(world) {
    const { database } = world
    const channels = await newChannels(world)
    const ids = channels.map(({ channelId }) => channelId)
    await database`
      insert into x402_channel_voucher (network_id, channel_id, max_claimable, signature, charged,
        claim_max, claim_signature, claim_total, authorizer_signature, claimed_block)
      select network_id, channel_id, 500, '0x12', 500, 500, '0x12', 500, '0x12', 1
      from x402_channel where channel_id = any(${ids}::text[])`
    await database`
      update x402_channel set balance = 1000, withdraw_amount = 1000,
        withdraw_at = now() + interval '1 hour', base_hash = ${`0x${'ba'.repeat(32)}`}
      where channel_id = any(${ids}::text[])`
    const payers = channels.map(({ config }) => config.payer)
    await forgetActions(world, payers)
    return Promise.all(
      ids.map(async (id): Promise<Thing> => {
        const [row] = await database<{ id: string }[]>`
          select id from x402_channel where channel_id = ${id}`
        return { id, calls: [bare(id)], rows: [id], subject: `channel ${row?.id ?? ''}` }
      }),
    )
  },
  ended: (world) => channelsWith(world, 'auto_claimed_at'),
}

/** As if nothing had been asked for of their channels. */
async function forgetActions({ database }: World, payers: readonly string[]): Promise<void> {
  await database`
    delete from work_item where (payload->>'actionId')::uuid in (
      select id from x402_channel_action where payer = any(${[...payers]}::text[]))`
  await database`delete from x402_channel_action where payer = any(${[...payers]}::text[])`
}

/** What was asked for of a channel, which the contract does the party that sends it. */
async function actionOf({ database }: World, payer: string) {
  const [row] = await database<{ id: string; itemId: bigint; calldata: Hex }[]>`
    select a.id, w.id as item_id, a.calldata from x402_channel_action a
    join work_item w on (w.payload->>'actionId')::uuid = a.id where a.payer = ${payer}`
  if (row === undefined) throw new Error('nothing was asked for')
  return row
}

export const lateDeposits: Scene = {
  name: 'a deposit that waits past its time',
  unreached: ROWS_ONLY,
  async seed(world) {
    const { database, block } = world
    const channels = await newChannels(world)
    // By then no one has made them.
    await database`update chain_state set channels_block = ${block.number}`
    return several(async (i): Promise<Thing> => {
      const { id, itemId } = await actionOf(world, channels[i]?.config.payer ?? '')
      await database`update x402_channel_action set valid_before = 1 where id = ${id}`
      return { id, calls: [], rows: [id], subject: `deposit of work item ${itemId}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from x402_channel_action where status = 'failed'`
    return rows.map(({ id }) => id)
  },
  async promised({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from x402_channel_action where status = 'pending'`
    return rows.map(({ id }) => id)
  },
}

/** Blocks are booked whole and in their order, because missing events would prove what is not so. */
export const channelEvents: Scene = {
  name: 'the events of blocks',
  unreached: noNodeFault('events are asked for by blocks, and not by channels'),
  async seed(world) {
    const { chain } = world
    const [channel] = await newChannels(world)
    if (channel === undefined) throw new Error('there is no channel')
    const { key, config, channelId: id } = channel
    const { calldata } = await actionOf(world, config.payer)
    await fund(chain.node, config.payer)
    await send(chain, key, CHANNELS, calldata)
    await chain.mine()
    await forgetActions(world, [config.payer])
    const rows = [`"channel_id": "${id}"`]
    return [{ id, calls: [], rows, subject: 'step events of channels' }]
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select distinct channel_id as id from x402_channel_event`
    return rows.map(({ id }) => id)
  },
}
