import { erc20Abi, getAbiItem, type PublicClient } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { type BaseUnits, baseUnits } from '../../core/money.ts'

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

/** One movement of a token into or out of a holder, as the token itself logged it. */
export interface TokenMovement {
  readonly token: Address
  readonly holder: Address
  readonly direction: 'in' | 'out'
  /** Who sent it, or received it. */
  readonly other: Address
  readonly amount: BaseUnits
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
}

/** Every Transfer of a token to or from one of the holders within the blocks, both ends included. */
export async function tokenMovements(
  client: PublicClient,
  token: Address,
  holders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<TokenMovement[]> {
  const read = async (direction: 'in' | 'out'): Promise<TokenMovement[]> => {
    const args = direction === 'in' ? { to: [...holders] } : { from: [...holders] }
    const filter = { address: token, event: TRANSFER, fromBlock, toBlock, strict: true } as const
    const logs = await client.getLogs({ ...filter, args })
    return logs.map((log) => {
      const from = lowerCaseAddress(log.args.from)
      const to = lowerCaseAddress(log.args.to)
      return {
        token,
        holder: direction === 'in' ? to : from,
        direction,
        other: direction === 'in' ? from : to,
        amount: baseUnits(log.args.value),
        txHash: hashFrom(log.transactionHash),
        logIndex: log.logIndex,
        blockNumber: log.blockNumber,
      }
    })
  }
  const [into, out] = await Promise.all([read('in'), read('out')])
  return [...into, ...out]
}
