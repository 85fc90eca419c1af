import type { ChainClient } from '../../chain/client.ts'
import { findRefunded, isRefundSpent } from '../../chain/hub/refunds.ts'
import { refundKey } from '../../core/invoice/refund.ts'
import type { Database } from '../../store/database.ts'
import { firstPaymentBlock } from '../../store/invoice/sweeps.ts'
import type { RefundOrderRow } from '../../store/refund/work.ts'
import type { MinedIn } from '../../store/relayer/transactions.ts'

/**
 * Where a refund was carried out up to a block, by whomever: the signature is public once it was sent.
 * Null when it was not. Throws when the hub has spent it and the node can't show where.
 */
export async function carriedOut(
  database: Database,
  client: ChainClient,
  row: RefundOrderRow,
  block: bigint,
): Promise<MinedIn | null> {
  const key = refundKey(row.refundId)
  if (!(await isRefundSpent(client.rpc, row.hub, key, block))) return null
  const first = await firstPaymentBlock(database, row.invoiceId, client.chain.networkId)
  const at = await findRefunded(client.rpc, row.hub, key, first ?? 0n, block)
  if (at === null) throw new Error(`refund ${row.refundId} is spent, and no block shows it`)
  return at
}
