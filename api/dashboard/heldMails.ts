import { cleanText } from '../../core/base/text.ts'
import type { ScheduleLocale } from '../../core/dashboard/schedules.ts'
import { type HeldEvent, heldEventsAfter } from '../../store/dashboard/heldEvents.ts'
import type { DueSchedule, SentSchedule } from '../../store/dashboard/schedules.ts'
import type { Transaction } from '../../store/database/database.ts'
import { storeMail } from '../../store/events/mails.ts'

/** Mails about money that is held, to members who want them. */

/** How often it is read whether there is something to report, and how long no further mail follows one, in ms. */
const READ_MS = 60_000
const PAUSE_MS = 3_600_000
/** Strangers can send dust by the thousand: a mail names a few invoices, and reports no more events than this. */
const MOST_NAMED = 10
const MOST_EVENTS = 1_000
const LONGEST_NAME = 60

/** Writes a mail if something was held since the last one. */
export async function writeHeldMail(
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
  await storeMail(sql, mailOf(origin, due, events))
  return { nextAt: new Date(now.getTime() + PAUSE_MS), isSent: true, readPosition: last.position }
}

function mailOf(origin: string, due: DueSchedule, events: readonly HeldEvent[]) {
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
    'invoice.late_payment': 'a payment after the expiry',
    'invoice.unexpected_payment': 'another token, native coin, or another network',
    'settlement.failed': 'it could not be forwarded',
    more: 'and others',
    see: 'What you can do with each, once it is confirmed:',
    end: 'You have asked for this mail; at most one is sent in an hour. You can end it here:',
  },
  de: {
    subject: (merchant) => `${merchant}: Geld wartet auf Ihre Entscheidung`,
    begin: (merchant) => `Zahlungen auf Rechnungen von ${merchant} brauchen eine Entscheidung:`,
    'invoice.late_payment': 'eine Zahlung nach der Frist',
    'invoice.unexpected_payment': 'ein anderer Token, native Coins oder ein anderes Netzwerk',
    'settlement.failed': 'sie konnte nicht weitergeleitet werden',
    more: 'und weitere',
    see: 'Was Sie jeweils tun können, sobald sie bestätigt ist:',
    end: 'Sie haben um diese Mail gebeten; höchstens eine kommt pro Stunde. Beenden können Sie sie hier:',
  },
}
