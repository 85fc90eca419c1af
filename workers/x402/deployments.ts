import { encodeAll } from '../../chain/channels/calls.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import { MULTICALL } from '../../core/channels/channel.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'

/**
 * Payments of wallets that don't exist yet: one transaction has the factory create the wallet, and the hub
 * carry the payment out. Anyone may make both calls, so they go through Multicall3.
 */

export interface Call {
  readonly target: Address
  readonly calldata: Hex
}

/**
 * The creation, which may fail because another transaction was faster, and then the hub's call, which may not:
 * with too little gas left for it the whole transaction reverts.
 */
export function afterDeployment({ factory, data }: Deployment, { target, calldata }: Call): Call {
  const calls = [
    { target: factory, allowFailure: true, callData: data },
    { target, allowFailure: false, callData: calldata },
  ]
  return { target: MULTICALL, calldata: encodeAll(calls) }
}

/** Why no transaction may have this factory called; null when one may. The API has checked its code. */
export function factoryProblem(
  deployment: Deployment | null,
  listed: readonly WalletFactory[],
): string | null {
  if (deployment === null) return null
  const isListed = listed.some(({ address }) => address === deployment.factory)
  return isListed ? null : `the factory ${deployment.factory} of its wallet is not listed`
}

/** The contract whose events show the outcome of payments: behind Multicall3 it is the hub. */
export function reporterOf(target: Address, hub: Address | undefined): Address {
  return target === MULTICALL && hub !== undefined ? hub : target
}
