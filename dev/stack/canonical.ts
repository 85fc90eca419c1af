/** Third-party contracts with the same address on every public chain, for local chains. */
import { join } from 'node:path'
import { keccak256, type PublicClient } from 'viem'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import { CHANNELS, DEPOSIT_COLLECTOR, MULTICALL } from '../../core/channels/channel.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import type { Anvil } from '../servers/anvil.ts'
import { hexField } from '../servers/rpc.ts'
import { readArtifact } from './artifacts.ts'

/** The factory of contract wallets on local chains; public chains have none at this address. */
const WALLET_FACTORY = lowerCaseAddress('0x0000000000000000000000000000000000006492')

/** Our own implementations of their interfaces: contracts/README.md. */
const STAND_INS = [
  { artifact: 'TestPermit2', address: PERMIT2 },
  { artifact: 'TestExactProxy', address: PERMIT_PROXIES.exact },
  { artifact: 'TestUptoProxy', address: PERMIT_PROXIES.upto },
  { artifact: 'TestChannels', address: CHANNELS },
  { artifact: 'TestDepositCollector', address: DEPOSIT_COLLECTOR },
] as const

/** The addresses of third-party contracts. */
export const CANONICAL: readonly Address[] = [...STAND_INS.map(({ address }) => address), MULTICALL]

/** Sets the code of missing contracts; existing ones are kept. Returns the addresses of added contracts. */
export async function placeCanonical(reader: PublicClient, node: Anvil): Promise<Address[]> {
  const placed: Address[] = []
  const place = async (address: Address, code: () => Promise<unknown>) => {
    if (await hasCode(reader, address)) return
    await node.rpc('anvil_setCode', [address, await code()])
    placed.push(address)
  }
  const factory = { artifact: 'TestWalletFactory', address: WALLET_FACTORY } as const
  for (const { artifact, address } of [...STAND_INS, factory]) {
    await place(address, async () => (await readArtifact(artifact)).deployedBytecode)
  }
  await place(MULTICALL, async () => node.rpc('eth_call', [{ data: await multicall() }, 'latest']))
  return placed
}

/** The init code of Multicall3, which returns its runtime code. */
async function multicall(): Promise<Hex> {
  const path = join(import.meta.dir, '../../contracts/canonical/Multicall3.json')
  return hexField(await Bun.file(path).json(), 'initCode')
}

/** The factory of a local chain's wallets, in the format of X402_WALLET_FACTORIES. */
export const LOCAL_WALLET_FACTORY: WalletFactory = {
  address: WALLET_FACTORY,
  codeHash: keccak256((await readArtifact('TestWalletFactory')).deployedBytecode),
}
