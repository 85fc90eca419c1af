import type { PublicClient } from 'viem'
import { readFacts } from '../../chain/authorization/facts.ts'
import { readPermitFacts } from '../../chain/permit/facts.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { PERMIT2 } from '../../core/x402/permitContracts.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { Reservations } from '../../store/x402/terms.ts'

/**
 * What a payer can still spend. A payment that is mined and not yet recorded is counted twice: it
 * has left the balance and is still reserved. The chain says which ones those are, at the balance's
 * block.
 */
export interface Funds {
  /** In base units, at the end of the block. */
  readonly balance: bigint
  readonly block: bigint
  /** Nonces of pending payments that this balance has paid already. */
  readonly usedNonces: readonly Hex[]
  /** What the other pending payments may still take from it, in base units. */
  readonly reserved: bigint
}

/** Reads the payer's balance and the use of its pending authorizations, in one call for each way to pay. */
export async function readFunds(
  rpc: PublicClient,
  { authorization, requirements: { asset } }: PaymentRequest,
  { reserved, oldest }: Reservations,
): Promise<Funds> {
  const { from: payer } = authorization
  const [signed, permits] = [true, false].map((is) =>
    oldest.filter(({ permitNonce }) => (permitNonce === null) === is),
  )
  const [[own, ...others], byPermit] = await Promise.all([
    readFacts(
      rpc,
      // Of the balance, the nonce makes no difference.
      [UNUSED, ...(signed ?? []).map(({ nonce }) => nonce)].map((nonce) => ({
        token: asset,
        authorization: { ...authorization, nonce },
        signature: '0x',
        walletGas: 0n,
        preparation: null,
        isTried: false,
      })),
    ),
    readPermitFacts(
      rpc,
      (permits ?? []).map(({ permitNonce }) => ({
        ...{ token: asset, payer, payee: authorization.to, spender: PERMIT2 },
        ...{ nonce: permitNonce ?? 0n, digest: UNUSED, signature: '0x', walletGas: 0n },
      })),
    ),
  ])
  if (own === undefined) throw new Error('the node did not say the balance')
  // A use in a later block has not been taken from this balance.
  const wasUsed = (facts: Facts | undefined) =>
    facts?.isUsed === true && facts.blockNumber <= own.blockNumber
  const used = [
    ...(signed ?? []).filter((_, i) => wasUsed(others[i])),
    ...(permits ?? []).filter((_, i) => wasUsed(byPermit[i])),
  ]
  return {
    balance: own.balance,
    block: own.blockNumber,
    usedNonces: used.map(({ nonce }) => nonce),
    reserved: used.reduce((left, { amount }) => left - amount, reserved),
  }
}

const UNUSED: Hex = `0x${'0'.repeat(64)}`
