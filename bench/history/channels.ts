import type { MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import {
  claimAction,
  findAction,
  isClaimedAfter,
  type NewAction,
} from '../../store/channels/actions.ts'
import { saveBases, unreadChannels } from '../../store/channels/bases.ts'
import { deriveChannels } from '../../store/channels/derive.ts'
import {
  awaitsChannelEvents,
  bookChannelPayouts,
  channelsBookedTo,
  revertChannelEvents,
  storeChannelEvents,
} from '../../store/channels/events.ts'
import { channelWithdrawals, dueClaims, duePayouts } from '../../store/channels/withdrawals.ts'
import {
  eventsSince,
  lateDeposits,
  lockDueActions,
  readActionWork,
} from '../../store/channels/work.ts'
import type { Database } from '../../store/database/database.ts'
import { newAddress, newHash, storeBlock } from '../../test/support/store/database.ts'
import { NETWORK, TOKEN } from '../../test/support/store/x402.ts'

/** Channels with a history, and what is asked of them at every turn. */

export const CHANNEL_TABLES = [
  'x402_channel',
  'x402_channel_action',
  'x402_channel_event',
  'x402_channel_voucher',
]

/** The channel of which something was claimed most often. */
const BUSY: Hex = `0xe${'0'.repeat(62)}1`

/** So many channels of one merchant, each deposited, claimed and stored; one alone has as many claims. */
export async function seedChannels(
  sql: Database,
  merchantId: MerchantId,
  count: number,
): Promise<void> {
  const [known] = await sql<{ address: Address }[]>`
    select address from forwarder where merchant_id = ${merchantId}`
  const receiver = known?.address ?? newAddress()
  await sql`
    insert into x402_channel (network_id, channel_id, merchant_id, payer, payer_authorizer, receiver,
      receiver_authorizer, token, withdraw_delay, salt, balance, total_claimed, base_balance,
      base_claimed, base_block, base_hash)
    select ${NETWORK}, '0xe' || lpad(to_hex(n), 63, '0'), ${merchantId}, a, a, ${receiver}, a, ${TOKEN},
      900, '0x' || lpad(to_hex(n), 64, '0'), 100, 50, 0, 0, 1, '0x' || lpad(to_hex(n), 64, '0')
    from generate_series(1, ${count}::integer) n,
      lateral (select '0xc' || lpad(to_hex(n), 39, '0') as a) p`
  await sql`
    insert into x402_channel_voucher (network_id, channel_id, max_claimable, signature, charged,
      claim_max, claim_signature, claim_total, authorizer_signature, claimed_block)
    select network_id, channel_id, 50, '0x12', 50, 50, '0x12', 50, '0x12', 1 from x402_channel where channel_id like '0xe%'`
  await sql`
    insert into x402_channel_action (id, network_id, merchant_id, kind, action_key, receiver, token,
      payer, authorization_nonce, valid_before, amount, channels, calldata, gas, status, tx_hash,
      log_index, block_number, block_hash, moved, claimed_block, created_at, settled_at, confirmed_at)
    select gen_random_uuid(), network_id, merchant_id, 'deposit', channel_id, receiver, token, payer,
      channel_id, 1, 100, json_build_array(json_build_object('channelId', channel_id)), '0x12', 1,
      'settled', channel_id, 1, 10, channel_id, 100, 1, now() - interval '9 days', now(), now()
    from x402_channel where channel_id like '0xe%'`
  const event = (name: string, total: number) => sql`
    select network_id, channel_id, 1, 10, channel_id, now(), ${name}, channel_id, 100, ${total}::integer
    from x402_channel where channel_id like '0xe%'`
  await sql`
    insert into x402_channel_event (network_id, tx_hash, log_index, block_number, block_hash,
      block_time, name, channel_id, amount, total) ${event('Deposited', 100)}`
  await sql`
    insert into x402_channel_event (network_id, tx_hash, log_index, block_number, block_hash,
      block_time, name, channel_id, amount, total)
    select ${NETWORK}, '0xd' || lpad(to_hex(n), 63, '0'), n, 11, ${BUSY}, now(), 'Claimed', ${BUSY}, 1, n
    from generate_series(1, ${count}::integer) n`
  await sql`update chain_state set channels_block = 20 where network_id = ${NETWORK}`
  for (const table of CHANNEL_TABLES) await sql`analyze ${sql(table)}`
}

/** Statements of the API, the leader and a relayer about channels, for a deposit and a withdrawing payer. */
export async function useChannels(sql: Database, merchantId: MerchantId): Promise<void> {
  const [channel] = await sql<{ receiver: Address; payer: Address }[]>`
    select receiver, payer from x402_channel where channel_id = ${BUSY}`
  if (channel === undefined) throw new Error('there is no channel')
  const { receiver, payer } = channel
  const config = {
    ...{ payer, payerAuthorizer: payer, receiver, receiverAuthorizer: payer, token: TOKEN },
    ...{ withdrawDelay: 900, salt: newHash() },
  }
  const action: NewAction = {
    ...{ networkId: NETWORK, merchantId, kind: 'deposit', key: newHash(), receiver, token: TOKEN },
    deposit: { payer, nonce: newHash(), validBefore: 4_000_000_000n, balance: 1_000_000n },
    channels: [{ channelId: BUSY, config, totalClaimed: null }],
    ...{ amount: 1n, calldata: '0x12', gas: 1, block: 19n, isAlone: false },
  }
  await findAction(sql, NETWORK, action.key)
  await isClaimedAfter(sql, action, 19n)
  await claimAction(sql, action)
  const [item] = await sql<{ id: bigint }[]>`
    select id from work_item where dedupe_key = ${`channel:${NETWORK}:${action.key}`}`
  const rows = await readActionWork(sql, item === undefined ? [] : [item.id])
  await eventsSince(sql, NETWORK, rows)
  await channelsBookedTo(sql, NETWORK)
  await awaitsChannelEvents(sql, NETWORK)
  await sql`
    update x402_channel set withdraw_at = now() + interval '1 hour' where channel_id = ${BUSY}`
  await dueClaims(sql, NETWORK, 20)
  await duePayouts(sql, NETWORK)
  await lateDeposits(sql, NETWORK, 50, [])
  await sql.begin((transaction) => lockDueActions(transaction, NETWORK, 10))
  await channelWithdrawals(sql)
  await sql`
    update x402_channel set base_hash = null where network_id = ${NETWORK} and channel_id = ${BUSY}`
  const [unread] = await unreadChannels(sql, NETWORK, 50)
  const view = { number: 20n, hash: await storeBlock(sql, NETWORK, 20n) }
  const base = { channelId: unread?.channelId ?? BUSY, balance: 100n, totalClaimed: 50n }
  await saveBases(sql, NETWORK, view, [{ ...base, withdrawal: null }])
  await sql.begin(async (transaction) => {
    await revertChannelEvents(transaction, NETWORK)
    const place = { txHash: newHash(), block: 21n, blockHash: newHash(), withdrawAt: null }
    const nothing = { channelId: null, receiver: null, token: null, total: null }
    const events = [
      {
        ...nothing,
        ...place,
        name: 'Claimed',
        channelId: BUSY,
        amount: 1n,
        total: 7n,
        logIndex: 1,
      },
      { ...nothing, ...place, name: 'Settled', receiver, token: TOKEN, amount: 1n, logIndex: 3 },
    ]
    const { channelIds } = await storeChannelEvents(transaction, NETWORK, events)
    await deriveChannels(transaction, NETWORK, channelIds)
    await bookChannelPayouts(transaction, NETWORK, () => 0n)
  })
}
