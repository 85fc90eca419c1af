import { hasCode } from '../../chain/blocks/accounts.ts'
import { encodeChannelAction } from '../../chain/channels/calls.ts'
import { type ChannelFacts, readChannel } from '../../chain/channels/read.ts'
import { isVoucherSigned } from '../../chain/channels/signatures.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { PRICES } from '../../core/access/costs.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { Refusal } from '../../core/channels/answers.ts'
import type { ChannelConfig } from '../../core/channels/channel.ts'
import type { ChannelAction, ChannelTerms, DepositRequest } from '../../core/channels/requests.ts'
import { tokenDomain } from '../../core/x402/digest.ts'
import { isTooEarly, notRegistered, timingOf } from '../../core/x402/request/checks.ts'
import { unwrapErc6492, type WrappedSignature } from '../../core/x402/signature.ts'
import { type Deployment, listedFactory } from '../../core/x402/walletDeployment.ts'
import { findWalletProblem } from '../../core/x402/wallets.ts'
import type { FoundTerms } from '../../store/x402/terms.ts'
import { isPausedNow } from '../../store/x402/wallets.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import type { Exchange } from '../http/exchange.ts'
import { answerEcho } from '../x402/endpoints/echo.ts'
import type { ChannelDependencies } from './dependencies.ts'

/** Channel checks that verify and settle share. */

export type Examined<Found> =
  | { readonly ok: true; readonly found: Found }
  | ({ readonly ok: false } & Refusal)

export function refused(reason: Refusal['reason'], message?: string) {
  return { ok: false, reason, message } as const
}

const NO_NONCE = `0x${'00'.repeat(32)}` as const

/** The merchant that receives the payment, and the terms of the channel. */
export async function examineTerms(
  { facilitator }: ChannelDependencies,
  exchange: Exchange,
  requestedTerms: ChannelTerms,
  keyMerchantId: MerchantId | null,
  deposit: DepositRequest | null,
): Promise<Examined<FoundTerms & { readonly merchantId: MerchantId }>> {
  const { chain, payTo, asset } = requestedTerms
  if (tokenDomain(chain, asset) === null) {
    return refused(
      'invalid_payment_requirements',
      `asset ${asset} is not the USDC of ${chain.networkId}`,
    )
  }
  const terms = await facilitator.findTerms({
    networkId: chain.networkId,
    asset,
    payer: deposit?.config.payer ?? ZERO_ADDRESS,
    authorizationNonce: deposit?.deposit.nonce ?? NO_NONCE,
    payTo,
    // Channels don't pay the price of an endpoint: the resource is read only to check the echo.
    endpointId: null,
    amount: requestedTerms.price,
    resource: requestedTerms.echo && requestedTerms.resource,
  })
  answerEcho(exchange, requestedTerms, terms.endpoint)
  const { payee } = terms
  if (payee === null) return { ok: false, ...notRegistered(payTo) }
  const { merchantId } = payee
  if (keyMerchantId !== null && keyMerchantId !== merchantId) {
    return refused(
      'invalid_payment_requirements',
      'payTo is not of the merchant whose key was sent',
    )
  }
  return { ok: true, found: { ...terms, merchantId } }
}

export function clientOf(
  { chainClients }: ChannelDependencies,
  { chain }: ChannelTerms,
): ChainClient {
  const client = chainClients.get(chain.networkId)
  if (client === undefined) throw new Error(`${chain.networkId} is not enabled`)
  return client
}

export interface ExaminedDeposit {
  readonly facts: ChannelFacts
  /** True if it has code, or its deposit's transaction deploys it. */
  readonly payerHasCode: boolean
  readonly deployment: Deployment | null
}

/**
 * Checks that a deposit can be executed now, and that its voucher is valid afterwards. The token checks the payer's
 * signature during the simulation.
 */
