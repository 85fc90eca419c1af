import type { PublicClient } from 'viem'
import { readArrivals, transfersIn } from '../../chain/token/arrivals.ts'
import type { TransferLog } from '../../chain/token/transfers.ts'
import type { MinedReceipt } from '../../chain/transactions/receipts.ts'
import { type Address, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { Payment } from '../../core/invoice/state.ts'

/** What the chain itself says of payments that the ledger has: their rows may be anybody's. */

type Claimed = Pick<Payment, 'txHash' | 'logIndex' | 'blockHash' | 'token' | 'sender' | 'amount'>

/**
 * The transfer that a payment's row tells of, from the transaction's receipt; null when the receipt shows
 * no such transfer to the deposit. Undefined when the node doesn't show the transaction in that block.
 */
export async function arrivalOf(
  client: PublicClient,
  deposit: Address,
  payment: Pick<Claimed, 'txHash' | 'logIndex' | 'blockHash'>,
): Promise<TransferLog | null | undefined> {
  const arrivals = await readArrivals(client, payment.txHash, deposit)
  if (arrivals.type !== 'mined') return undefined
  const [any] = arrivals.transfers
  if (any !== undefined && any.blockHash !== payment.blockHash) return undefined
  return arrivals.transfers.find(({ logIndex }) => logIndex === payment.logIndex) ?? null
}

/**
 * Whether the successful receipt of a payment's transaction shows it as its row says. Native coin is in no
 * log: for it the node is asked once more.
 */
export async function isShown(
  client: PublicClient,
  deposit: Address,
  payment: Claimed,
  receipt: MinedReceipt,
): Promise<boolean> {
  const found =
    payment.token === ZERO_ADDRESS
      ? await arrivalOf(client, deposit, payment)
      : transfersIn(receipt.logs, deposit).find(({ logIndex }) => logIndex === payment.logIndex)
  // Not shown at the moment; the receipt said that it is in its block.
  if (found === undefined && payment.token === ZERO_ADDRESS) return true
  return (
    found?.token === payment.token &&
    found.from === payment.sender &&
    found.amount === payment.amount
  )
}
