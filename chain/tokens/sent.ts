import { erc20Abi, type PublicClient, parseEventLogs } from 'viem'
import { baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ChainTransfer } from '../../core/invoice/externalRefund.ts'
import { headerAt } from '../blocks/blocks.ts'
import { isCallFault, isUnknownBlock } from '../rpc/faults.ts'
import { findReceipt } from '../transactions/receipts.ts'
import { findTransaction } from '../transactions/transactions.ts'
import { type TransferLog, transfersInBlock } from './transfers.ts'

/** What one transaction transferred to some addresses, read from its own logs. */
export type SentTransfers =
  /** No node knows it, it is not mined yet, or its block is just being reorganised. */
  | { readonly type: 'unknown' }
  /** Its block shows no transfer that was sought, and its receipt, which would show why, is too large to read. */
  | { readonly type: 'unshown' }
  | { readonly type: 'reverted'; readonly blockNumber: bigint }
  | {
      readonly type: 'mined'
      readonly blockNumber: bigint
      readonly blockHash: Hex
      readonly blockTime: Date
      /** Those that were sought, and possibly others, in the order of their logs. */
      readonly transfers: readonly ChainTransfer[]
    }

/** Which transfers of a transaction matter: those of a token to any of these. */
export interface SoughtTransfers {
  readonly token: Address
  readonly recipients: readonly Address[]
}

/**
 * Reads what a transaction transferred from the logs of its block that are sought, because any party to a
 * transaction can make its receipt large. An empty result proves nothing: the receipt is read then, which alone
 * shows that a transaction reverted.
 */
export async function readSent(
  client: PublicClient,
  txHash: Hex,
  sought: SoughtTransfers,
): Promise<SentTransfers> {
  const transaction = await findTransaction(client, txHash)
  const { blockNumber = null, blockHash = null } = transaction ?? {}
  if (blockNumber === null || blockHash === null) return { type: 'unknown' }
  const [header, inBlock] = await Promise.all([
    headerAt(client, blockNumber),
    soughtIn(client, sought, hashFrom(blockHash)),
  ])
  if (header?.hash !== blockHash) return { type: 'unknown' }
  const { hash, time: blockTime } = header
  const mined = { type: 'mined', blockNumber, blockHash: hash, blockTime } as const
  const shown = inBlock.filter((transfer) => transfer.txHash === txHash)
  if (shown.length > 0) return { ...mined, transfers: placed(shown) }
  try {
    const receipt = await findReceipt(client, txHash)
    if (receipt?.blockHash !== blockHash) return { type: 'unknown' }
    if (receipt.status !== 'success') return { type: 'reverted', blockNumber }
    const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
    const transfers = logs.map(({ address, logIndex, args: { from, to, value } }) => ({
      logIndex,
      token: lowerCaseAddress(address),
      from: lowerCaseAddress(from),
      to: lowerCaseAddress(to),
      amount: baseUnits(value),
    }))
    return { ...mined, transfers: placed(transfers) }
  } catch (error) {
    if (isCallFault(error)) return { type: 'unshown' }
    throw error
  }
}

/** Nothing from a node that doesn't know the block. */
async function soughtIn(
  client: PublicClient,
  { token, recipients }: SoughtTransfers,
  blockHash: Hex,
): Promise<TransferLog[]> {
  try {
    return await transfersInBlock(client, [token], recipients, blockHash)
  } catch (error) {
    if (isUnknownBlock(error)) return []
    throw error
  }
}

/** In the order of their logs, each with its index among equal ones. */
function placed(transfers: readonly Omit<ChainTransfer, 'place'>[]): ChainTransfer[] {
  const seen = new Map<string, number>()
  return transfers
    .toSorted((a, b) => a.logIndex - b.logIndex)
    .map(({ logIndex, token, from, to, amount }) => {
      const what = [token, from, to, amount].join(' ')
      const place = seen.get(what) ?? 0
      seen.set(what, place + 1)
      return { place, logIndex, token, from, to, amount }
    })
}
