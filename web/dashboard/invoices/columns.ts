import type { DashboardMessages } from '../../messages/dashboard/en.ts'
import type { DashboardWords } from '../parts/page.ts'
import type { Row } from './rows.ts'
import { statusOf } from './status.ts'

/** The columns of the list of invoices: which there are, and what each says of an invoice. */

export const COLUMNS = [
  'order',
  'status',
  'amount',
  'received',
  'remitted',
  'fee',
  'refunded',
  'network',
  'created',
  'paid',
  'completed',
  'expires',
] as const
export type Column = (typeof COLUMNS)[number]

export const USUAL_COLUMNS: readonly Column[] = ['order', 'status', 'amount', 'created']

interface ColumnDefinition {
  readonly word: keyof DashboardMessages
  readonly kind: 'text' | 'status' | 'money' | 'moment' | 'network'
  /** As the API has it: an amount in full, a time in ISO 8601; null for what there is none of. */
  read(row: Row): string | null
}

export const COLUMN_DEFINITIONS: Readonly<Record<Column, ColumnDefinition>> = {
  order: { word: 'order', kind: 'text', read: (row) => row.externalRef },
  status: { word: 'status', kind: 'status', read: (row) => row.status },
  amount: { word: 'amount', kind: 'money', read: (row) => row.amountExpected },
  received: { word: 'received', kind: 'money', read: (row) => row.receivedAmount },
  remitted: { word: 'paidOut', kind: 'money', read: (row) => row.amountRemitted },
  fee: { word: 'fee', kind: 'money', read: (row) => row.platformFee },
  refunded: { word: 'refunded', kind: 'money', read: (row) => row.refundedAmount },
  network: { word: 'network', kind: 'network', read: (row) => row.targetNetwork },
  created: { word: 'created', kind: 'moment', read: (row) => row.createdAt },
  paid: { word: 'columnPaid', kind: 'moment', read: (row) => row.paidAt },
  completed: { word: 'columnCompleted', kind: 'moment', read: (row) => row.completedAt },
  expires: { word: 'expires', kind: 'moment', read: (row) => row.expiresAt },
}

/** The columns that an address names, in the order of the table; the usual ones without any. */
export function readColumns(text: string): readonly Column[] {
  const named = text.split(',')
  const found = COLUMNS.filter((column) => named.includes(column))
  return found.length === 0 ? USUAL_COLUMNS : found
}

/** As an address names them; empty for the usual ones. */
export function writeColumns(columns: readonly Column[]): string {
  const text = COLUMNS.filter((column) => columns.includes(column)).join(',')
  return text === USUAL_COLUMNS.join(',') ? '' : text
}

/** A table as lines of text: what is shown, with the token beside the amounts. */
export function linesOf(
  words: DashboardWords,
  columns: readonly Column[],
  rows: readonly Row[],
): (string | null)[][] {
  const lastMoney = columns.findLastIndex((column) => COLUMN_DEFINITIONS[column].kind === 'money')
  const withToken = <T>(cells: readonly T[], token: T) =>
    lastMoney < 0 ? [...cells] : cells.toSpliced(lastMoney + 1, 0, token)
  const heads = withToken(
    columns.map((column) => words.say(COLUMN_DEFINITIONS[column].word)),
    words.say('token'),
  )
  const lines = rows.map((row) => [
    row.reference,
    ...withToken(
      columns.map((column) => cellOf(words, column, row)),
      row.tokenSymbol,
    ),
  ])
  return [[words.say('columnReference'), ...heads], ...lines]
}

function cellOf(words: DashboardWords, column: Column, row: Row): string | null {
  return column === 'status' ? words.say(statusOf(row).word) : COLUMN_DEFINITIONS[column].read(row)
}
