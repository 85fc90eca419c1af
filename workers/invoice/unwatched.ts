import { readGrowth } from '../../chain/tokens/growth.ts'
import { readReceived } from '../../chain/tokens/received.ts'
import { neverWatched, unwatchedTokens } from '../../core/chain/registry.ts'
import { recordTransfers } from '../../store/invoice/payments.ts'
import { lostTransactions } from '../../store/invoice/undecided.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'

/** How long a transaction that left the chain is searched for, in ms; then it must be submitted again. */
const FOLLOWED_MS = 3_600_000
const TRANSACTIONS_PER_TURN = 50

/**
 * Finds again what a reorganisation displaced of native coin and of tokens that the operator lists: the
 * indexer, which sees everything else come back in another block, doesn't watch them.
 */
export async function followUnwatched(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const tokens = unwatchedTokens(client.chain).map(({ address }) => address)
  const uneventful = neverWatched(client.chain).map(({ address }) => address)
  const since = new Date(now.getTime() - FOLLOWED_MS)
  const without = work.quarantined(now)
  const limit = TRANSACTIONS_PER_TURN
  const lost = await lostTransactions(database, networkId, tokens, since, without, limit)
  let changed = 0
  await work.eachOf(lost, async (invoiceId, transactions) => {
    const at = { networkId, invoiceId }
    for (const { deposit, txHash } of transactions) {
      const received = await readReceived(client.rpc, txHash, deposit, tokens)
      if (received.type !== 'mined') continue
      const { blockTime } = received
      const grown = await readGrowth(client.rpc, { txHash, ...received }, deposit, uneventful)
      const transfers = [...received.transfers, ...grown.transfers]
        .filter(({ token }) => tokens.includes(token))
        .map(({ from: sender, ...transfer }) => ({ ...transfer, ...at, sender, blockTime }))
      await recordTransfers(context, transfers, now)
      changed += transfers.length
    }
  })
  return { changed, isFull: false }
}
