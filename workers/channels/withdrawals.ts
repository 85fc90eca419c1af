import type { Logger } from 'pino'
import { keccak256 } from 'viem'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { encodeChannelAction } from '../../chain/channels/calls.ts'
import { readChannel } from '../../chain/channels/read.ts'
import type { View } from '../../chain/rpc/view.ts'
import { ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { CHANNEL_GAS } from '../../core/channels/action.ts'
import type { NewAction } from '../../store/channels/actions.ts'
import {
  type DueClaim,
  type DuePayout,
  dueClaims,
  duePayouts,
  postponeClaim,
  postponePayout,
  requestClaim,
  requestPayout,
} from '../../store/channels/withdrawals.ts'
import { clearedAmong, wantScreening } from '../../store/screening/screenings.ts'
import { type LedgerContext, type Progress, viewOf } from '../turns/ledgerContext.ts'

/**
 * What the leader of a chain does when payers withdraw from x402's channels: it claims what their servers hold
 * vouchers for, before the payer can withdraw it, and pays it out to the receiver. Amounts below the chain's
 * minimum payment are left to the merchant, or else payers could make us pay for gas.
 */

/** Channels that one turn reads, each by one request to the node. */
const CLAIMS_PER_TURN = 20

/** As things that may be quarantined. */
const [CHANNEL, PAYOUT] = ['channel', 'payout of channels']

/** Chains are read at the head that the ledger follows: a node that is behind it returns nothing. */
export async function claimBeforeWithdrawals(
  context: LedgerContext,
  head: bigint,
  log: Logger,
): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const without = work.others.waiting(CHANNEL)
  const due = await dueClaims(database, networkId, CLAIMS_PER_TURN, without)
  const owed = await duePayouts(database, networkId)
  if (due.length + owed.length === 0) return { changed: 0, isFull: false }
  const view = await viewOf(context, head)
  const cleared = await clearedOf(context, due)
  const claimed = await work.others.each(
    CHANNEL,
    due,
    ({ id }) => id,
    async (channel) => {
      const action = cleared(channel) ? await claimOf(context, channel, view, log) : null
      if (action === null) await postponeClaim(database, channel.id)
      else await requestClaim(database, channel.id, action)
      return action !== null
    },
  )
  // A head that is behind the relayers' shows less claimed than there is.
  const shown = owed.filter(({ claimedBy }) => claimedBy <= view.number)
  const paid = await work.others.each(
    PAYOUT,
    shown,
    ({ receiver, token }) => `${receiver} in ${token}`,
    async (payout) => {
      const action = await payoutOf(context, payout, view, log)
      if (action === 'refused') await postponePayout(database, payout)
      else await requestPayout(database, payout, action)
    },
  )
  return {
    changed: claimed.filter(Boolean).length + paid.length,
    isFull: due.length === CLAIMS_PER_TURN,
  }
}

/** Payers whom the operator's service has cleared, where one is configured. */
async function clearedOf({ database, config }: LedgerContext, due: readonly DueClaim[]) {
  if (!config.isScreening || due.length === 0) return () => true
  const payers = new Set(due.map(({ payer }) => payer))
  const cleared = await clearedAmong(database, [...payers])
  await wantScreening(database, [...payers.difference(cleared)])
  return ({ payer }: DueClaim) => cleared.has(payer)
}

/** The claim that would move something; null where the contract refuses it, or it would move too little. */
async function claimOf(
  { client }: LedgerContext,
  due: DueClaim,
  view: View,
  log: Logger,
): Promise<NewAction | null> {
  const { channelId, receiver, token, payer, payerAuthorizer, receiverAuthorizer } = due
  const { withdrawDelay, salt, claimMax: maxClaimable, claimTotal: totalClaimed } = due
  const config = {
    payer,
    payerAuthorizer,
    receiver,
    receiverAuthorizer,
    token,
    withdrawDelay,
    salt,
  }
  const claim = { config, channelId, maxClaimable, signature: due.claimSignature, totalClaimed }
  const calldata = encodeChannelAction(
    { type: 'claim', claims: [claim], authorizerSignature: due.authorizerSignature },
    { payTo: receiver, asset: token },
  )
  const query = { receiver, token, channelId, payer, calldata }
  const facts = await readChannel(client.rpc, query, view)
  const amount = facts.after.claimed - facts.claimed
  if (facts.refusal !== null || amount < client.chain.minX402Amount) {
    log.warn(
      { channelId, amount: amount.toString(), refusal: facts.refusal },
      'a payer withdraws, and what was charged is not claimed for the merchant',
    )
    return null
  }
  const isAlone =
    payerAuthorizer === ZERO_ADDRESS || (await hasCode(client.rpc, receiverAuthorizer))
  // A contract can agree in every trial and burn the gas of every transaction: it has one.
  if (isAlone && due.hasFailed) {
    log.warn({ channelId }, 'a claim that calls a contract has failed, and is left to the merchant')
    return null
  }
  return {
    networkId: client.chain.networkId,
    merchantId: due.merchantId,
    kind: 'claim',
    key: `claim:${keccak256(calldata)}`,
    receiver,
    token,
    deposit: null,
    amount,
    channels: [{ channelId, config, totalClaimed }],
    calldata,
    gas: CHANNEL_GAS.claims + CHANNEL_GAS.claim,
    block: facts.block,
    isAlone,
  }
}

/**
 * The payout of all that was claimed for a receiver; null where that is too little, or paid out already.
 * `refused`: its token may be paused, or the receiver on its blacklist.
 */
async function payoutOf(
  { client }: LedgerContext,
  { merchantId, receiver, token }: DuePayout,
  view: View,
  log: Logger,
): Promise<NewAction | null | 'refused'> {
  const calldata = encodeChannelAction({ type: 'settle' }, { payTo: receiver, asset: token })
  const query = { receiver, token, channelId: null, payer: ZERO_ADDRESS, calldata }
  const facts = await readChannel(client.rpc, query, view)
  const amount = facts.claimed - facts.settled
  if (amount < client.chain.minX402Amount) return null
  if (facts.refusal !== null) {
    const { refusal } = facts
    log.warn({ receiver, refusal }, 'what was claimed for a receiver is not paid out')
    return 'refused'
  }
  return {
    networkId: client.chain.networkId,
    merchantId,
    kind: 'settle',
    key: `settle:${receiver}:${token}:${facts.claimed}`,
    receiver,
    token,
    deposit: null,
    amount,
    channels: [],
    calldata,
    gas: CHANNEL_GAS.settle,
    block: facts.block,
    isAlone: false,
  }
}
