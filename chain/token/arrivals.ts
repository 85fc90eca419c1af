import { erc20Abi, type Log, type PublicClient, parseEventLogs } from 'viem'
import {
  type Address,
  type Hex,
  hashFrom,
  lowerCaseAddress,
  ZERO_ADDRESS,
} from '../../core/chain/evm.ts'
import { NO_LOG } from '../../core/invoice/state.ts'
import { baseUnits } from '../../core/money.ts'
import { headerAt } from '../blocks/blocks.ts'
import { findReceipt } from '../transactions/receipts.ts'
import type { TransferLog } from './transfers.ts'

/** What one transaction brought to one address, read from its own receipt. */
export type Arrivals =
  /** No node knows it, it is not mined yet, or its block is just being reorganised. */
  | { readonly type: 'unknown' }
  | { readonly type: 'reverted'; readonly blockNumber: bigint }
  | {
      readonly type: 'mined'
      readonly blockNumber: bigint
      readonly blockTime: Date
      /**
       * Native coin first, if the transaction itself sent any, as a transfer of the zero address; then
       * every Transfer to the address, of whatever contract, in the order of the logs.
       */
      readonly transfers: readonly TransferLog[]
    }

/**
 * Reads what a transaction brought to an address. Transfers of nothing are left out, and so is native
 * coin that a contract sent: a receipt does not show it.
 */
export async function readArrivals(
  client: PublicClient,
  txHash: Hex,
  holder: Address,
): Promise<Arrivals> {
  const receipt = await findReceipt(client, txHash)
  if (receipt === null) return { type: 'unknown' }
  const { blockNumber } = receipt
  const header = await headerAt(client, blockNumber)
  if (header?.hash !== receipt.blockHash) return { type: 'unknown' }
  if (receipt.status !== 'success') return { type: 'reverted', blockNumber }
  const place = { txHash, blockNumber, blockHash: hashFrom(receipt.blockHash), to: holder }
  const transfers = transfersIn(receipt.logs, holder).map((transfer) => ({ ...place, ...transfer }))
  const mined = { type: 'mined', blockNumber, blockTime: header.time } as const
  if (receipt.to?.toLowerCase() !== holder) return { ...mined, transfers }
  const value = await coinOf(client, txHash)
  if (value === null) return { type: 'unknown' }
  if (value === 0n) return { ...mined, transfers }
  const coin = {
    ...place,
    logIndex: NO_LOG,
    token: ZERO_ADDRESS,
    from: lowerCaseAddress(receipt.from),
    amount: baseUnits(value),
  }
  return { ...mined, transfers: [coin, ...transfers] }
}

/** The transfers of anything to an address among the logs of a receipt. */
export function transfersIn(
  receiptLogs: readonly Log[],
  holder: Address,
): Pick<TransferLog, 'logIndex' | 'token' | 'from' | 'amount'>[] {
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [...receiptLogs] })
  return logs
    .filter(({ args }) => args.to.toLowerCase() === holder && args.value > 0n)
    .flatMap((log) =>
      log.logIndex === null
        ? []
        : [
            {
              logIndex: log.logIndex,
              token: lowerCaseAddress(log.address),
              from: lowerCaseAddress(log.args.from),
              amount: baseUnits(log.args.value),
            },
          ],
    )
}

/** What a transaction sends of the native coin, in wei; null when the node has lost sight of it. */
async function coinOf(client: PublicClient, hash: Hex): Promise<bigint | null> {
  try {
    return (await client.getTransaction({ hash })).value
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionNotFoundError') return null
    throw error
  }
}
