import type { Logger } from 'pino'
import { BYTE_ORDER_MARK } from '../../core/base/csv.ts'
import { cleanText } from '../../core/base/text.ts'
import type { Chain } from '../../core/chain/registry.ts'
import { dayReport } from '../../core/dashboard/dayReport.ts'
import {
  type Period,
  periodBefore,
  periodEnd,
  type ScheduleLocale,
} from '../../core/dashboard/schedules.ts'
import { REPORT_HEADER, reportLine } from '../../core/invoice/report.ts'
import { type DueSchedule, withDueSchedule } from '../../store/dashboard/schedules.ts'
import type { Database } from '../../store/database/database.ts'
import { storeEmail } from '../../store/events/emails.ts'
import { reportDays } from '../../store/invoice/list/movements.ts'
import { type ReportPlace, reportTransactions } from '../../store/invoice/list/reports.ts'
import { payoutDays } from '../../store/x402/distributions.ts'
import { writeHeldEmail } from './heldEmails.ts'

/** Writes the emails of reports when their period is over; the mailer sends them. */

interface ReportEmailParts {
  readonly database: Database
  readonly registry: readonly Chain[]
  readonly origin: string
}

const INTERVAL_MS = 60_000
const ROWS_AT_ONCE = 500
/** Beyond this size, an email links to the report instead: many servers refuse larger emails. */
const LONGEST_FILE = 1_000_000
const DAY_MS = 86_400_000
const LONGEST_NAME = 60

/** Writes due reports every minute. Returns a function that stops it. */
export function openReportEmails(
  parts: ReportEmailParts & {
    readonly log: Logger
    readonly now: () => Date
    readonly onWritten: () => void
  },
): () => void {
  let isBusy = false
  async function run(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      const onFailed = (id: string, err: unknown) =>
        parts.log.warn({ err, scheduleId: id }, 'a report was not written; it will be retried')
      if ((await writeDueReports(parts, parts.now(), onFailed)) > 0) parts.onWritten()
    } catch (err) {
      parts.log.warn({ err }, 'due reports could not be read; retried with the next turn')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(run, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Writes all due reports, each in its own transaction. Returns the number that succeeded. */
export async function writeDueReports(
  parts: ReportEmailParts,
  now: Date,
  onFailed: (scheduleId: string, error: unknown) => void = () => {},
): Promise<number> {
  let count = 0
  for (;;) {
    const outcome = await withDueSchedule(parts.database, now, async (sql, { every, ...due }) => {
      if (every === 'event') return writeHeldEmail(sql, parts.origin, { ...due, every }, now)
      const report = { ...due, every }
      const file = await fileOf(parts, report, now)
      await storeEmail(sql, emailOf(parts, report, now, file))
      return { nextAt: periodEnd(every, now), isSent: true, readPosition: due.readPosition }
    })
    if (outcome === 'none') return count
    if (outcome === 'done') count += 1
    else onFailed(outcome.id, outcome.error)
  }
}

type DueReport = DueSchedule & { readonly every: Period }

/** The latest complete period; missed periods are skipped. */
function periodOf({ every }: DueReport, now: Date): { readonly from: Date; readonly to: Date } {
  return periodBefore(every, periodBefore(every, periodEnd(every, now)).from)
}

/** The report as CSV for spreadsheets; null if it is too long for an email. */
async function fileOf(
  { database, registry }: ReportEmailParts,
  due: DueReport,
  now: Date,
): Promise<string | null> {
  const range = periodOf(due, now)
  if (due.report === 'days') {
    const [days, payouts] = await Promise.all([
      reportDays(database, due.merchantId, range),
      payoutDays(database, due.merchantId, range),
    ])
    return BYTE_ORDER_MARK + dayReport(days, payouts, registry)
  }
  let text = BYTE_ORDER_MARK + REPORT_HEADER
  let after: ReportPlace | null = null
  do {
    const page = await reportTransactions(database, due.merchantId, range, after, ROWS_AT_ONCE)
    text += page.transactions.map((row) => reportLine(row, registry)).join('')
    if (text.length > LONGEST_FILE) return null
    after = page.next
  } while (after !== null)
  return text
}

function emailOf({ origin }: ReportEmailParts, due: DueReport, now: Date, text: string | null) {
  const { from, to } = periodOf(due, now)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const [first, last] = [day(from), day(new Date(to.getTime() - DAY_MS))]
  const merchant = cleanText(due.merchantName, LONGEST_NAME) ?? ''
  const words = WORDS[due.locale]
  const link = `${origin}/dashboard/merchants/${due.merchantId}/reports`
  return {
    recipient: due.email,
    subject: words.subject(merchant, first, last),
    body: `${words.body(merchant, first, last)}\n\n${text === null ? words.long : words.attached}\n\n${words.end}\n\n${link}\n`,
    ...(text === null ? {} : { file: { name: `${due.report}-${first}-${last}.csv`, text } }),
  }
}

type MailWords = Readonly<{
  subject(merchant: string, first: string, last: string): string
  body(merchant: string, first: string, last: string): string
  attached: string
  long: string
  end: string
}>

const WORDS: Readonly<Record<ScheduleLocale, MailWords>> = {
  en: {
    subject: (merchant, first, last) => `Report of ${merchant}, ${first} to ${last}`,
    body: (merchant, first, last) => `The report of ${merchant} from ${first} to ${last} (UTC).`,
    attached: 'It is attached as CSV.',
    long: 'It is too large for an email: download it from the page below.',
    end: 'You receive this email because you scheduled it. Change or end the schedule here:',
  },
  de: {
    subject: (merchant, first, last) => `Bericht von ${merchant}, ${first} bis ${last}`,
    body: (merchant, first, last) => `Der Bericht von ${merchant}, ${first} bis ${last} (UTC).`,
    attached: 'Er hängt als CSV an.',
    long: 'Er ist zu groß für eine E-Mail: Laden Sie ihn auf der folgenden Seite herunter.',
    end: 'Sie erhalten diese E-Mail, weil Sie sie geplant haben. Ändern oder beenden können Sie den Versand hier:',
  },
}
