import { erc20Abi, type PublicClient, parseEventLogs } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../core/evm.ts'
import { baseUnits } from '../core/money.ts'
import { headerAt } from './blocks.ts'
import type { TransferLog } from './deposits.ts'

/** What one transaction brought to one address, read from its own receipt. */
export type Arrivals =
  /** No node knows it, it is not mined yet, or its block is just being reorganised. */
  | { readonly type: 'unknown' }
  | { readonly type: 'reverted'; readonly blockNumber: bigint }
  | {
      readonly type: 'mined'
      readonly blockNumber: bigint
      readonly blockTime: Date
      /** Every Transfer to the address, of whatever contract, in the order of the logs. */
      readonly transfers: readonly TransferLog[]
    }

/** Reads what a transaction brought to an address. Transfers of nothing are left out. */
export async function readArrivals(
  client: PublicClient,
  txHash: Hex,
  holder: Address,
): Promise<Arrivals> {
  const receipt = await receiptOf(client, txHash)
  if (receipt === null) return { type: 'unknown' }
  const { blockNumber } = receipt
  const header = await headerAt(client, blockNumber)
  if (header?.hash !== receipt.blockHash) return { type: 'unknown' }
  if (receipt.status !== 'success') return { type: 'reverted', blockNumber }
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  const transfers = logs
    .filter(({ args }) => args.to.toLowerCase() === holder && args.value > 0n)
    .map((log) => ({
      txHash,
      logIndex: log.logIndex,
      blockNumber,
      blockHash: hashFrom(log.blockHash),
      token: lowerCaseAddress(log.address),
      from: lowerCaseAddress(log.args.from),
      to: holder,
      amount: baseUnits(log.args.value),
    }))
  return { type: 'mined', blockNumber, blockTime: header.time, transfers }
}

async function receiptOf(client: PublicClient, hash: Hex) {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return null
    throw error
  }
}
