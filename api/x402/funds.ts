import type { PublicClient } from 'viem'
import { readFacts } from '../../chain/x402/authorizationFacts.ts'
import { readPermitFacts } from '../../chain/x402/permitFacts.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { PERMIT2 } from '../../core/x402/permitContracts.ts'
import { type PermitFacts, takeable } from '../../core/x402/request/permitChecks.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { OwedPayment, Reservations } from '../../store/x402/terms.ts'

/**
 * A payer's spendable balance. A payment that is mined but not yet recorded would be counted twice: it
 * has left the balance and is still reserved. The chain shows these payments, at the balance's
 * block.
 */
export interface Funds {
  /** Base units at the end of the block. */
  readonly balance: bigint
  readonly block: bigint
  /** Nonces of pending payments that have already left this balance. */
  readonly usedNonces: readonly Hex[]
  /** The maximum of the other pending payments, in base units. */
  readonly reserved: bigint
}

/** Reads the payer's balance and the use of its pending authorizations, in one call per payment method. */
export async function readFunds(
  rpc: PublicClient,
  request: PaymentRequest,
  { reserved, oldest }: Reservations,
): Promise<Funds> {
  const [signed, permits] = [true, false].map((is) =>
    oldest.filter(({ permitNonce }) => (permitNonce === null) === is),
  )
  // The nonce doesn't affect the balance: it is read together with the uses that reduce it.
  const isPermit = request.permit !== null
  const [bySignature, byPermit] = await Promise.all([
    readSigned(rpc, request, [...(isPermit ? [] : [UNUSED]), ...noncesOf(signed)]),
    readPermits(rpc, request, [...(isPermit ? [0n] : []), ...permitNoncesOf(permits)]),
  ])
  const own = isPermit ? takeableNow(byPermit.shift(), request) : bySignature.shift()
  if (own === undefined) throw new Error('the node did not return the balance')
  // A use in a later block has not left this balance.
  const wasUsed = (facts: Facts | undefined) =>
    facts?.isUsed === true && facts.blockNumber <= own.blockNumber
  const used = [
    ...(signed ?? []).filter((_, i) => wasUsed(bySignature[i])),
    ...(permits ?? []).filter((_, i) => wasUsed(byPermit[i])),
  ]
  return {
    balance: own.balance,
    block: own.blockNumber,
    usedNonces: used.map(({ nonce }) => nonce),
    reserved: used.reduce((left, { amount }) => left - amount, reserved),
  }
}

/** The allowance of Permit2; undefined if the node did not return it. */
function takeableNow(
  facts: PermitFacts | undefined,
  { authorization, permit }: PaymentRequest,
): Pick<Facts, 'balance' | 'blockNumber'> | undefined {
  if (facts === undefined) return undefined
  // If it was needed, it was validated just before.
  const isSponsored = permit?.sponsored != null && facts.allowance < authorization.value
  const { blockNumber } = facts
  return { blockNumber, balance: takeable(facts, authorization, isSponsored) }
}

function readSigned(
  rpc: PublicClient,
  { authorization, requirements: { asset } }: PaymentRequest,
  nonces: readonly Hex[],
): Promise<Facts[]> {
  const queries = nonces.map((nonce) => ({
    ...{ token: asset, authorization: { ...authorization, nonce }, signature: '0x' as const },
    ...{ walletGas: 0n, preparation: null, isTried: false },
  }))
  return readFacts(rpc, queries)
}

function readPermits(
  rpc: PublicClient,
  { authorization: { from: payer, to: payee }, requirements: { asset } }: PaymentRequest,
  nonces: readonly bigint[],
): Promise<PermitFacts[]> {
  const queries = nonces.map((nonce) => ({
    ...{ token: asset, payer, payee, spender: PERMIT2, nonce },
    ...{ digest: UNUSED, signature: '0x' as const, walletGas: 0n },
  }))
  return readPermitFacts(rpc, queries)
}

function noncesOf(pending: readonly OwedPayment[] = []): Hex[] {
  return pending.map(({ nonce }) => nonce)
}

function permitNoncesOf(pending: readonly OwedPayment[] = []): bigint[] {
  return pending.map(({ permitNonce }) => permitNonce ?? 0n)
}

const UNUSED: Hex = `0x${'0'.repeat(64)}`
