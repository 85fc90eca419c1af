import { keccak256, type PublicClient } from 'viem'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import { hasCode } from '../blocks/accounts.ts'

/** Whether a chain has the contracts that some payments need. Code that was there once stays (EIP-6780). */

/** Whether listed factories of wallets have the code that they are listed with; checked until each was found. */
export function openFactories(client: PublicClient): (factory: WalletFactory) => Promise<boolean> {
  const found = new Set<string>()
  return async ({ address, codeHash }) => {
    if (found.has(address)) return true
    const code = await client.getCode({ address })
    const isIt = code !== undefined && keccak256(code) === codeHash
    if (isIt) found.add(address)
    return isIt
  }
}

/** How long a chain that lacks a contract, or doesn't answer, is taken at its word, in ms. */
const RETRY_AFTER_MS = 60_000

/** Whether Permit2 and the proxies of x402 are there, so that payments by Permit2 can be made. */
export function openPermitContracts(client: PublicClient, now = () => performance.now()) {
  let answer: Promise<boolean> = Promise.resolve(false)
  let until = 0
  return (): Promise<boolean> => {
    if (now() < until) return answer
    until = now() + RETRY_AFTER_MS
    answer = areDeployed(client)
    answer.then((are) => {
      if (are) until = Number.POSITIVE_INFINITY
    })
    return answer
  }
}

/** A chain whose node does not answer takes no payments at the moment. */
async function areDeployed(client: PublicClient): Promise<boolean> {
  const contracts = [PERMIT2, PERMIT_PROXIES.exact, PERMIT_PROXIES.upto]
  const found = contracts.map((address) => hasCode(client, address))
  return (await Promise.all(found).catch(() => [false])).every(Boolean)
}
