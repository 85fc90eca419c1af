import { erc20Abi, getAbiItem, type PublicClient } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { type BaseUnits, baseUnits } from '../../core/money.ts'

/** What deposit addresses received, read from the chain itself. */

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
export async function transfersTo(
  client: PublicClient,
  tokens: readonly Address[],
  holders: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<TransferLog[]> {
  const logs = await client.getLogs({
    address: [...tokens],
    event: TRANSFER,
    args: { to: [...holders] },
    fromBlock,
    toBlock,
    strict: true,
  })
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
