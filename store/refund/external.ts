import { type Refusal, refuse } from '../../core/base/errors.ts'
import { asRefundId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import type { Config } from '../../core/config/processes.ts'
import {
  type ChainTransfer,
  checkRefundable,
  type ExternalRefund,
  notShown,
} from '../../core/invoice/externalRefund.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import type { Database } from '../database/database.ts'
import { lockOwnInvoice, type OwnInvoice } from '../invoice/locking.ts'
import { insertExternalRefundEvent } from './events.ts'

/** Recording refunds that merchants report; a worker verifies them. */

/** A transfer that a node has shown, and where. */
export interface ShownTransfer extends ChainTransfer {
  readonly networkId: string
  readonly txHash: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
}

export type ExternalResult =
  | {
      readonly ok: true
      readonly invoice: Invoice
      readonly refund: ExternalRefund
      readonly isNew: boolean
    }
  | Refusal

/**
 * Records a transfer as a refund of the invoice, with its event, in one transaction. A transfer counts
 * once: for the same invoice the answer is the refund that it is, for another one it is refused.
 */
export async function recordExternalRefund(
  database: Database,
  { registry }: Pick<Config, 'registry'>,
  of: OwnInvoice,
  shown: ShownTransfer,
  token: TokenOnChain,
): Promise<ExternalResult> {
  return database.begin(async (sql): Promise<ExternalResult> => {
    const locked = await lockOwnInvoice(sql, of)
    if (locked === null) return refuse('invoice_not_found')
    const { invoice } = locked
    // Concurrent records of this transfer wait here.
    await sql`
      select pg_advisory_xact_lock(hashtextextended(${`${shown.networkId} ${shown.txHash}`}, 0))`
    const [known] = await sql<ExternalRefund[]>`
      select * from external_refund
      where network_id = ${shown.networkId} and tx_hash = ${shown.txHash}
        and token = ${shown.token} and sender = ${shown.from} and recipient = ${shown.to}
        and amount = ${shown.amount} and alike_place = ${shown.place} and status <> 'failed'`
    if (known?.invoiceId === of.invoiceId) return { ok: true, invoice, refund: known, isNew: false }
    if (known) {
      const message = 'is recorded as a refund of another invoice'
      return refuse('transfer_already_recorded', [{ path: 'txHash', message }])
    }
    const checked = checkRefundable(locked, shown, token)
    if (!checked.ok) return checked
    const [allowed] = await sql<{ isAllowed: boolean }[]>`
      select may_be_external_refund(${of.invoiceId}, ${shown.from}, ${shown.to}) as is_allowed`
    if (!allowed?.isAllowed) {
      return notShown('txHash', 'was sent by this service, which has it in its books')
    }
    const id = asRefundId(Bun.randomUUIDv7())
    await sql`
      select record_sent_refund(${id}, ${of.invoiceId}, ${shown.networkId}, ${shown.txHash},
        ${shown.place}, ${shown.token}, ${shown.from}, ${shown.to}, ${shown.amount.toString()},
        ${shown.blockNumber}, ${shown.blockHash})`
    const [refund] = await sql<ExternalRefund[]>`select * from external_refund where id = ${id}`
    if (!refund) throw new Error('the external refund was not stored')
    await insertExternalRefundEvent(sql, 'refund.created', invoice, refund, registry)
    return { ok: true, invoice, refund, isNew: true }
  })
}
