import type { ChainClient } from '../../chain/rpc/client.ts'
import { type Growth, readGrowth } from '../../chain/tokens/growth.ts'
import { type ReceivedTransfers, readReceived } from '../../chain/tokens/received.ts'
import type { TransferLog } from '../../chain/tokens/transfers.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { type Chain, neverWatched, tokensOf } from '../../core/chain/registry.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { submitTransfers } from '../../store/invoice/submissions.ts'
import { guardDatabase, withNode } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'
import { derived } from './derived.ts'

/** The transfers of a transaction, and those visible only as balance changes. */
export type Submitted = ReceivedTransfers & Pick<Growth, 'unread'>

/**
 * Reads a transaction and records every transfer to the invoice's address that the ledger lacks, and the
 * further growth of its balances in that block. Throws `service_unavailable` if no node of the chain responds.
 */
export async function submitTransaction(
  deps: ApiDependencies,
  { rpc, chain }: Pick<ChainClient, 'rpc' | 'chain'>,
  invoice: Pick<Invoice, 'id' | 'merchantId' | 'depositAddress'>,
  txHash: Hex,
): Promise<Submitted> {
  const { config } = deps
  const { id: invoiceId, merchantId, depositAddress } = invoice
  const found = await withNode(async (): Promise<Submitted> => {
    const shown = await readReceived(rpc, txHash, depositAddress)
    if (shown.type !== 'mined') return { ...shown, unread: [] }
    // Supported tokens emit events: their transfers are never derived from balances.
    const tokens = neverWatched(chain).map(({ address }) => address)
    const grown = await readGrowth(rpc, { txHash, ...shown }, depositAddress, tokens)
    return {
      ...shown,
      transfers: [...shown.transfers, ...grown.transfers],
      unread: grown.unread,
    }
  })
  const recordable = supported(found, chain)
  if (found.type === 'mined' && recordable.length > 0) {
    const transfers = recordable.map(({ from: sender, ...transfer }) => ({
      ...transfer,
      networkId: chain.networkId,
      sender,
      blockTime: found.blockTime,
    }))
    await guardDatabase(deps, (database) =>
      submitTransfers({ database, config }, { merchantId, invoiceId }, transfers),
    )
    await derived(deps, { id: invoiceId, chains: [chain.networkId] })
  }
  return found
}

/** Any contract can log transfers; only listed tokens count as money. */
function supported(found: ReceivedTransfers, chain: Chain): readonly TransferLog[] {
  if (found.type !== 'mined') return []
  const known = new Set(tokensOf(chain).map(({ address }) => address))
  return found.transfers.filter(({ token }) => known.has(token))
}
