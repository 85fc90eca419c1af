import { tokenOn } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import { classifyPayment } from '../../core/invoice/state.ts'
import type { Database } from '../database/database.ts'
import { lockOwnInvoice, type OwnInvoice } from './locking.ts'
import type { ObservedTransfer } from './payments.ts'

/**
 * Records transfers that a merchant has submitted and the API has seen on-chain. They are pending until a
 * worker has read them from the chain itself. Transfers that are known and not reverted are left as they are.
 */
export async function submitTransfers(
  { database, config }: { readonly database: Database; readonly config: Config },
  of: OwnInvoice,
  transfers: readonly ObservedTransfer[],
): Promise<void> {
  await database.begin(async (sql) => {
    const locked = await lockOwnInvoice(sql, of)
    if (locked === null) throw new Error(`invoice ${of.invoiceId} is gone`)
    const { invoice } = locked
    for (const transfer of transfers) {
      const chain = config.chains.find((c) => c.networkId === transfer.networkId)
      const token = chain && tokenOn(chain, invoice.tokenSymbol)?.address
      const kind = classifyPayment(invoice, token, transfer)
      await sql`
        select submit_transfer(${invoice.id}, ${Bun.randomUUIDv7()}, ${transfer.networkId},
          ${transfer.txHash}, ${transfer.logIndex}, ${transfer.token}, ${transfer.sender},
          ${transfer.amount.toString()}, ${kind}, ${transfer.blockNumber}, ${transfer.blockHash},
          ${transfer.blockTime})`
    }
  })
}
