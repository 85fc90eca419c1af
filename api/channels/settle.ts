import { keccak256 } from 'viem'
import { encodeAfterCreation, encodeChannelAction } from '../../chain/channels/calls.ts'
import { type ChannelFacts, readChannel } from '../../chain/channels/read.ts'
import { PRICES, SETTLE_WALLET_GAS } from '../../core/access/costs.ts'
import { AppError } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { WALLET_DEPLOYMENT_GAS } from '../../core/chain/gas.ts'
import { bytesIn } from '../../core/chain/words.ts'
import { CHANNEL_CALL_BYTES_MAX, CHANNEL_GAS } from '../../core/channels/action.ts'
import { type ChannelOutcome, channelSettleAnswer } from '../../core/channels/answers.ts'
import { parseChannelAction } from '../../core/channels/parse.ts'
import type { ChannelAction } from '../../core/channels/requests.ts'
import {
  claimAction,
  findAction,
  isClaimedAfter,
  type NewAction,
  pendingClaim,
} from '../../store/channels/actions.ts'
import { newestAttempt } from '../../store/relayer/attempts.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import { isOurFault } from '../http/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { carryTrace } from '../http/tracing.ts'
import { endEcho } from '../x402/endpoints/echo.ts'
import { screenPayers } from '../x402/screening.ts'
import { channelDeadline, DeadlinePassed, NOTHING_BEGUN, untilDeadline } from '../x402/waiting.ts'
import { type ChannelCall, payerOf } from './call.ts'
import type { ChannelDependencies } from './dependencies.ts'
import {
  clientOf,
  type Examined,
  examineDeposit,
  examineTerms,
  refused,
  requiresContractCheck,
} from './examine.ts'
import { awaitAction, awaitOther, nothingBegun } from './outcome.ts'

/** POST /v1/x402/settle for channels: stores each action once, executes it, and waits for its outcome. */
export async function settleChannel(
  deps: ChannelDependencies,
  exchange: Exchange,
  body: unknown,
  keyMerchantId: MerchantId | null,
) {
  const parsed = parseChannelAction(body, deps.config.chains)
  if (!parsed.ok) {
    exchange.about = { ...exchange.about, reason: parsed.reason, message: parsed.message }
    return channelSettleAnswer(parsed.network, parsed)
  }
  const { terms, request: action } = parsed
  const outcome = await carryOut({ deps, exchange, terms, action, keyMerchantId })
  const reason = outcome.ok ? {} : { reason: outcome.reason, message: outcome.message }
  const about = { action: action.type, transaction: outcome.transaction, ...reason }
  exchange.about = { ...exchange.about, ...about }
  if (outcome.ok) endEcho(exchange)
  return channelSettleAnswer(terms.network, outcome)
}

async function carryOut(call: ChannelCall): Promise<ChannelOutcome> {
  const { deps, exchange, terms, action } = call
  const payer = payerOf(action)
  let wanted: Wanted
  try {
    wanted = await untilDeadline(channelDeadline(exchange.startedAt), () => examineScreened(call))
  } catch (error) {
    if (isOurFault(error)) throw error
    exchange.about = { err: error }
    if (!(error instanceof DeadlinePassed))
      return { ok: false, reason: 'unexpected_settle_error', payer }
    // This call began nothing, but an earlier one may have.
    const key = keyOf(call, encodeChannelAction(action, terms))
    const before = key && (await findRequested(call, key))
    if (!before) return nothingBegun(payer)
    wanted = before
  }
  if (!wanted.ok) return { ...wanted, payer }
  try {
    const { key, action: requested } = wanted.found
    const known = await guardDatabase(deps, async (sql) => {
      if (requested !== null) return claimAction(sql, requested)
      return (await findAction(sql, terms.chain.networkId, key))?.id ?? null
    })
    if (known === null) {
      const reason = requested?.deposit ? TOO_LITTLE : 'unexpected_settle_error'
      return { ok: false, reason, payer }
    }
    if (requested !== null) {
      carryTrace(deps, exchange, known)
      deps.wake([terms.chain.networkId], { type: 'work_waiting' })
    }
    return await awaitAction(call, known)
  } catch (error) {
    if (isOurFault(error)) throw error
    // The action may be stored and executed, so this must not be reported as its failure.
    deps.log.error({ traceId: exchange.traceId, err: error }, 'an action of channels broke off')
    throw new AppError('service_unavailable', [], { cause: error })
  }
}

const TOO_LITTLE = 'invalid_batch_settlement_evm_insufficient_balance'

type Wanted = Examined<{
  readonly key: string
  /** Null for an action that was requested before and has not failed. */
  readonly action: NewAction | null
}>

