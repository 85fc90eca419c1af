import { parseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import type { WalletFactory } from '../chain/walletFactory.ts'
import type { Reader } from './reader.ts'

/** The factories that may create payers' wallets (ERC-6492), as the operator lists them. */

const VARIABLE = 'X402_WALLET_FACTORIES'
const HASH = /^0x[0-9a-f]{64}$/

/** The chains with the factories that X402_WALLET_FACTORIES lists on them: `base:0xaddress:0xcodehash,…`. */
export function withWalletFactories(reader: Reader, chains: readonly Chain[]): readonly Chain[] {
  const listed = new Map<string, WalletFactory[]>()
  for (const entry of reader.list(VARIABLE)) {
    const [networkId = '', text = '', codeHash = '', ...rest] = entry.split(':')
    const address = parseAddress(text)
    const isRight = HASH.test(codeHash) && rest.length === 0
    const isKnown = chains.some((chain) => chain.networkId === networkId)
    if (!isKnown) {
      reader.problem(`${VARIABLE} holds ${entry}, whose chain is none of this environment`)
    } else if (address === null || address === ZERO_ADDRESS || !isRight) {
      reader.problem(
        `${VARIABLE} holds ${entry}, which is no factory: write chain, address and the keccak256 of its code in lower case, separated by colons`,
      )
    } else
      listed.set(networkId, [
        ...(listed.get(networkId) ?? []),
        { address, codeHash: `0x${codeHash.slice(2)}` },
      ])
  }
  return chains.map((chain) => ({ ...chain, walletFactories: listed.get(chain.networkId) ?? [] }))
}
