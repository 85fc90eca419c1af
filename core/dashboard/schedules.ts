/**
 * Reports that are sent by mail once a day, week or month, whose periods are whole days in UTC; and mails about money
 * that is held, as soon as there is some.
 */

export const REPORTS = ['transactions', 'days', 'held'] as const
export type ReportName = (typeof REPORTS)[number]

const PERIODS = ['day', 'week', 'month'] as const
export const INTERVALS = [...PERIODS, 'event'] as const
export type Interval = (typeof INTERVALS)[number]
export type Period = (typeof PERIODS)[number]

export const SCHEDULE_LOCALES = ['en', 'de'] as const
export type ScheduleLocale = (typeof SCHEDULE_LOCALES)[number]

export interface Schedule {
  readonly id: string
  readonly report: ReportName
  readonly every: Interval
  readonly locale: ScheduleLocale
  /** The end of the period that is sent next: midnight in UTC. */
  readonly dueAt: Date
  readonly sentAt: Date | null
}

const DAY_MS = 86_400_000
const MONDAY = 1

/** Held money is reported as it comes, everything else by periods. */
export function isPossible({ report, every }: Pick<Schedule, 'report' | 'every'>): boolean {
  return (report === 'held') === (every === 'event')
}

/** When a new schedule is due for the first time. */
export function firstDue(every: Interval, now: Date): Date {
  return every === 'event' ? now : periodEnd(every, now)
}

/** The end of the period in which a moment lies: the next midnight, Monday or first of a month, in UTC. */
export function periodEnd(every: Period, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  if (every === 'month') return new Date(Date.UTC(year, month + 1, 1))
  const tomorrow = new Date(Date.UTC(year, month, day + 1))
  if (every === 'day') return tomorrow
  const daysLeft = (MONDAY - tomorrow.getUTCDay() + 7) % 7
  return new Date(tomorrow.getTime() + daysLeft * DAY_MS)
}

/** The period that ends with `end`. */
export function periodBefore(every: Period, end: Date): { readonly from: Date; readonly to: Date } {
  if (every === 'month') {
    return { from: new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)), to: end }
  }
  const days = every === 'day' ? 1 : 7
  return { from: new Date(end.getTime() - days * DAY_MS), to: end }
}
