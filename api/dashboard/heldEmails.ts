import { cleanText } from '../../core/base/text.ts'
import type { ScheduleLocale } from '../../core/dashboard/schedules.ts'
import { type HeldEvent, heldEventsAfter } from '../../store/dashboard/heldEvents.ts'
import type { DueSchedule, SentSchedule } from '../../store/dashboard/schedules.ts'
import type { Transaction } from '../../store/database/database.ts'
import { storeEmail } from '../../store/events/emails.ts'

/** Emails about held money, to members who have scheduled them. */

/** The interval of reads, and the pause after an email, in ms. */
const READ_MS = 60_000
const PAUSE_MS = 3_600_000
/** Anyone can send thousands of dust payments: an email names a few invoices and covers at most this many events. */
const MOST_NAMED = 10
const MOST_EVENTS = 1_000
const LONGEST_NAME = 60

/** Writes an email if money was held since the previous one. */
export async function writeHeldEmail(
  sql: Transaction,
  origin: string,
  due: DueSchedule,
  now: Date,
): Promise<SentSchedule> {
  const events = await heldEventsAfter(sql, due.merchantId, due.readPosition, MOST_EVENTS)
  const last = events.at(-1)
  if (last === undefined) {
    return {
      nextAt: new Date(now.getTime() + READ_MS),
      isSent: false,
      readPosition: due.readPosition,
    }
  }
  await storeEmail(sql, emailOf(origin, due, events))
  return { nextAt: new Date(now.getTime() + PAUSE_MS), isSent: true, readPosition: last.position }
}

function emailOf(origin: string, due: DueSchedule, events: readonly HeldEvent[]) {
  const words = WORDS[due.locale]
  const merchant = cleanText(due.merchantName, LONGEST_NAME) ?? ''
  const lines = new Set(events.map(({ type, invoiceRef }) => `- ${invoiceRef}: ${words[type]}`))
  const named = [...lines].slice(0, MOST_NAMED)
  const more = lines.size > MOST_NAMED ? [`- ${words.more}`] : []
  const place = (page: string) => `${origin}/dashboard/merchants/${due.merchantId}/${page}`
  return {
    recipient: due.email,
    subject: words.subject(merchant),
    body: [
      words.begin(merchant),
      [...named, ...more].join('\n'),
      `${words.see}\n${place('recoveries')}`,
      `${words.end}\n${place('reports')}\n`,
    ].join('\n\n'),
  }
}

type HeldWords = Readonly<Record<HeldEvent['type'] | 'more' | 'see' | 'end', string>> & {
  readonly subject: (merchant: string) => string
  readonly begin: (merchant: string) => string
}

const WORDS: Readonly<Record<ScheduleLocale, HeldWords>> = {
  en: {
    subject: (merchant) => `${merchant}: money needs your decision`,
    begin: (merchant) => `Payments to invoices of ${merchant} need a decision:`,
    'invoice.late_payment': 'late payment',
    'invoice.unexpected_payment': 'unexpected token or network',
    'settlement.failed': 'payout failed',
    more: 'and others',
    see: 'Review them here; actions are available once a payment is confirmed:',
    end: 'You receive this email because you scheduled it, at most once per hour. Change or end the schedule here:',
  },
  de: {
    subject: (merchant) => `${merchant}: Geld wartet auf Ihre Entscheidung`,
    begin: (merchant) => `Zahlungen auf Rechnungen von ${merchant} brauchen eine Entscheidung:`,
    'invoice.late_payment': 'verspätete Zahlung',
    'invoice.unexpected_payment': 'unerwarteter Token oder unerwartetes Netzwerk',
    'settlement.failed': 'Auszahlung fehlgeschlagen',
    more: 'und weitere',
    see: 'Hier prüfen; Aktionen sind möglich, sobald eine Zahlung bestätigt ist:',
    end: 'Sie erhalten diese E-Mail höchstens einmal pro Stunde, weil Sie sie geplant haben. Ändern oder beenden können Sie den Versand hier:',
  },
}
