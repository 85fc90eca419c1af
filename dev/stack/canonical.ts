/** Contracts of others that every public chain has at the same address, as local chains have them. */
import { join } from 'node:path'
import type { PublicClient } from 'viem'
import { hasCode } from '../../chain/accounts.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { CHANNELS, DEPOSIT_COLLECTOR, MULTICALL } from '../../core/x402/channels/channel.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import type { Anvil } from '../servers/anvil.ts'
import { hexField } from '../servers/rpc.ts'
import { readArtifact } from './artifacts.ts'

/** Their interface in our own words: contracts/README.md. */
const STAND_INS = [
  { artifact: 'TestPermit2', address: PERMIT2 },
  { artifact: 'TestExactProxy', address: PERMIT_PROXIES.exact },
  { artifact: 'TestUptoProxy', address: PERMIT_PROXIES.upto },
  { artifact: 'TestChannels', address: CHANNELS },
  { artifact: 'TestDepositCollector', address: DEPOSIT_COLLECTOR },
] as const

/** Where local chains have the code of a contract of others. */
export const CANONICAL: readonly Address[] = [...STAND_INS.map(({ address }) => address), MULTICALL]

/** Places those that the chain lacks; what is there stays. Returns the addresses that got their code. */
export async function placeCanonical(reader: PublicClient, node: Anvil): Promise<Address[]> {
  const placed: Address[] = []
  const place = async (address: Address, code: () => Promise<unknown>) => {
    if (await hasCode(reader, address)) return
    await node.rpc('anvil_setCode', [address, await code()])
    placed.push(address)
  }
  for (const { artifact, address } of STAND_INS) {
    await place(address, async () => (await readArtifact(artifact)).deployedBytecode)
  }
  await place(MULTICALL, async () => node.rpc('eth_call', [{ data: await multicall() }, 'latest']))
  return placed
}

/** The init code of Multicall3, which leaves its runtime code. */
async function multicall(): Promise<Hex> {
  const path = join(import.meta.dir, '../../contracts/canonical/Multicall3.json')
  return hexField(await Bun.file(path).json(), 'initCode')
}
