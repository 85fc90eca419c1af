import { erc20Abi, type PublicClient, parseEventLogs } from 'viem'
import { type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ChainTransfer } from '../../core/invoice/refund/external.ts'
import { baseUnits } from '../../core/money.ts'
import { headerAt } from '../blocks/blocks.ts'
import { findReceipt } from '../transactions/receipts.ts'

/** What one transaction transferred, to whomever, read from its own receipt. */
export type SentTransfers =
  /** No node knows it, it is not mined yet, or its block is just being reorganised. */
  | { readonly type: 'unknown' }
  | { readonly type: 'reverted'; readonly blockNumber: bigint }
  | {
      readonly type: 'mined'
      readonly blockNumber: bigint
      readonly blockHash: Hex
      readonly blockTime: Date
      /** Those of tokens, in the order of their logs. */
      readonly transfers: readonly ChainTransfer[]
    }

/** Reads every Transfer of a transaction, of whatever contract, from a receipt in a canonical block. */
export async function readSent(client: PublicClient, txHash: Hex): Promise<SentTransfers> {
  const receipt = await findReceipt(client, txHash)
  if (receipt === null) return { type: 'unknown' }
  const { blockNumber } = receipt
  const header = await headerAt(client, blockNumber)
  if (header?.hash !== receipt.blockHash) return { type: 'unknown' }
  if (receipt.status !== 'success') return { type: 'reverted', blockNumber }
  const transfers = receipt.logs.flatMap((log, place): ChainTransfer[] => {
    const [transfer] = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [log] })
    if (transfer === undefined) return []
    const { from, to, value } = transfer.args
    return [
      {
        place,
        logIndex: log.logIndex,
        token: lowerCaseAddress(log.address),
        from: lowerCaseAddress(from),
        to: lowerCaseAddress(to),
        amount: baseUnits(value),
      },
    ]
  })
  const blockHash = hashFrom(receipt.blockHash)
  return { type: 'mined', blockNumber, blockHash, blockTime: header.time, transfers }
}
