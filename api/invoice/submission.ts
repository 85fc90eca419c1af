import type { ChainClient } from '../../chain/rpc/client.ts'
import { type Arrivals, readArrivals } from '../../chain/tokens/arrivals.ts'
import { type Growth, readGrowth } from '../../chain/tokens/growth.ts'
import type { TransferLog } from '../../chain/tokens/transfers.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { type Chain, neverWatched, tokensOf } from '../../core/chain/registry.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { submitTransfers } from '../../store/invoice/submissions.ts'
import { guardDatabase, withNode } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'
import { derived } from './derived.ts'

/** What a transaction brought, with what only the balance of the address shows. */
export type Submitted = Arrivals & Pick<Growth, 'unread'>

/**
 * Looks a transaction up and records every transfer to the invoice's address that the ledger lacks, and by how much
 * the address's balances grew in its block besides. Throws `service_unavailable` when no node of the chain answers.
 */
export async function submitTransaction(
  deps: ApiDependencies,
  { rpc, chain }: Pick<ChainClient, 'rpc' | 'chain'>,
  invoice: Pick<Invoice, 'id' | 'merchantId' | 'depositAddress'>,
  txHash: Hex,
): Promise<Submitted> {
  const { config } = deps
  const { id: invoiceId, merchantId, depositAddress } = invoice
  const arrivals = await withNode(async (): Promise<Submitted> => {
    const shown = await readArrivals(rpc, txHash, depositAddress)
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
  const recordable = supported(arrivals, chain)
  if (arrivals.type === 'mined' && recordable.length > 0) {
    const transfers = recordable.map(({ from: sender, ...transfer }) => ({
      ...transfer,
      networkId: chain.networkId,
      sender,
      blockTime: arrivals.blockTime,
    }))
    await guardDatabase(deps, (database) =>
      submitTransfers({ database, config }, { merchantId, invoiceId }, transfers),
    )
    await derived(deps, { id: invoiceId, chains: [chain.networkId] })
  }
  return arrivals
}

/** Anybody can deploy a contract that logs transfers; only listed tokens count as money. */
function supported(arrivals: Arrivals, chain: Chain): readonly TransferLog[] {
  if (arrivals.type !== 'mined') return []
  const known = new Set(tokensOf(chain).map(({ address }) => address))
  return arrivals.transfers.filter(({ token }) => known.has(token))
}
