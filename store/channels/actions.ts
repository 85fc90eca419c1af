import type { ChannelActionId, MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { ChannelConfig } from '../../core/channels/channel.ts'
import type { ChannelActionType } from '../../core/channels/requests.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { endHolds } from '../x402/holds.ts'
import { lockPayers, NOTHING, promisedTo } from '../x402/promises.ts'

/** Actions on channels: stored once with their work items before anything is signed, and read while in flight. */

export interface NewAction {
  readonly networkId: string
  readonly merchantId: MerchantId
  readonly kind: ChannelActionType
  /** Unique on the chain: a repeated request finds the same action. */
  readonly key: string
  readonly receiver: Address
  readonly token: Address
  readonly deposit: {
    readonly payer: Address
    readonly nonce: Hex
    readonly validBefore: bigint
    /** The payer's balance at `block`, in base units. */
    readonly balance: bigint
  } | null
  /** In base units. */
  readonly amount: bigint
  readonly channels: readonly {
    readonly channelId: Hex
    readonly config: ChannelConfig
    readonly totalClaimed: bigint | null
  }[]
  readonly calldata: Hex
  readonly gas: number
  /** The chain's head. */
  readonly block: bigint
  /** Needs a batch of its own: a contract verifies the signature, and could burn the gas of other items. */
  readonly isAlone: boolean
}

/**
 * Stores an action with its work item, once. Returns the id of the new or the existing action; null for a deposit above
 * the payer's unreserved balance.
 */
export function claimAction(
  database: Database,
  action: NewAction,
): Promise<ChannelActionId | null> {
  return database.begin(async (sql) => {
    const { deposit, networkId, token: asset, amount, block } = action
    if (deposit !== null) {
      const authorization = { from: deposit.payer, nonce: deposit.nonce }
      const query = { networkId, asset, authorization, block, usedNonces: [] }
      await lockPayers(sql, [query])
      const [promised = NOTHING] = await promisedTo(sql, [query])
      if (promised.amount + amount > deposit.balance) return null
      await endHolds(sql, [query])
    }
    return storeAction(sql, action, true)
  })
}

/**
 * Stores an action with its work item, once, without reserving any of the payer's balance. Returns its id. An action
 * of a single caller may be withdrawn before it is signed.
 */
export async function storeAction(
  sql: Transaction,
  action: NewAction,
  isWithdrawable = false,
): Promise<ChannelActionId> {
  const { deposit } = action
  const row = {
    id: Bun.randomUUIDv7(),
    network_id: action.networkId,
    merchant_id: action.merchantId,
    kind: action.kind,
    action_key: action.key,
    receiver: action.receiver,
    token: action.token,
    payer: deposit?.payer ?? null,
    authorization_nonce: deposit?.nonce ?? null,
    valid_before: deposit?.validBefore.toString() ?? null,
    amount: action.amount.toString(),
    channels: action.channels.map(({ channelId, totalClaimed }) => ({
      channelId,
      totalClaimed: totalClaimed?.toString() ?? null,
    })),
    calldata: action.calldata,
    gas: action.gas,
    claimed_block: action.block.toString(),
    is_alone: action.isAlone,
    is_withdrawable: isWithdrawable,
  }
  const channels = action.channels.map(({ channelId, config }) => ({
    channel_id: channelId,
    payer: config.payer,
    payer_authorizer: config.payerAuthorizer,
    receiver_authorizer: config.receiverAuthorizer,
    withdraw_delay: config.withdrawDelay,
    salt: config.salt,
  }))
  const [claimed] = await sql<{ id: ChannelActionId }[]>`
    select claim_channel_action(${JSON.stringify(row)}::text::json,
      ${JSON.stringify(channels)}::text::json) as id`
  if (!claimed) throw new Error('an action was not stored')
  return claimed.id
}

export interface ActionOutcome {
  readonly id: ChannelActionId
  readonly status: 'pending' | 'settled' | 'failed'
  readonly reason: string | null
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  /** The amount in its event, in base units. */
  readonly moved: bigint | null
  readonly answeredAt: Date | null
}

export async function findAction(
  sql: Queryable,
  networkId: string,
  key: string,
): Promise<ActionOutcome | null> {
  const [row] = await sql<ActionOutcome[]>`
    select ${outcomeColumns(sql)} from x402_channel_action
    where network_id = ${networkId} and action_key = ${key}`
  return row ?? null
}

/** Whether a claim or refund of this receiver was settled in a later block. */
export async function isClaimedAfter(
  sql: Queryable,
  { networkId, receiver, token }: Pick<NewAction, 'networkId' | 'receiver' | 'token'>,
  block: bigint,
): Promise<boolean> {
  const [row] = await sql`
    select from x402_channel_action
    where network_id = ${networkId} and status = 'settled' and block_number > ${block}
      and kind in ('claim', 'refund') and receiver = ${receiver} and token = ${token} limit 1`
  return row !== undefined
}

/** The newest pending claim or refund of this receiver. */
export async function pendingClaim(
  sql: Queryable,
  { networkId, receiver, token }: Pick<NewAction, 'networkId' | 'receiver' | 'token'>,
): Promise<ChannelActionId | null> {
  const [row] = await sql<{ id: ChannelActionId }[]>`
    select id from x402_channel_action
    where network_id = ${networkId} and status = 'pending' and kind in ('claim', 'refund')
      and receiver = ${receiver} and token = ${token}
    order by created_at desc limit 1`
  return row?.id ?? null
}

export async function readAction(sql: Queryable, id: ChannelActionId): Promise<ActionOutcome> {
  const [row] = await sql<ActionOutcome[]>`
    select ${outcomeColumns(sql)} from x402_channel_action where id = ${id}`
  if (!row) throw new Error(`there is no channel action ${id}`)
  return row
}

function outcomeColumns(sql: Queryable) {
  return sql`id, status, reason, tx_hash, block_number, moved, answered_at`
}

/** How long a caller may take to write the success response before another may, in seconds. */
const ANSWER_LEASE_S = 5

/** Leases the right to write a deposit's one success response. True for one caller at a time, until it is written. */
export async function leaseAnswer(
  sql: Queryable,
  id: ChannelActionId,
  owner: string,
): Promise<boolean> {
  const rows = await sql`
    update x402_channel_action set answer_owner = ${owner},
      answer_until = clock_timestamp() + ${ANSWER_LEASE_S} * interval '1 second'
    where id = ${id} and status = 'settled' and answered_at is null
      and (answer_until is null or answer_until < clock_timestamp())
    returning id`
  return rows.length > 0
}

/** Ends that lease: permanently if the response was written, otherwise for the next caller. */
export async function endAnswer(
  sql: Queryable,
  id: ChannelActionId,
  owner: string,
  wasWritten: boolean,
): Promise<void> {
  await sql`
    update x402_channel_action set answer_until = null,
      answered_at = case when ${wasWritten}::boolean then now() else answered_at end
    where id = ${id} and answered_at is null
      and (${wasWritten}::boolean or answer_owner = ${owner})`
}
