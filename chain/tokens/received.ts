import { erc20Abi, type Log, type PublicClient, parseEventLogs } from 'viem'
import { baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { NO_LOG } from '../../core/invoice/state.ts'
import { headerAt } from '../blocks/blocks.ts'
import { findReceipt } from '../transactions/receipts.ts'
import { findTransaction } from '../transactions/transactions.ts'
import { type TransferLog, transfersInBlock } from './transfers.ts'

/** What one transaction brought to one address, read from its own logs. */
export type ReceivedTransfers =
  /** No node knows it, it is not mined yet, or its block is just being reorganised. */
  | { readonly type: 'unknown' }
  | { readonly type: 'reverted'; readonly blockNumber: bigint }
  | {
      readonly type: 'mined'
      readonly blockNumber: bigint
      readonly blockHash: Hex
      readonly blockTime: Date
      /**
       * Native coin first, if the transaction itself sent any, as a transfer of the zero address; then every
       * Transfer to the address, of any contract, in the order of the logs.
       */
      readonly transfers: readonly TransferLog[]
    }

/**
 * Reads what a transaction brought to an address, of these tokens or, without them, of any contract, from its
 * logs to that address alone. Where these don't show that it has succeeded, its receipt is read. Transfers of
 * nothing are left out, and so is native coin that a contract sent: neither shows it (see growth.ts).
 */
export async function readReceived(
  client: PublicClient,
  txHash: Hex,
  holder: Address,
  tokens: readonly Address[] | null = null,
): Promise<ReceivedTransfers> {
  const transaction = await findTransaction(client, txHash)
  const { blockNumber = null, blockHash = null } = transaction ?? {}
  if (transaction === null || blockNumber === null || blockHash === null) return { type: 'unknown' }
  const header = await headerAt(client, blockNumber)
  if (header?.hash !== blockHash) return { type: 'unknown' }
  const place = { txHash, blockNumber, blockHash: header.hash, to: holder }
  const at = { blockNumber, blockHash: header.hash, blockTime: header.time }
  const mined = { type: 'mined', ...at } as const
  const inBlock = await transfersInBlock(client, tokens, [holder], header.hash)
  const shown = inBlock.filter((one) => one.txHash === txHash && one.amount > 0n)
  const { to, from, value } = transaction
  const isCoin = to?.toLowerCase() === holder && value > 0n
  if (shown.length > 0 && !isCoin) return { ...mined, transfers: shown }
  const receipt = await findReceipt(client, txHash)
  if (receipt?.blockHash !== blockHash) return { type: 'unknown' }
  if (receipt.status !== 'success') return { type: 'reverted', blockNumber }
  const transfers = transfersIn(receipt.logs, holder)
    .filter(({ token }) => tokens === null || tokens.includes(token))
    .map((transfer) => ({ ...place, ...transfer }))
  if (!isCoin) return { ...mined, transfers }
  const coin = {
    ...place,
    logIndex: NO_LOG,
    token: ZERO_ADDRESS,
    from: lowerCaseAddress(from),
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
