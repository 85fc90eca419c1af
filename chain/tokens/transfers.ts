import { erc20Abi, getAbiItem, type PublicClient } from 'viem'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'

/** The Transfer events of tokens, read from the chain itself. */

export interface TransferLog {
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: BaseUnits
}

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

/** Every Transfer of these tokens to one of these addresses within the blocks, both ends included. */
export function transfersTo(
  client: PublicClient,
  tokens: readonly Address[],
  holders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<TransferLog[]> {
  return transfers(client, tokens, { to: [...holders] }, { fromBlock, toBlock })
}

/** The most topics that nodes take at one position of a filter is 1,000. */
const HOLDERS_PER_CALL = 500

/**
 * Every Transfer to one of these addresses in one block, of these tokens or, without them, of any contract.
 * Throws an UnknownBlockError when no node has the block.
 */
export async function transfersInBlock(
  client: PublicClient,
  tokens: readonly Address[] | null,
  holders: readonly Address[],
  blockHash: Hex,
): Promise<TransferLog[]> {
  const found: TransferLog[] = []
  for (let i = 0; i < holders.length; i += HOLDERS_PER_CALL) {
    const some = holders.slice(i, i + HOLDERS_PER_CALL)
    found.push(...(await transfers(client, tokens, { to: some }, { blockHash })))
  }
  return found
}

/** The same of transfers from one of these addresses. */
export function transfersFrom(
  client: PublicClient,
  tokens: readonly Address[],
  holders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<TransferLog[]> {
  return transfers(client, tokens, { from: [...holders] }, { fromBlock, toBlock })
}

/** One movement of a token into or out of a holder. */
export interface TokenMovement extends TransferLog {
  readonly holder: Address
  readonly direction: 'in' | 'out'
  /** Who sent it, or received it. */
  readonly other: Address
}

/** Every Transfer of a token to or from one of the holders within the blocks, both ends included. */
export async function tokenMovements(
  client: PublicClient,
  token: Address,
  holders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<TokenMovement[]> {
  const [into, out] = await Promise.all([
    transfersTo(client, [token], holders, fromBlock, toBlock),
    transfersFrom(client, [token], holders, fromBlock, toBlock),
  ])
  return [
    ...into.map((log) => ({ ...log, holder: log.to, direction: 'in' as const, other: log.from })),
    ...out.map((log) => ({ ...log, holder: log.from, direction: 'out' as const, other: log.to })),
  ]
}

async function transfers(
  client: PublicClient,
  tokens: readonly Address[] | null,
  args: { readonly to: Address[] } | { readonly from: Address[] },
  blocks: { readonly fromBlock: bigint; readonly toBlock: bigint } | { readonly blockHash: Hex },
): Promise<TransferLog[]> {
  const whose = tokens === null ? {} : { address: [...tokens] }
  const wanted = { ...whose, event: TRANSFER, args, strict: true } as const
  const logs = await client.getLogs({ ...wanted, ...blocks })
  return logs.map((log) => ({
    txHash: hashFrom(log.transactionHash),
    logIndex: log.logIndex,
    blockNumber: log.blockNumber,
    blockHash: hashFrom(log.blockHash),
    token: lowerCaseAddress(log.address),
    from: lowerCaseAddress(log.args.from),
    to: lowerCaseAddress(log.args.to),
    amount: baseUnits(log.args.value),
  }))
}