export async function examineDeposit(
  deps: ChannelDependencies,
  exchange: Exchange,
  terms: ChannelTerms,
  request: DepositRequest,
  { reserved, pausedUntil }: Pick<FoundTerms, 'reserved' | 'pausedUntil'>,
): Promise<Examined<ExaminedDeposit>> {
  const { chain } = terms
  const { config, deposit, voucher } = request
  const { rpc } = clientOf(deps, terms)
  const now = BigInt(Math.floor(deps.now().getTime() / 1000))
  const { earliest, margin } = timingOf(0n, now, chain.blockTimeMs)
  if (deposit.validBefore < now + margin) {
    return refused('invalid_batch_settlement_evm_payload_authorization_valid_before')
  }
  if (deposit.validAfter >= earliest) {
    return refused('invalid_batch_settlement_evm_payload_authorization_valid_after')
  }
  if (deposit.amount < chain.minX402Amount) {
    return refused(
      'invalid_payment_requirements',
      `a deposit must be ${chain.minX402Amount} base units at least`,
    )
  }
  await spend(deps, exchange, PRICES.readChannel)
  const calldata = encodeChannelAction(request, terms)
  const codeRead = hasCode(rpc, config.payer)
  const wrapped = unwrapErc6492(deposit.signature)
  const isNew = wrapped !== null && !(await codeRead)
  const deployment = isNew ? await deploymentIn(deps, terms, wrapped) : null
  const query = {
    receiver: terms.payTo,
    token: terms.asset,
    channelId: voucher.channelId,
    payer: config.payer,
    calldata,
    preparation: deployment,
  }
  const [newest, isDeployed, isSigned] = await Promise.all([
    readChannel(rpc, query),
    codeRead,
    isVoucherSigned(rpc, chain.chainId, config, voucher),
  ])
  const payerHasCode = isDeployed || deployment !== null
  // The newest block may be older than the authorization; the next one is not.
  const isEarly = newest.refusal !== null && isTooEarly(newest.refusal)
  const facts = isEarly ? await readChannel(rpc, { ...query, time: earliest }) : newest
  if (payerHasCode) await spend(deps, exchange, PRICES.tryWallet)
  const wallet = findWalletProblem({
    hasCode: payerHasCode,
    deploymentTakesThem: deps.config.takesWallets,
    endpointTakesThem: true,
    pausedUntil,
  })
  if (wallet !== null) return refused('invalid_transaction_state', wallet.message)
  if (!isSigned) return refused('invalid_batch_settlement_evm_voucher_signature')
  if (facts.payerBalance - reserved < deposit.amount) {
    return refused('invalid_batch_settlement_evm_insufficient_balance')
  }
  if (facts.refusal !== null) {
    return refused('invalid_batch_settlement_evm_deposit_simulation_failed', facts.refusal)
  }
  const problem = voucherProblem(voucher.maxClaimable, facts.after.channel)
  return problem ?? { ok: true, found: { facts, payerHasCode, deployment } }
}

/** The factory call that deploys the payer's wallet (ERC-6492); null if the factory isn't listed or deployed. */
async function deploymentIn(
  { facilitator }: ChannelDependencies,
  { chain }: ChannelTerms,
  wrapped: WrappedSignature,
): Promise<Deployment | null> {
  const listed = listedFactory(chain.walletFactories, wrapped)
  if (listed === null || !(await facilitator.isFactory(chain.networkId, listed))) return null
  return { factory: listed.address, data: wrapped.factoryCalldata }
}

/** Why a voucher is not claimable now; null when it is. */
export function voucherProblem(
  maxClaimable: bigint,
  { balance, totalClaimed }: { readonly balance: bigint; readonly totalClaimed: bigint },
  isRefund = false,
) {
  if (balance === 0n) return refused('invalid_batch_settlement_evm_channel_not_found')
  if (maxClaimable > balance) {
    return refused('invalid_batch_settlement_evm_cumulative_exceeds_balance')
  }
  const isBelow = isRefund ? maxClaimable < totalClaimed : maxClaimable <= totalClaimed
  return isBelow ? refused('invalid_batch_settlement_evm_cumulative_below_claimed') : null
}

/**
 * Whether a contract checks the signature, and could therefore burn all of its gas. Also true for an account that
 * did so recently.
 */
export async function requiresContractCheck(
  deps: ChannelDependencies,
  terms: ChannelTerms,
  action: Exclude<ChannelAction, { readonly type: 'settle' | 'deposit' }>,
): Promise<boolean> {
  const configs: ChannelConfig[] =
    action.type === 'claim' ? action.claims.map(({ config }) => config) : [action.config]
  if (configs.some(({ payerAuthorizer }) => payerAuthorizer === ZERO_ADDRESS)) return true
  const [first] = configs
  if (first === undefined) return false
  const { receiverAuthorizer } = first
  const { networkId } = terms.chain
  const isPaused = await guardDatabase(deps, (sql) =>
    isPausedNow(sql, networkId, receiverAuthorizer),
  )
  return isPaused || hasCode(clientOf(deps, terms).rpc, receiverAuthorizer)
}
