import type { ChainClient } from '../../chain/client.ts'
import { type Arrivals, readArrivals } from '../../chain/token/arrivals.ts'
import type { TransferLog } from '../../chain/token/transfers.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { submitTransfers } from '../../store/invoice/payment/submissions.ts'
import { guardDatabase, withNode } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'
import { derived } from './derived.ts'

/**
 * Looks a transaction up and records every transfer to the invoice's address that the ledger lacks.
 * Throws `service_unavailable` when no node of the chain answers.
 */
export async function submitTransaction(
  deps: ApiDependencies,
  { rpc, chain }: Pick<ChainClient, 'rpc' | 'chain'>,
  invoice: Pick<Invoice, 'id' | 'merchantId' | 'depositAddress'>,
  txHash: Hex,
): Promise<Arrivals> {
  const { config } = deps
  const { id: invoiceId, merchantId, depositAddress } = invoice
  const arrivals = await withNode(() => readArrivals(rpc, txHash, depositAddress))
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
