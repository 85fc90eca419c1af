import { readChannel } from '../../chain/channels/read.ts'
import { isVoucherSigned } from '../../chain/channels/signatures.ts'
import { PRICES } from '../../core/access/costs.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { type ChannelVerdict, channelVerifyAnswer } from '../../core/channels/answers.ts'
import type { ChannelState } from '../../core/channels/channel.ts'
import { parseChannelQuestion } from '../../core/channels/parse.ts'
import type { ChannelQuestion, ChannelTerms } from '../../core/channels/requests.ts'
import { heldTerms } from '../../core/x402/heldTerms.ts'
import { registerChannels } from '../../store/channels/events.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import { isOurFault } from '../http/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { screenPayers } from '../x402/screening.ts'
import type { ChannelDependencies } from './dependencies.ts'
import { clientOf, examineDeposit, examineTerms, refused, voucherProblem } from './examine.ts'

/** POST /v1/x402/verify for channels: a deposit, a wallet's voucher, a refund requested by a payer. */
export async function verifyChannel(
  deps: ChannelDependencies,
  exchange: Exchange,
  body: unknown,
  keyMerchantId: MerchantId | null,
) {
  const parsed = parseChannelQuestion(body, deps.config.chains)
  const verdict = parsed.ok
    ? await answer(deps, exchange, parsed.terms, parsed.request, keyMerchantId)
    : parsed
  if (!verdict.ok) {
    const { reason, message, payer } = verdict
    exchange.about = { ...exchange.about, reason, message, payer }
  }
  return channelVerifyAnswer(verdict)
}

async function answer(
  deps: ChannelDependencies,
  exchange: Exchange,
  terms: ChannelTerms,
  request: ChannelQuestion,
  keyMerchantId: MerchantId | null,
): Promise<ChannelVerdict> {
  const { payer } = request.config
  try {
    const examined = await examine(deps, exchange, terms, request, keyMerchantId)
    if (!examined.ok) return { ...examined, payer }
    const refusal = await screenPayers(deps, [payer], 'verify')
    if (refusal !== null) return { ok: false, ...refusal, payer }
    await noteChannel(deps, terms, request, examined.found)
    return { ok: true, payer, channelId: request.voucher.channelId, state: examined.found }
  } catch (error) {
    if (isOurFault(error)) throw error
    exchange.about = { err: error }
    return { ok: false, reason: 'unexpected_verify_error', payer }
  }
}

/** Follows a channel that was opened before, so that its withdrawals are detected. */
async function noteChannel(
  deps: ChannelDependencies,
  { chain }: ChannelTerms,
  { config, voucher: { channelId } }: ChannelQuestion,
  { balance }: ChannelState,
): Promise<void> {
  if (balance === 0n) return
  await guardDatabase(deps, (sql) =>
    registerChannels(sql, chain.networkId, [{ channelId, config }]),
  )
}

async function examine(
  deps: ChannelDependencies,
  exchange: Exchange,
  terms: ChannelTerms,
  request: ChannelQuestion,
  keyMerchantId: MerchantId | null,
) {
  const deposit = request.type === 'deposit' ? request : null
  const known = await examineTerms(deps, exchange, terms, keyMerchantId, deposit)
  if (!known.ok) return known
  if (deposit !== null) {
    const { heldTerms: held } = known.found
    const examined = await examineDeposit(deps, exchange, terms, deposit, known.found)
    if (!examined.ok) return examined
    const { facts } = examined.found
    const { holds } = deps.facilitator
    const { amount: value, nonce, validAfter, validBefore } = deposit.deposit
    const signed = { to: terms.payTo, value, validAfter, validBefore }
    const isHeld =
      held === heldTerms(signed) ||
      (await holds?.hold({
        networkId: terms.chain.networkId,
        asset: terms.asset,
        authorization: { ...signed, from: deposit.config.payer, nonce },
        balance: facts.payerBalance,
        block: facts.block,
        usedNonces: [],
      })) !== false
    if (!isHeld) return refused('invalid_batch_settlement_evm_insufficient_balance')
    return { ok: true, found: facts.channel } as const
  }
  const { config, voucher } = request
  const { rpc } = clientOf(deps, terms)
  await spend(deps, exchange, PRICES.readChannel)
  const [facts, isSigned] = await Promise.all([
    readChannel(rpc, {
      receiver: terms.payTo,
      token: terms.asset,
      channelId: voucher.channelId,
      payer: config.payer,
      calldata: null,
    }),
    isVoucherSigned(rpc, terms.chain.chainId, config, voucher),
  ])
  if (!isSigned) return refused('invalid_batch_settlement_evm_voucher_signature')
  const isRefund = request.type === 'refund'
  const problem = voucherProblem(voucher.maxClaimable, facts.channel, isRefund)
  return problem ?? ({ ok: true, found: facts.channel } as const)
}
