/** The compiled contracts as they are committed, and the few functions that a bootstrap calls. */
import { join } from 'node:path'
import {
  encodeAbiParameters,
  getContractAddress,
  parseAbi,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { type Address, type Hex, lowerCaseAddress } from '../core/evm.ts'
import { asHex, hexField } from './rpc.ts'

/** The deterministic deployment proxy, at the same address on every chain (and on every anvil). */
export const CREATE2_PROXY: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT: Hex = `0x${'0'.repeat(64)}`

export const HUB_ABI = parseAbi([
  'function isOperator(address) view returns (bool)',
  'function setOperator(address operator, bool allowed)',
])
export const ERC20_ABI = parseAbi([
  'function name() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
])
export const TOKEN_ABI = parseAbi([
  'function initialize(string name, string symbol, string version, address owner)',
  'function mint(address to, uint256 amount)',
])

export type Artifact = { bytecode: Hex; deployedBytecode: Hex }

export async function readArtifact(name: 'RemitHub' | 'TestUSDC' | 'TestUSDT'): Promise<Artifact> {
  const path = join(import.meta.dir, '../contracts/artifacts', `${name}.json`)
  const content: unknown = await Bun.file(path).json()
  return {
    bytecode: hexField(content, 'bytecode'),
    deployedBytecode: hexField(content, 'deployedBytecode'),
  }
}

export type HubRoles = {
  owner: Address
  configSigner: Address
  refundSigner: Address
  feeCollector: Address
}

/** The hub's init code with its constructor's arguments; development is always the sandbox. */
export async function hubInitCode(roles: HubRoles): Promise<Hex> {
  const { bytecode } = await readArtifact('RemitHub')
  const { owner, configSigner, refundSigner, feeCollector } = roles
  const args = encodeAbiParameters(
    parseAbiParameters('address, address, address, address, bytes32'),
    [owner, configSigner, refundSigner, feeCollector, stringToHex('sandbox', { size: 32 })],
  )
  return asHex(`${bytecode}${args.slice(2)}`)
}

/** EIP-1014, from the proxy and with salt 0. */
export function create2Address(initCode: Hex): Address {
  return lowerCaseAddress(
    getContractAddress({ opcode: 'CREATE2', from: CREATE2_PROXY, salt: SALT, bytecode: initCode }),
  )
}
