import type { InvoiceId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import type { PaymentChange } from '../../core/invoice/events.ts'
import {
  classifyPayment,
  type Invoice,
  isByBalance,
  type Payment,
  type PaymentKind,
} from '../../core/invoice/state.ts'
import { hasTransfer } from '../chain/transfers.ts'
import type { Database, Transaction } from '../database/database.ts'
import { type Advancing, advanceLocked } from './advance.ts'
import { lockInvoiceRows } from './locking.ts'

/**
 * Payments: what was seen on-chain, and what became of it. Callers hold the invoices' locks, but for `recordTransfers`,
 * which takes them.
 */

export interface ObservedTransfer {
  readonly networkId: string
  readonly txHash: Hex
  readonly logIndex: number
  readonly token: Address
  readonly sender: Address
  readonly amount: BaseUnits
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly blockTime: Date
}

/** A transfer to the deposit of an invoice. */
export interface InvoiceTransfer extends ObservedTransfer {
  readonly invoiceId: InvoiceId
}

/** What has happened to a payment of an invoice. */
export interface InvoiceChange extends PaymentChange {
  readonly invoiceId: InvoiceId
}

/**
 * Records a transfer as pending, or notes that it is now in another block. Seeing the same log of the
 * same block again changes nothing. A transaction that moved to another block takes its payments
 * along: each row of this invoice follows one log of the same token, sender and amount. Returns what
 * changed, in order: a payment that comes back in another block was taken away first.
 */
export async function recordTransfer(
  sql: Transaction,
  transfer: InvoiceTransfer,
  kind: PaymentKind,
): Promise<PaymentChange[]> {
  const { invoiceId } = transfer
  if (isByBalance(transfer) && (await isRecorded(sql, transfer))) return []
  const [known] = await sql<Payment[]>`
    select * from payment
    where network_id = ${transfer.networkId} and tx_hash = ${transfer.txHash}
      and invoice_id = ${invoiceId} and token = ${transfer.token}
      and sender = ${transfer.sender} and amount = ${transfer.amount.toString()}
      and (block_hash <> ${transfer.blockHash} or log_index = ${transfer.logIndex})
    order by block_hash = ${transfer.blockHash} desc, log_index = ${transfer.logIndex} desc,
      status <> 'reverted' desc, detected_order
    limit 1 for update`
  if (!known) {
    await insertPayment(sql, transfer, kind)
    return [pendingOf(kind)]
  }
  if (known.status !== 'reverted' && known.blockHash === transfer.blockHash) return []
  await sql`
    update payment set
      status = 'pending', confirmed_at = null,
      -- A payment that the merchant has accepted stays accepted in any block.
      kind = case when accepted_at is null then ${kind} else 'counted' end, log_index = ${transfer.logIndex},
      block_number = ${transfer.blockNumber}, block_hash = ${transfer.blockHash},
      block_time = ${transfer.blockTime}
    where id = ${known.id}`
  const payment = { kind: known.acceptedAt === null ? kind : known.kind }
  if (known.status === 'pending') return []
  const returned: PaymentChange = { payment, from: 'reverted', to: 'pending' }
  if (known.status === 'reverted') return [returned]
  return [{ payment, from: 'confirmed', to: 'reverted' }, returned]
}

function pendingOf(kind: PaymentKind): PaymentChange {
  return { payment: { kind }, from: null, to: 'pending' }
}

/** A balance grows once in a block, whichever of its transactions was named. */
async function isRecorded(
  sql: Transaction,
  { invoiceId, networkId, logIndex, blockHash }: InvoiceTransfer,
): Promise<boolean> {
  const rows = await sql`
    select from payment
    where invoice_id = ${invoiceId} and network_id = ${networkId} and log_index = ${logIndex}
      and block_hash = ${blockHash} and status <> 'reverted'`
  return rows.length > 0
}

/**
 * Reverts other rows of transactions that are now in another block: a transaction is in one block only, so rows
 * of its former one would count the same money twice.
 */
export async function revertFormerBlocks(
  sql: Transaction,
  transfers: readonly InvoiceTransfer[],
  now: Date,
): Promise<InvoiceChange[]> {
  if (transfers.length === 0) return []
  const rows = await sql<Payment[]>`
    with given as materialized (${placesOf(sql, transfers)})
    select * from payment p
    where p.status <> 'reverted'
      and (p.invoice_id, p.network_id, p.tx_hash) in (select invoice_id, network_id, tx_hash from given)
      and exists (select from given where given.invoice_id = p.invoice_id
        and given.network_id = p.network_id and given.tx_hash = p.tx_hash
        and given.block_hash <> p.block_hash)
    order by p.detected_order for update`
  return setReverted(sql, rows, now)
}

/** Where transfers are, in their order. */
function placesOf(sql: Transaction, transfers: readonly InvoiceTransfer[]) {
  return sql`
    select * from unnest(${transfers.map((one) => one.invoiceId)}::uuid[],
      ${transfers.map((one) => one.networkId)}::text[], ${transfers.map((one) => one.txHash)}::text[],
      ${transfers.map((one) => String(one.blockNumber))}::bigint[], ${transfers.map((one) => one.blockHash)}::text[])
      with ordinality as g (invoice_id, network_id, tx_hash, number, block_hash, place)`
}

/** A transfer with what it is to its invoice. */
interface Classified extends InvoiceTransfer {
  readonly kind: PaymentKind
}

/**
 * Inserts, all at once, those transfers whose transactions nothing is known of, and that are in one block here.
 * Returns them; all others are recorded one by one.
 */
async function insertNew(
  sql: Transaction,
  transfers: readonly Classified[],
): Promise<ReadonlySet<Classified>> {
  const nameOf = ({ invoiceId, networkId, txHash }: Classified) =>
    `${invoiceId} ${networkId} ${txHash}`
  const byTransaction = Map.groupBy(transfers, nameOf)
  const alone = transfers.filter((one) => {
    const together = byTransaction.get(nameOf(one)) ?? []
    const isOnce = together.filter(({ logIndex }) => logIndex === one.logIndex).length === 1
    return isOnce && !isByBalance(one) && together.every((t) => t.blockHash === one.blockHash)
  })
  if (alone.length === 0) return new Set()
  const given = alone.map((one) => ({ ...one, id: Bun.randomUUIDv7() }))
  const texts = given.map(({ amount, blockNumber, ...one }) => {
    return { ...one, amount: `${amount}`, blockNumber: `${blockNumber}` }
  })
  const rows = await sql<{ id: string }[]>`
    insert into payment
      (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind, status,
       block_number, block_hash, block_time)
    select g.id, g."invoiceId", g."networkId", g."txHash", g."logIndex", g.token, g.sender, g.amount, g.kind,
      'pending', g."blockNumber", g."blockHash", g."blockTime"
    from json_to_recordset(${JSON.stringify(texts)}::text::json) as g (
      id uuid, "invoiceId" uuid, "networkId" text, "txHash" text, "logIndex" integer, token text, sender text, amount numeric,
      kind text, "blockNumber" bigint, "blockHash" text, "blockTime" timestamptz)
    where not exists (
      select from payment p
      where p.network_id = g."networkId" and p.tx_hash = g."txHash" and p.invoice_id = g."invoiceId")
    -- As they were found: their order decides which of them bears the fee first.
    order by g.id
    returning id`
  const ids = new Set(rows.map(({ id }) => id))
  return new Set(alone.filter((_, i) => ids.has(given[i]?.id ?? '')))
}

/**
 * Those of the transfers at whose heights the chain has another block by now, and in whose own the indexer, which may be
 * ahead of it, has nothing: the process that read them stood still since, and another may have confirmed them elsewhere.
 */
async function outdated(
  sql: Transaction,
  transfers: readonly Classified[],
): Promise<ReadonlySet<Classified>> {
  if (transfers.length === 0) return new Set()
  const rows = await sql<{ place: bigint; chainId: number; isIndexed: boolean }[]>`
    select g.place, s.chain_id::integer as chain_id, to_regclass('indexed.transfer') is not null as is_indexed
    from (${placesOf(sql, transfers)}) g
    join chain_block b using (network_id, number) join chain_state s using (network_id)
    where b.hash <> g.block_hash`
  const found = new Set<Classified>()
  for (const { place, chainId, isIndexed } of rows) {
    const transfer = transfers[Number(place) - 1]
    if (transfer === undefined) continue
    if (!isIndexed || !(await hasTransfer(sql, { ...transfer, chainId }))) found.add(transfer)
  }
  return found
}

async function insertPayment(
  sql: Transaction,
  transfer: InvoiceTransfer,
  kind: PaymentKind,
): Promise<void> {
  await sql`
    insert into payment
      (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind, status,
       block_number, block_hash, block_time)
    values (${Bun.randomUUIDv7()}, ${transfer.invoiceId}, ${transfer.networkId}, ${transfer.txHash},
      ${transfer.logIndex}, ${transfer.token}, ${transfer.sender}, ${transfer.amount.toString()},
      ${kind}, 'pending', ${transfer.blockNumber}, ${transfer.blockHash}, ${transfer.blockTime})`
}

/** Confirms those of the payments that are still pending in these very blocks. Returns what changed. */
export async function setConfirmed(
  sql: Transaction,
  payments: readonly Payment[],
  now: Date,
): Promise<InvoiceChange[]> {
  const rows = await sql<{ id: string }[]>`
    update payment p set status = 'confirmed', confirmed_at = ${now}
    from ${asTheyWere(sql, payments)}
    where p.id = g.id and p.status = 'pending' and p.block_hash = g.block_hash
    returning p.id`
  return changesOf(payments, rows, (payment) => ({ payment, from: 'pending', to: 'confirmed' }))
}

/** Reverts payments whose transactions left the chain, as they are. Returns what changed. */
export async function setReverted(
  sql: Transaction,
  payments: readonly Payment[],
  now: Date,
): Promise<InvoiceChange[]> {
  if (payments.length === 0) return []
  const rows = await sql<{ id: string }[]>`
    update payment p set status = 'reverted', confirmed_at = null, reverted_at = ${now}
    from ${asTheyWere(sql, payments)}
    where p.id = g.id and p.status = g.status and p.block_hash = g.block_hash
    returning p.id`
  return changesOf(payments, rows, (payment) => {
    return { payment, from: payment.status, to: 'reverted' }
  })
}

function asTheyWere(sql: Transaction, payments: readonly Payment[]) {
  return sql`unnest(${payments.map(({ id }) => id)}::uuid[], ${payments.map(({ status }) => status)}::text[],
    ${payments.map(({ blockHash }) => blockHash)}::text[]) as g (id, status, block_hash)`
}

function changesOf(
  payments: readonly Payment[],
  changed: readonly { readonly id: string }[],
  changeOf: (payment: Payment) => PaymentChange,
): InvoiceChange[] {
  const ids = new Set(changed.map(({ id }) => id))
  return payments
    .filter(({ id }) => ids.has(id))
    .map((payment) => ({ ...changeOf(payment), invoiceId: payment.invoiceId }))
}

/** Records transfers to deposits and advances their invoices, in one transaction. */
export async function recordTransfers(
  { database, config }: { readonly database: Database; readonly config: Config },
  transfers: readonly InvoiceTransfer[],
  now: Date,
): Promise<void> {
  await database.begin(async (sql) => {
    const ids = [...new Set(transfers.map(({ invoiceId }) => invoiceId))]
    const invoices = await lockInvoiceRows(sql, ids)
    const kindOf = kindsBy(config, invoices)
    const classified = transfers.map((one): Classified => ({ ...one, kind: kindOf(one) }))
    const inserted = await insertNew(sql, classified)
    const others = classified.filter((one) => !inserted.has(one))
    const gone = await outdated(sql, others)
    const changes: InvoiceChange[] = []
    const note = ({ invoiceId }: Classified, some: readonly PaymentChange[]) => {
      changes.push(...some.map((change) => ({ ...change, invoiceId })))
    }
    for (const one of classified) {
      if (inserted.has(one)) note(one, [pendingOf(one.kind)])
      else if (!gone.has(one)) note(one, await recordTransfer(sql, one, one.kind))
    }
    const known = others.filter((one) => !gone.has(one))
    changes.push(...(await revertFormerBlocks(sql, known, now)))
    await advanceLocked(sql, config, withChanges(invoices, changes), now)
  })
}

/** What a transfer is to its invoice. */
function kindsBy(config: Config, invoices: readonly Invoice[]) {
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  return (transfer: InvoiceTransfer): PaymentKind => {
    const invoice = byId.get(transfer.invoiceId)
    if (!invoice) throw new Error(`there is no invoice ${transfer.invoiceId}`)
    const chain = config.chains.find(({ networkId }) => networkId === transfer.networkId)
    const token = chain && tokenOn(chain, invoice.tokenSymbol)?.address
    return classifyPayment(invoice, token, transfer)
  }
}

/** Invoices with what has happened to the payments of each. */
export function withChanges(
  invoices: readonly Invoice[],
  changes: readonly InvoiceChange[],
): Advancing[] {
  const changesOf = Map.groupBy(changes, ({ invoiceId }) => invoiceId)
  return invoices.map((invoice) => ({ invoice, changes: changesOf.get(invoice.id) ?? [] }))
}
