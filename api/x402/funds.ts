import type { PublicClient } from 'viem'
import { readFacts } from '../../chain/authorization/facts.ts'
import type { Hex } from '../../core/chain/evm.ts'
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

/** Reads the payer's balance and the use of its pending authorizations, in one call to the node. */
export async function readFunds(
  rpc: PublicClient,
  { authorization, requirements }: PaymentRequest,
  { reserved, oldest }: Reservations,
): Promise<Funds> {
  const [own, ...others] = await readFacts(
    rpc,
    [authorization.nonce, ...oldest.map(({ nonce }) => nonce)].map((nonce) => ({
      token: requirements.asset,
      authorization: { ...authorization, nonce },
      signature: '0x',
      walletGas: 0n,
      preparation: null,
      isTried: false,
    })),
  )
  if (own === undefined) throw new Error('the node did not say the balance')
  const used = oldest.filter((_, i) => {
    const facts = others[i]
    // A use in a later block has not been taken from this balance.
    return facts?.isUsed === true && facts.blockNumber <= own.blockNumber
  })
  return {
    balance: own.balance,
    block: own.blockNumber,
    usedNonces: used.map(({ nonce }) => nonce),
    reserved: used.reduce((left, { amount }) => left - amount, reserved),
  }
}
