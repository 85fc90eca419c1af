import { asInvoiceId } from '../../core/base/ids.ts'
import { INSTANT_FORM, parseInstant } from '../../core/base/instant.ts'
import { type InvoiceJson, presentInvoice } from '../../core/invoice/present.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import { merchantOfInvoice } from '../../store/books/operators.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import { listInvoices } from '../../store/invoice/list/read.ts'
import type { InvoiceFilter } from '../../store/invoice/list/selection.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { requireRegistry } from '../terminal/environment.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { choice, idArgument, merchantOption } from '../terminal/options.ts'
import { columns, orDash, table } from '../terminal/output.ts'
import { PAGE_OPTIONS, pageText, pagination, readPage } from '../terminal/pages.ts'

/** Invoices, as returned by the API. */

const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']

const invoicesList: CommandSpec = {
  words: ['invoices', 'list'],
  about: "List a merchant's invoices, the newest first.",
  options: {
    merchant: { value: 'ID', about: 'The merchant', required: true },
    status: { value: 'STATUS', about: `Only invoices with this status: ${STATUSES.join(', ')}` },
    'external-ref': {
      value: 'TEXT',
      about: 'Only the invoice with this reference of the merchant',
    },
    reference: { value: 'TEXT', about: 'Only the invoice with this 10-character reference' },
    'created-from': {
      value: 'TIME',
      about: 'Created at this time or later, e.g. 2026-01-31T12:00:00Z',
    },
    'created-to': { value: 'TIME', about: 'Created at this time or earlier' },
    expired: { value: 'true|false', about: 'Only expired or only other invoices' },
    ...PAGE_OPTIONS,
  },
  examples: [
    'invoices list --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11',
    'invoices list --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --status paid --limit 100 --json',
  ],
  async run(input) {
    const merchantId = merchantOption(input)
    const filter = filterOf(input)
    const page = readPage(input)
    const registry = requireRegistry(input)
    const now = new Date()
    return await withLedger(input, async (database) => {
      await requireMerchant(database, merchantId)
      const found = await listInvoices(database, merchantId, filter, page, now)
      const invoices = found.elements.map((rows) => presentInvoice(rows, registry, now))
      const shown = pagination(page, found.total ?? 0)
      return {
        json: { invoices, pagination: shown },
        text: [invoiceTable(invoices), ...pageText(shown, 'invoices')].join('\n'),
      }
    })
  },
}

const invoicesShow: CommandSpec = {
  words: ['invoices', 'show'],
  about: 'Show one invoice with its payments and settlements.',
  argument: { name: 'ID', about: "The invoice's id" },
  options: {},
  examples: ['invoices show 0198c5b6-2c52-7000-8000-2f0f8be3a4d2 --json'],
  async run(input) {
    const invoiceId = idArgument(input, asInvoiceId)
    const registry = requireRegistry(input)
    return await withLedger(input, async (database) => {
      const merchantId = await merchantOfInvoice(database, invoiceId)
      const rows = merchantId && (await findInvoice(database, merchantId, invoiceId))
      if (!rows) throw new CommandError([`there is no invoice ${invoiceId}`])
      const invoice = presentInvoice(rows, registry, new Date())
      return { json: invoice, text: invoiceText(invoice) }
    })
  },
}

export const INVOICE_COMMANDS: readonly CommandSpec[] = [invoicesList, invoicesShow]

function filterOf(input: CommandInput): InvoiceFilter {
  return {
    status: choice(input, 'status', STATUSES),
    externalRef: input.values.get('external-ref'),
    reference: input.values.get('reference'),
    createdFrom: instant(input, 'created-from'),
    createdTo: instant(input, 'created-to'),
    expired: flag(input, 'expired'),
  }
}

function flag(input: CommandInput, name: string): boolean | undefined {
  const word = choice(input, name, ['true', 'false'])
  return word && word === 'true'
}

function instant(input: CommandInput, name: string): Date | undefined {
  const text = input.values.get(name)
  if (text === undefined) return undefined
  const moment = parseInstant(text)
  if (!moment) throw misused(input, `--${name} ${INSTANT_FORM}`)
  return moment
}

function invoiceTable(invoices: readonly InvoiceJson[]): string {
  return table(
    invoices,
    [
      { title: 'ID', cell: (invoice) => invoice.id },
      { title: 'REFERENCE', cell: (invoice) => invoice.reference },
      { title: 'STATUS', cell: statusText },
      { title: 'EXPECTED', cell: (invoice) => invoice.amountExpected, isFigure: true },
      { title: 'RECEIVED', cell: (invoice) => invoice.receivedAmount, isFigure: true },
      { title: 'REMITTED', cell: (invoice) => invoice.amountRemitted, isFigure: true },
      { title: 'TOKEN', cell: (invoice) => invoice.tokenSymbol },
      { title: 'CREATED', cell: (invoice) => invoice.createdAt },
    ],
    'No invoice matches.',
  )
}

function statusText(invoice: InvoiceJson): string {
  return invoice.expired ? `${invoice.status} (expired)` : invoice.status
}

function invoiceText(invoice: InvoiceJson): string {
  const parts = [
    columns([
      ['id', invoice.id],
      ['merchant', invoice.merchantId],
      ['reference', invoice.reference],
      ['externalRef', orDash(invoice.externalRef)],
      ['status', statusText(invoice)],
      ['settlement', orDash(settlementText(invoice))],
      ['expected', `${invoice.amountExpected} ${invoice.tokenSymbol}`],
      ['pending', orDash(invoice.pendingAmount)],
      ['received', invoice.receivedAmount],
      ['late', invoice.lateAmount],
      ['overpaid', invoice.overpaidAmount],
      ['tolerated', invoice.toleratedAmount],
      ['fee', invoice.platformFee],
      ['remitted', invoice.amountRemitted],
      ['recipient', orDash(invoice.recipient?.address)],
      ['deposit', `${invoice.addresses[0]?.address} on ${networks(invoice)}`],
      ['created', invoice.createdAt],
      ['expires', orDash(invoice.expiresAt)],
      ['paid', orDash(invoice.paidAt)],
      ['completed', orDash(invoice.completedAt)],
    ]),
    transactionTable(invoice.transactions, 'No payment yet.'),
    transactionTable(invoice.settlements, 'No settlement yet.'),
    ...invoice.otherDeposits.map(
      (other) =>
        `Not counted: ${other.amount ?? other.baseUnits} ${other.asset ?? other.tokenAddress} on ${other.chain} in ${other.txHash}`,
    ),
  ]
  return parts.join('\n\n')
}

function settlementText(invoice: InvoiceJson): string | null {
  if (invoice.settlementState === 'none') return null
  return [invoice.settlementState, invoice.settlementError].filter((part) => part).join(': ')
}

function networks(invoice: InvoiceJson): string {
  return invoice.addresses.map((address) => address.networkId).join(', ')
}

function transactionTable(
  transactions: InvoiceJson['transactions'] | InvoiceJson['settlements'],
  empty: string,
): string {
  return table(
    [...transactions],
    [
      { title: 'TYPE', cell: (transaction) => transaction.type },
      { title: 'STATUS', cell: (transaction) => transaction.status },
      { title: 'CHAIN', cell: (transaction) => transaction.chain },
      { title: 'AMOUNT', cell: (transaction) => transaction.amount, isFigure: true },
      { title: 'FEE', cell: (transaction) => transaction.fee, isFigure: true },
      { title: 'BLOCK', cell: (t) => orDash(t.blockNumber?.toString()), isFigure: true },
      { title: 'TRANSACTION', cell: (transaction) => orDash(transaction.txHash) },
    ],
    empty,
  )
}
