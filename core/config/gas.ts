import { type ChainGas, gasProblem, type PayoutGas } from '../chain/gas.ts'
import type { Reader } from './reader.ts'

/** More than any chain lets a block have, so that a slip of the pen is found. */
const MOST = 1_000_000_000

/** A chain's figures of gas, with those that the operator has set for it. */
export function chainGas(reader: Reader, usual: ChainGas, id: string): ChainGas {
  const read = (name: string, fallback: bigint) =>
    BigInt(reader.integer(`GAS_${name}_${id}`, Number(fallback), 21_000, MOST))
  const payout = (name: string, fallback: PayoutGas) => ({
    item: read(name, fallback.item),
    fee: read(`${name}_FEE`, fallback.fee),
    reserve: read(`${name}_RESERVE`, fallback.reserve),
  })
  const gas: ChainGas = {
    sweep: payout('SWEEP', usual.sweep),
    distribution: payout('DISTRIBUTION', usual.distribution),
    refund: read('REFUND', usual.refund),
    authorization: read('AUTHORIZATION', usual.authorization),
    authorizationUse: read('AUTHORIZATION_USE', usual.authorizationUse),
    newBalance: read('NEW_BALANCE', usual.newBalance),
    walletAuthorization: read('WALLET_AUTHORIZATION', usual.walletAuthorization),
    permit: read('PERMIT', usual.permit),
    configuration: read('CONFIGURATION', usual.configuration),
    deployment: read('DEPLOYMENT', usual.deployment),
    transfer: read('TRANSFER', usual.transfer),
    largest: read('TRANSACTION', usual.largest),
  }
  const problem = gasProblem(gas)
  if (problem !== null) reader.problem(`GAS_*_${id} can't work: ${problem}`)
  return gas
}
