import { encodeFunctionData, type PublicClient, parseAbi } from 'viem'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { ALL_CHAINS } from '../../core/chain/registry.ts'
import { bytesIn } from '../../core/chain/words.ts'

/**
 * What is Arbitrum's own: contracts see about Ethereum's block number, and a transaction's gas pays for its
 * data on Ethereum, too. Sources: OffchainLabs/nitro, precompiles/ArbSys.go, ArbGasInfo.go,
 * arbos/tx_processor.go.
 */

const ARB_SYS = lowerCaseAddress('0x0000000000000000000000000000000000000064')
const ARB_GAS_INFO = lowerCaseAddress('0x000000000000000000000000000000000000006c')
/** It is in no block: nodes answer for it. */
const NODE_INTERFACE = lowerCaseAddress('0x00000000000000000000000000000000000000c8')
const ARB_SYS_ABI = parseAbi(['function arbBlockNumber() view returns (uint256)'])
const GAS_INFO_ABI = parseAbi(['function getL1BaseFeeEstimate() view returns (uint256)'])

const NODE_ABI = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gas, uint256 baseFee, uint256 price)',
])

/** A byte that is not zero, in units of the price of data; zeros count like others, and compression makes it less. */
const UNITS_PER_BYTE = 16n
/** What a transaction has besides its calldata: fields, signature, and what compression may add; in bytes. */
const ENVELOPE_BYTES = 512n
/** The price may rise and the base fee fall until the transaction is in a block; what is left over isn't paid. */
const MARGIN = 2n

const IDS: ReadonlySet<number> = new Set(
  ALL_CHAINS.filter(({ isArbitrum }) => isArbitrum).map(({ chainId }) => chainId),
)

function isArbitrum({ chain }: PublicClient): boolean {
  return chain !== undefined && IDS.has(chain.id)
}

/** The call that answers the block's number as nodes count; null where Multicall3 knows it itself. */
export function blockNumberCall(
  client: PublicClient,
): { readonly target: Address; readonly callData: Hex } | null {
  if (!isArbitrum(client)) return null
  const callData = encodeFunctionData({ abi: ARB_SYS_ABI, functionName: 'arbBlockNumber' })
  return { target: ARB_SYS, callData }
}

/**
 * What a byte of a transaction adds to its gas limit at this base fee (wei per gas), at most; 0 where data
 * costs no gas beyond what batches count. Throws a fault of the node.
 */
export async function dataGasPerByte(client: PublicClient, baseFeePerGas: bigint): Promise<bigint> {
  if (!isArbitrum(client)) return 0n
  const price = await client.readContract({
    ...{ address: ARB_GAS_INFO, abi: GAS_INFO_ABI, functionName: 'getL1BaseFeeEstimate' },
  })
  const cost = UNITS_PER_BYTE * price * MARGIN
  return baseFeePerGas === 0n ? cost : (cost + baseFeePerGas - 1n) / baseFeePerGas
}

/** What a transaction with so much calldata needs in addition to the gas that it uses. */
export function dataGas(perByte: bigint, calldataBytes: number): bigint {
  return perByte === 0n ? 0n : perByte * (BigInt(calldataBytes) + ENVELOPE_BYTES)
}

/** The same for this calldata. */
export function dataGasOf(perByte: bigint, calldata: Hex): bigint {
  return dataGas(perByte, bytesIn(calldata.slice(2)))
}

/** How much of eth_estimateGas's answer for this call is for its data. Throws a fault of the node. */
export async function estimatedDataGas(
  client: PublicClient,
  to: Address,
  data: Hex,
): Promise<bigint> {
  if (!isArbitrum(client)) return 0n
  const [gas] = await client.readContract({
    ...{ address: NODE_INTERFACE, abi: NODE_ABI, functionName: 'gasEstimateL1Component' },
    args: [to, false, data],
  })
  return gas
}