async function examineScreened(call: ChannelCall): Promise<Wanted> {
  const wanted = await examine(call)
  const channels = wanted.ok ? (wanted.found.action?.channels ?? []) : []
  const payers = channels.map(({ config }) => config.payer)
  const refusal = await screenPayers(call.deps, payers, 'settle')
  return refusal === null ? wanted : { ok: false, ...refusal }
}

async function examine(call: ChannelCall): Promise<Wanted> {
  const { deps, terms, action, keyMerchantId } = call
  const deposit = action.type === 'deposit' ? action : null
  const known = await examineTerms(deps, call.exchange, terms, keyMerchantId, deposit)
  if (!known.ok) return known
  const { merchantId } = known.found
  const calldata = encodeChannelAction(action, terms)
  const key = keyOf(call, calldata)
  if (key === null || action.type === 'settle') return examinePayout(call, merchantId, calldata)
  const before = await findRequested(call, key)
  if (before !== null) return before
  const shared = { ...sharedOf(call, merchantId, calldata), key }
  if (action.type === 'deposit') {
    const examined = await examineDeposit(deps, call.exchange, terms, action, known.found)
    if (!examined.ok) return examined
    const { facts, payerHasCode, deployment } = examined.found
    const gas = CHANNEL_GAS.deposit + (deployment === null ? 0 : Number(WALLET_DEPLOYMENT_GAS))
    await payForGas(call, gas, payerHasCode)
    const { config, voucher } = action
    const { nonce, validAfter, validBefore, amount } = action.deposit
    // No block before the next second can include it.
    const earlyMs = (Number(validAfter) + 1) * 1000 - deps.now().getTime()
    if (earlyMs > 0) await Bun.sleep(earlyMs)
    return requestOf({
      ...shared,
      ...(deployment && { calldata: encodeAfterCreation(deployment, calldata) }),
      kind: 'deposit',
      deposit: { payer: config.payer, nonce, validBefore, balance: facts.payerBalance },
      amount,
      channels: [{ channelId: voucher.channelId, config, totalClaimed: null }],
      gas,
      block: facts.block,
      isAlone: payerHasCode,
    })
  }
  const isAlone = await requiresContractCheck(deps, terms, action)
  return action.type === 'claim'
    ? examineClaim(call, { ...shared, isAlone }, action)
    : examineRefund(call, { ...shared, isAlone }, action)
}

/** The idempotency key of an action; null for payouts, which the chain identifies. */
function keyOf({ action, terms }: ChannelCall, calldata: Hex): string | null {
  if (action.type === 'settle') return null
  return action.type === 'deposit'
    ? `deposit:${terms.asset}:${action.config.payer}:${action.deposit.nonce}`
    : `${action.type}:${keccak256(calldata)}`
}

/** An earlier request of the same action that has not failed; or null. */
async function findRequested(call: ChannelCall, key: string): Promise<Wanted | null> {
  const { networkId } = call.terms.chain
  const before = await guardDatabase(call.deps, (sql) => findAction(sql, networkId, key))
  if (before === null || before.status === 'failed') return null
  return { ok: true, found: { key, action: null } }
}

type Shared = ReturnType<typeof sharedOf> & { readonly key: string; readonly isAlone: boolean }

function sharedOf({ terms }: ChannelCall, merchantId: MerchantId, calldata: Hex) {
  const { chain, payTo: receiver, asset: token } = terms
  return { networkId: chain.networkId, merchantId, receiver, token, calldata, deposit: null }
}

async function examineClaim(
  call: ChannelCall,
  shared: Shared,
  { claims }: Extract<ChannelAction, { type: 'claim' }>,
): Promise<Wanted> {
  const facts = await factsOf(call, shared.calldata, null, ZERO_ADDRESS)
  if (facts.refusal !== null) {
    return refused('invalid_batch_settlement_evm_claim_simulation_failed', facts.refusal)
  }
  const amount = facts.after.claimed - facts.claimed
  // Gas is only paid for merchants with payments.
  if (amount === 0n || amount < call.terms.chain.minX402Amount) {
    return refused('invalid_batch_settlement_evm_cumulative_below_claimed')
  }
  const channels = claims.map(({ channelId, config, totalClaimed }) => {
    return { channelId, config, totalClaimed }
  })
  const gas = CHANNEL_GAS.claims + CHANNEL_GAS.claim * claims.length
  if (bytesIn(shared.calldata.slice(2)) > CHANNEL_CALL_BYTES_MAX) {
    return refused('invalid_payload', 'the signatures of these claims are too long for one call')
  }
  // Many channels may each yield next to nothing, to a receiver who recycles it in the next deposit.
  const isDust = amount < call.terms.chain.minX402Amount * BigInt(claims.length)
  if (shared.isAlone || isDust) await payForGas(call, gas, shared.isAlone)
  return requestOf({ ...shared, kind: 'claim', amount, channels, gas, block: facts.block })
}

