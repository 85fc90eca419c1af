import { channelEvents } from '../../chain/channels/events.ts'
import { receiptsOf } from '../../chain/transactions/receipts.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { type ChannelPayout, channelPayoutsAfter } from '../../store/books/x402Reconciliation.ts'
import type { ForwarderComparison } from './forwarderAccounts.ts'
import { pagesOf } from './pages.ts'
import { amountText } from './words.ts'

/** Channel payouts compared per step, each by its receipt. */
const PAGE = 50

/**
 * Compares every payment paid out by channels with the event of their contract, directly after the
 * token's transfer, at the position recorded in the ledger. Returns the number of payments.
 */
export async function compareChannelPayouts(comparison: ForwarderComparison): Promise<number> {
  const { database, client, block, tokens } = comparison
  const { networkId } = client.chain
  let count = 0
  for (const token of tokens) {
    const pages = pagesOf(
      ({ id }: ChannelPayout) => id,
      (after) => channelPayoutsAfter(database, networkId, token.address, block, after, PAGE),
    )
    for await (const page of pages) {
      count += page.length
      await comparePage(comparison, token, page)
    }
  }
  return count
}

async function comparePage(
  { client, differ, block }: ForwarderComparison,
  token: TokenOnChain,
  page: readonly ChannelPayout[],
): Promise<void> {
  const hashes = [...new Set(page.flatMap(({ txHash }): Hex[] => (txHash ? [txHash] : [])))]
  const receipts = await receiptsOf(client.rpc, hashes)
  for (const { id, payTo, amount, txHash, logIndex, blockHash } of page) {
    const receipt = receipts.find(({ hash }) => hash === txHash)
    const paid = channelEvents(receipt?.logs ?? []).find(
      (event) => event.name === 'Settled' && event.logIndex - 1 === logIndex,
    )
    const isRight =
      receipt?.blockHash === blockHash &&
      paid?.name === 'Settled' &&
      paid.receiver === payTo &&
      paid.token === token.address &&
      paid.amount === amount
    if (isRight) continue
    const message = `payment ${id} of ${amountText(amount, token)} is settled in the ledger, but up to block ${block} no channels have paid it out in ${txHash}`
    const subject = {
      paymentId: id,
      address: payTo,
      token: token.address,
      txHash: txHash ?? undefined,
      ledger: amount,
      chain: paid?.name === 'Settled' ? paid.amount : 0n,
    }
    differ('payment_without_transfer', subject, message)
  }
}
