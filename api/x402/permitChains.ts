import type { PublicClient } from 'viem'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'

/** On which chains payments by Permit2 can be made: where Permit2 and the proxies of x402 are deployed. */

/** How long a chain that lacks one of them, or doesn't answer, is taken at its word, in ms. */
const ASK_AGAIN_MS = 60_000

/** Answers whether a chain has all of them. What is deployed stays, and is not asked for again. */
export function openPermitChain(rpc: PublicClient, now = () => performance.now()) {
  let answer: Promise<boolean> = Promise.resolve(false)
  let until = 0
  return (): Promise<boolean> => {
    if (now() < until) return answer
    until = now() + ASK_AGAIN_MS
    answer = areDeployed(rpc)
    answer.then((are) => {
      if (are) until = Number.POSITIVE_INFINITY
    })
    return answer
  }
}

/** A chain whose node does not answer takes no payments at the moment. */
async function areDeployed(rpc: PublicClient): Promise<boolean> {
  const contracts = [PERMIT2, PERMIT_PROXIES.exact, PERMIT_PROXIES.upto]
  const found = await Promise.all(contracts.map((address) => hasCode(rpc, address))).catch(() => [
    false,
  ])
  return found.every(Boolean)
}
