/** Committed artifacts of contracts for local chains, and the token functions that the bootstrap calls. */
import { join } from 'node:path'
import { parseAbi } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import { hexField } from '../servers/rpc.ts'

export const TOKEN_ABI = parseAbi([
  'function name() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
  'function initialize(string name, string symbol, string version, address owner)',
  'function mint(address to, uint256 amount)',
])

export type Artifact = { bytecode: Hex; deployedBytecode: Hex }

export async function readArtifact(
  name:
    | 'TestUSDC'
    | 'TestUSDT'
    | 'TestPermit2'
    | 'TestExactProxy'
    | 'TestUptoProxy'
    | 'TestChannels'
    | 'TestDepositCollector'
    | 'TestWalletFactory',
): Promise<Artifact> {
  const path = join(import.meta.dir, '../../contracts/artifacts', `${name}.json`)
  const content: unknown = await Bun.file(path).json()
  return {
    bytecode: hexField(content, 'bytecode'),
    deployedBytecode: hexField(content, 'deployedBytecode'),
  }
}