async function examineRefund(
  call: ChannelCall,
  shared: Shared,
  action: Extract<ChannelAction, { type: 'refund' }>,
): Promise<Wanted> {
  const { channelId, config, claim } = action
  const facts = await factsOf(call, shared.calldata, channelId, config.payer)
  if (facts.refusal !== null) {
    return refused('invalid_batch_settlement_evm_refund_simulation_failed', facts.refusal)
  }
  // A refund of nothing would succeed without an event.
  const amount = facts.channel.balance - facts.after.channel.balance
  if (amount === 0n) return refused('invalid_batch_settlement_evm_refund_no_balance')
  const { balance, totalClaimed } = facts.after.channel
  if (amount < call.terms.chain.minX402Amount && balance > totalClaimed) {
    return refused(
      'invalid_payment_requirements',
      `a refund must be ${call.terms.chain.minX402Amount} base units at least, or all that is left`,
    )
  }
  const channels = [{ channelId, config, totalClaimed: claim?.claims[0]?.totalClaimed ?? null }]
  const gas = CHANNEL_GAS.refund + (claim === null ? 0 : CHANNEL_GAS.claims + CHANNEL_GAS.claim)
  await payForGas(call, gas, shared.isAlone)
  return requestOf({ ...shared, kind: 'refund', amount, channels, gas, block: facts.block })
}

/**
 * Charges the gas of an action to the caller's budget. Deposits can be withdrawn, and
 * refunds deposited again: circulating money earns nothing, so only merchants with their
 * key have no limit. A contract may burn all of its gas, for any caller.
 */
async function payForGas(
  { deps, exchange, keyMerchantId }: ChannelCall,
  gas: number,
  asksContract: boolean,
): Promise<void> {
  if (keyMerchantId !== null && !asksContract) return
  await spend(deps, exchange, PRICES.settleWallet * Math.ceil(gas / SETTLE_WALLET_GAS))
}

/** A payout is identified by the total ever claimed: a higher total is another payout. */
async function examinePayout(
  call: ChannelCall,
  merchantId: MerchantId,
  calldata: Hex,
): Promise<Wanted> {
  const { terms } = call
  const facts = await factsOf(call, calldata, null, ZERO_ADDRESS)
  const { networkId } = terms.chain
  const isBehind = await guardDatabase(call.deps, (sql) =>
    isClaimedAfter(sql, { networkId, receiver: terms.payTo, token: terms.asset }, facts.block),
  )
  // Such a node would report as owed what was already paid out.
  if (isBehind) return refused('unexpected_settle_error', BEHIND)
  const key = `settle:${terms.payTo}:${terms.asset}:${facts.claimed}`
  const amount = facts.claimed - facts.settled
  if (amount > 0n && amount >= terms.chain.minX402Amount) {
    if (facts.refusal !== null) {
      return refused('invalid_batch_settlement_evm_settle_transaction_failed', facts.refusal)
    }
    const shared = sharedOf(call, merchantId, calldata)
    const gas = CHANNEL_GAS.settle
    const block = facts.block
    return requestOf({
      ...shared,
      key,
      kind: 'settle',
      amount,
      channels: [],
      gas,
      block,
      isAlone: false,
    })
  }
  const before = await findRequested(call, key)
  return before ?? afterClaim(call, merchantId, calldata)
}

/** While a claim of the same receiver is in transit nothing is owed: waits for the claim, or returns it instead. */
async function afterClaim(
  call: ChannelCall,
  merchantId: MerchantId,
  calldata: Hex,
): Promise<Wanted> {
  const { deps, terms } = call
  const of = { networkId: terms.chain.networkId, receiver: terms.payTo, token: terms.asset }
  const claim = await guardDatabase(deps, (sql) => pendingClaim(sql, of))
  if (claim === null) return refused('invalid_batch_settlement_evm_nothing_to_settle')
  if ((await awaitOther(call, claim)) !== null) return examinePayout(call, merchantId, calldata)
  const transaction = await guardDatabase(deps, (sql) => newestAttempt(sql, claim))
  // Stock servers retry a pending settle only if it names a transaction.
  return transaction === null
    ? refused('unexpected_settle_error', NOTHING_BEGUN)
    : { ...refused('settlement_pending'), transaction }
}

const BEHIND =
  'the node has not seen the newest claims yet; nothing was started, try again in a moment'

async function factsOf(
  { deps, exchange, terms }: ChannelCall,
  calldata: Hex,
  channelId: Hex | null,
  payer: Address,
): Promise<ChannelFacts> {
  await spend(deps, exchange, PRICES.readChannel)
  const { payTo: receiver, asset: token } = terms
  return readChannel(clientOf(deps, terms).rpc, { receiver, token, channelId, payer, calldata })
}

function requestOf(action: NewAction): Wanted {
  return { ok: true, found: { key: action.key, action } }
}
