import type { PublicClient } from 'viem'
import { isCanonical } from '../../chain/blocks/blocks.ts'
import { isUnknownBlock } from '../../chain/rpc/faults.ts'
import { readGrowth } from '../../chain/tokens/growth.ts'
import { readReceived, transfersIn } from '../../chain/tokens/received.ts'
import { type TransferLog, transfersInBlock } from '../../chain/tokens/transfers.ts'
import { type MinedReceipt, receiptsOf } from '../../chain/transactions/receipts.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { isByBalance, type Payment } from '../../core/invoice/state.ts'

/** What the chain itself shows of payments in the ledger: a stolen role could have written their rows. */

/** Where a payment is, by its row. */
export interface Sought extends Pick<Payment, 'txHash' | 'logIndex' | 'blockHash' | 'token'> {
  readonly deposit: Address
  /** As a worker has confirmed it; null where none has. For what no node shows any more. */
  readonly confirmed?: Pick<Payment, 'amount' | 'blockNumber'> | null
}

/** A transfer to a deposit, and the block that holds it. */
export type Shown = Omit<TransferLog, 'to' | 'txHash'>

/**
 * Searches the chain for payments, all of a turn at once: each block is queried once for the transfers to their
 * deposits. Others can make receipts large; the receipt of a transaction is read only where the block shows no
 * such transfer, and once.
 */
export class ShownPayments {
  private readonly blocks: ReadonlyMap<Hex, readonly Sought[]>
  private readonly transfers = new Map<Hex, Promise<readonly TransferLog[]>>()
  private readonly receipts = new Map<Hex, Promise<MinedReceipt | null>>()
  private readonly canonical = new Map<Hex, Promise<boolean>>()

  constructor(
    private readonly client: PublicClient,
    payments: readonly Sought[],
  ) {
    this.blocks = Map.groupBy(payments, ({ blockHash }) => blockHash)
  }

  /**
   * The transfer at a payment's position; null when its transaction's receipt is in that block and shows none to
   * the deposit there. Undefined while the node doesn't show the transaction in that block, or has another block
   * there: nothing proves it wrong.
   */
  async find(payment: Sought): Promise<Shown | null | undefined> {
    if (isByBalance(payment)) return this.findGrowth(payment)
    if (payment.token === ZERO_ADDRESS) return this.findCoin(payment)
    const { txHash, logIndex, deposit, blockHash } = payment
    const found = (await this.transfersOf(payment)).find(
      (one) => one.txHash === txHash && one.logIndex === logIndex && one.to === deposit,
    )
    if (found !== undefined && found.amount > 0n) {
      return (await this.isCanonical(blockHash, found.blockNumber)) ? found : undefined
    }
    const receipt = await this.receiptOf(txHash)
    if (receipt === null || !receipt.succeeded || receipt.blockHash !== blockHash) return undefined
    if (!(await this.isCanonical(blockHash, receipt.block))) return undefined
    const shown = transfersIn(receipt.logs, deposit).find((one) => one.logIndex === logIndex)
    return shown ? { ...shown, blockHash, blockNumber: receipt.block } : null
  }

  /** Native coin is in no log. */
  private async findCoin({ txHash, deposit, logIndex, blockHash }: Sought) {
    const received = await readReceived(this.client, txHash, deposit)
    if (received.type !== 'mined') return undefined
    const [any] = received.transfers
    if (any !== undefined && any.blockHash !== blockHash) return undefined
    return received.transfers.find((one) => one.logIndex === logIndex) ?? null
  }

  /**
   * What only the balance shows. Nodes forget the balances of old blocks: what a worker has confirmed while they
   * were there stays so, as long as the transaction is in its block.
   */
  private async findGrowth(payment: Sought): Promise<Shown | null | undefined> {
    const { txHash, deposit, logIndex, blockHash, token, confirmed } = payment
    const received = await readReceived(this.client, txHash, deposit, [])
    if (received.type !== 'mined' || received.blockHash !== blockHash) return undefined
    const grown = await readGrowth(this.client, { txHash, ...received }, deposit, [token])
    if (grown.unread.length === 0) {
      return grown.transfers.find((one) => one.logIndex === logIndex) ?? null
    }
    return confirmed ? { ...confirmed, blockHash, logIndex, token, from: ZERO_ADDRESS } : undefined
  }

  private async transfersOf(payment: Sought): Promise<readonly TransferLog[]> {
    const { blockHash } = payment
    const together = this.blocks.get(blockHash) ?? [payment]
    const known = this.transfers.get(blockHash) ?? this.read(blockHash, together)
    this.transfers.set(blockHash, known)
    try {
      return await known
    } catch (error) {
      // One of them may be the reason, as where it names a contract that has logged more than a response may have.
      if (together.length === 1) throw error
      return this.read(blockHash, [payment])
    }
  }

  /** Nothing from a node that doesn't know the block. */
  private async read(blockHash: Hex, payments: readonly Sought[]): Promise<TransferLog[]> {
    const tokens = [...new Set(payments.map(({ token }) => token))]
    const deposits = [...new Set(payments.map(({ deposit }) => deposit))]
    try {
      return await transfersInBlock(this.client, tokens, deposits, blockHash)
    } catch (error) {
      if (isUnknownBlock(error)) return []
      throw error
    }
  }

  /** Nodes show blocks that were displaced by their hashes, too. */
  private isCanonical(hash: Hex, number: bigint): Promise<boolean> {
    const known = this.canonical.get(hash) ?? isCanonical(this.client, number, hash)
    this.canonical.set(hash, known)
    return known
  }

  private receiptOf(txHash: Hex): Promise<MinedReceipt | null> {
    const known =
      this.receipts.get(txHash) ??
      receiptsOf(this.client, [txHash]).then(([receipt]) => receipt ?? null)
    this.receipts.set(txHash, known)
    return known
  }
}
