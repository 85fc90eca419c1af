import { csvLine } from '../../../core/csv.ts'
import type { DashboardWords } from '../parts/page.ts'
import type { Row } from './rows.ts'
import { statusOf } from './status.ts'

/** The rows that are shown as CSV: the same columns in the same order, amounts and times in full. */
export function csvOf(words: DashboardWords, rows: readonly Row[]): string {
  const head = [
    words.say('columnReference'),
    words.say('columnOrder'),
    words.say('columnStatus'),
    words.say('columnAmount'),
    words.say('columnReceived'),
    words.say('token'),
    words.say('columnCreated'),
  ]
  const lines = rows.map((row) => [
    row.reference,
    row.externalRef,
    words.say(statusOf(row).word),
    row.amountExpected,
    row.receivedAmount,
    row.tokenSymbol,
    row.createdAt,
  ])
  return [head, ...lines].map(csvLine).join('')
}

/** Has the browser keep a text as a file. */
export function keepFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
