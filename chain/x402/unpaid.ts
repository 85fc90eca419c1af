import type { MerchantId } from '../../core/base/ids.ts'
import { max } from '../../core/base/integers.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import type { Authorization, Scheme } from '../../core/x402/terms.ts'
import { readHead, viewAt } from '../blocks/blocks.ts'
import type { ChainClient } from '../rpc/client.ts'
import { readBalances } from '../tokens/balances.ts'
import { logsWithTopics } from '../transactions/logs.ts'
import { readFacts } from './authorizationFacts.ts'
import { useIn, useTopics } from './authorizationUse.ts'
import { distributionsIn } from './distributions.ts'
import { findPermitUse, isNonceUsed, type PermitUse, type SoughtPermit } from './permitUse.ts'

/** Whether a chain proves that a payment was not made and can't be any more. */

export type Proof =
  | { readonly isUnpaid: true; readonly reason: Reason }
  /** Why that is unknown, as a sentence. */
  | { readonly isUnpaid: false; readonly why: string }

/** A payment that was claimed. */
export interface ClaimedPayment {
  readonly token: Address
  readonly hub: Address
  readonly merchantId: MerchantId
  readonly authorization: Authorization
  readonly signature: Hex
  readonly scheme: Scheme
  /** In base units. */
  readonly amount: bigint
  /** Null for EIP-3009. */
  readonly permit: { readonly hub: Address; readonly nonce: bigint } | null
  /** The chain's head when it was claimed. */
  readonly claimedBlock: bigint
}

/** A use may lie a little before the claim: nodes differ, and blocks are replaced. */
const BLOCKS_BEFORE_CLAIM = 64n

/** Reads the newest block that has the chain's confirmations. Throws a fault of the node. */
export async function proveUnpaid(
  { rpc, chain }: ChainClient,
  payment: ClaimedPayment,
): Promise<Proof> {
  const { token, hub, merchantId, authorization, signature, permit, claimedBlock } = payment
  const { from: payer, to, value, nonce, validBefore } = authorization
  const head = await readHead(rpc)
  const view = await viewAt(rpc, max(newestConfirmed(head.number, chain.confirmations), 0n))
  const query = { token, authorization, signature, walletGas: 0n, preparation: null }
  const [facts] = await readFacts(rpc, [{ ...query, isTried: false }], { view })
  if (facts === undefined) throw new Error('the node answered nothing')
  // A token knows nothing of the nonces of Permit2.
  const isUsed = permit ? await isNonceUsed(rpc, payer, permit.nonce, view) : facts.isUsed
  if (!isUsed) {
    if (facts.blockTime >= validBefore) return { isUnpaid: true, reason: 'payment_expired' }
    return { isUnpaid: false, why: 'its authorization can still be carried out: try it again' }
  }
  const from = max(claimedBlock - BLOCKS_BEFORE_CLAIM, 0n)
  if (permit !== null) {
    const isExact = payment.scheme === 'exact'
    const sought = { ...permit, token, payer, to, amount: payment.amount, isExact }
    return byPermitUse(sought, await findPermitUse(rpc, sought, from, view.number))
  }
  const [log] = await logsWithTopics(rpc, token, useTopics(payer, nonce), from, view.number)
  const use = log === undefined ? null : await useIn(rpc, token, { payer, nonce }, log)
  if (use === null) {
    return { isUnpaid: false, why: 'its authorization is used, and the node does not show where' }
  }
  if (use.type === 'cancelled') return { isUnpaid: true, reason: 'authorization_cancelled' }
  if (use.type === 'paid') {
    if (use.to !== to || use.value !== value) {
      return { isUnpaid: true, reason: 'authorization_used' }
    }
    return paidIn(use.txHash)
  }
  // The hub can carry out an authorization and pay its forwarder out in one transaction.
  const payouts = await distributionsIn(rpc, [hub], use.blockHash)
  if (payouts === null || payouts.some((one) => one.merchantId === merchantId)) {
    return {
      isUnpaid: false,
      why: `its authorization was used in ${use.txHash}, and ${to} was paid out in that block`,
    }
  }
  const before = await viewAt(rpc, use.block - 1n)
  const [[held = 0n], [now = 0n]] = await Promise.all([
    readBalances(rpc, token, [to], before),
    readBalances(rpc, token, [to], { number: use.block, hash: use.blockHash }),
  ])
  if (now <= held) return { isUnpaid: true, reason: 'authorization_used' }
  return {
    isUnpaid: false,
    why: `its authorization was used in ${use.txHash}, and ${to} has received ${now - held} base units in that block`,
  }
}

/** What the use of a nonce proves; null for a use that no logs of the payment show. */
function byPermitUse({ payer, to }: SoughtPermit, use: PermitUse | null): Proof {
  if (use === null) return { isUnpaid: true, reason: 'authorization_used' }
  if (use.type === 'paid') return paidIn(use.txHash)
  return {
    isUnpaid: false,
    why: `its nonce is used, and no node shows for what: compare what ${to} has received from ${payer}`,
  }
}

function paidIn(txHash: Hex): Proof {
  return { isUnpaid: false, why: `it was paid in ${txHash}: try it again, to book that` }
}
