import { parseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import type { WalletFactory } from '../chain/walletFactory.ts'
import { type Reader, Wrong } from './reader.ts'

/** The factories that may create payers' wallets (ERC-6492), as the operator lists them. */

const VARIABLE = 'X402_WALLET_FACTORIES'
const HASH = /^0x[0-9a-f]{64}$/

/** The chains with the factories that X402_WALLET_FACTORIES lists on them: `base:0xaddress:0xcodehash,…`. */
export function withWalletFactories(reader: Reader, chains: readonly Chain[]): readonly Chain[] {
  const listed = Map.groupBy(
    reader.entries(VARIABLE, (text) => readEntry(text, chains)),
    ({ networkId }) => networkId,
  )
  return chains.map((chain) => ({
    ...chain,
    walletFactories: (listed.get(chain.networkId) ?? []).map(({ factory }) => factory),
  }))
}

function readEntry(
  entry: string,
  chains: readonly Chain[],
): Wrong | { readonly networkId: string; readonly factory: WalletFactory } {
  const [networkId = '', text = '', codeHash = '', ...rest] = entry.split(':')
  if (!chains.some((chain) => chain.networkId === networkId)) {
    return new Wrong('whose chain is none of this environment')
  }
  const address = parseAddress(text)
  if (address === null || address === ZERO_ADDRESS || !HASH.test(codeHash) || rest.length > 0) {
    return new Wrong(
      'which is no factory: write chain, address and the keccak256 of its code in lower case, separated by colons',
    )
  }
  return { networkId, factory: { address, codeHash: `0x${codeHash.slice(2)}` } }
}
