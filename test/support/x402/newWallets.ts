import { encodeFunctionData, parseAbi, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { WalletFactory } from '../../../core/chain/walletFactory.ts'
import { LOCAL_WALLET_FACTORY } from '../../../dev/stack/canonical.ts'
import type { HubChain } from '../servers/chain.ts'

/** Wallets that don't exist yet: ERC-6492, with the factory of local chains. */

export const FACTORY = LOCAL_WALLET_FACTORY

const FACTORY_ABI = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function accountOf(address owner, uint256 salt) view returns (address)',
])

export interface NewWallet {
  readonly address: Address
  readonly owner: PrivateKeyAccount
  /** The call that creates it. */
  readonly data: Hex
  /** A signature of its owner, with that call. */
  wrap(signature: Hex, factory?: Address): Hex
}

/** The wallets that the factory would create for new keys, with USDC in base units at their addresses. */
export async function newWallets(
  chain: HubChain,
  count: number,
  balance: bigint,
): Promise<NewWallet[]> {
  const wallets = await Promise.all(Array.from({ length: count }, () => walletOf(chain)))
  const shares = wallets.map(({ address }) => ({ to: address, amount: balance }))
  if (balance > 0n) await chain.mint(shares)
  return wallets
}

export async function newWallet(chain: HubChain, balance: bigint): Promise<NewWallet> {
  const [wallet] = await newWallets(chain, 1, balance)
  if (wallet === undefined) throw new Error('there is no wallet')
  return wallet
}

async function walletOf(chain: HubChain): Promise<NewWallet> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const args = [owner.address, 0n] as const
  const account = await chain.client.readContract({
    address: FACTORY.address,
    abi: FACTORY_ABI,
    functionName: 'accountOf',
    args,
  })
  const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: 'createAccount', args })
  return {
    address: lowerCaseAddress(account),
    owner,
    data,
    wrap: (signature, factory = FACTORY.address) =>
      serializeErc6492Signature({ address: factory, data, signature }),
  }
}

/** X402_WALLET_FACTORIES of these. */
export function listed(...factories: readonly WalletFactory[]): string {
  return factories.map(({ address, codeHash }) => `base-sepolia:${address}:${codeHash}`).join(',')
}

/**
 * A factory that creates wallets as the other one does in a trial, for which the sender is given more coin than
 * there is, and reverts in a transaction, or burns all its gas there.
 */
export function treacherousFactory(end: 'reverts' | 'burns'): Hex {
  const isTransaction = '323160641c15602a57' // jumpi(42, iszero(shr(100, balance(origin))))
  const forward = `365f5f375f5f365f5f73${FACTORY.address.slice(2)}5af100`
  return `0x${isTransaction}${forward}${end === 'reverts' ? '5b5f5ffd' : '5bfe'}`
}
