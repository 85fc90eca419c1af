import { hasCode } from '../../chain/blocks/accounts.ts'
import { openChain } from '../../chain/rpc/client.ts'
import { shortMessage } from '../../core/base/logging.ts'
import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import { CHANNELS, DEPOSIT_COLLECTOR, MULTICALL } from '../../core/channels/channel.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import { type Finding, Findings } from './finding.ts'

/** Third-party contracts of payment methods, at the same address on every chain. */

interface Need {
  /** The payment method that needs the contracts. */
  readonly what: string
  readonly contracts: readonly { readonly name: string; readonly address: Address }[]
}

const NEEDS: readonly Need[] = [
  {
    what: 'payments by Permit2 (`exact` of tokens without EIP-3009, and `upto`)',
    contracts: [
      { name: 'Permit2', address: PERMIT2 },
      { name: "x402's proxy of exact", address: PERMIT_PROXIES.exact },
      { name: "x402's proxy of upto", address: PERMIT_PROXIES.upto },
    ],
  },
  {
    what: 'payment channels (`batch-settlement`)',
    contracts: [
      { name: "x402's channels", address: CHANNELS },
      { name: 'their deposit collector', address: DEPOSIT_COLLECTOR },
      { name: 'Multicall3', address: MULTICALL },
    ],
  },
]

/** Reports the missing contracts of a chain, with the affected payment methods. */
export async function checkContracts(chain: ActiveChain): Promise<Finding[]> {
  const found = new Findings(chain.networkId)
  const { rpc } = openChain(chain)
  for (const { what, contracts } of NEEDS) {
    try {
      const have = await Promise.all(contracts.map(({ address }) => hasCode(rpc, address)))
      const missing = contracts.filter((_, i) => have[i] !== true)
      if (missing.length === 0) found.good(`the contracts of ${what} are deployed`)
      for (const { name, address } of missing) {
        found.warning(
          `there is no ${name} at ${checksumAddress(address)}: ${what} do not work on this chain`,
          'deploy it by the instructions of its project, or offer no such payments on this chain',
        )
      }
    } catch (error) {
      found.warning(
        `the contracts of ${what} could not be read: ${shortMessage(error)}`,
        'try again',
      )
    }
  }
  return found.all
}
