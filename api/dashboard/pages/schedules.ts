import { AppError } from '../../../core/base/errors.ts'
import { iso } from '../../../core/base/instant.ts'
import {
  firstDue,
  INTERVALS,
  isPossible,
  REPORTS,
  SCHEDULE_LOCALES,
  type Schedule,
} from '../../../core/dashboard/schedules.ts'
import { addSchedule, deleteSchedule, listSchedules } from '../../../store/dashboard/schedules.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject, sendWholeList } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { INVOICE_ID } from '../../request/examples.ts'
import { pathId } from '../../request/id.ts'
import { many, one } from '../../request/responses.ts'
import { object, optionalTime, text, time, uuid } from '../../request/schema.ts'
import { ownerOf } from './owner.ts'

/** /v1/report-schedules: reports that members receive by email. */

const scheduleSchema = object('A schedule.', {
  id: uuid('The schedule.', INVOICE_ID),
  report: text('The report to send.', 'days', { enum: [...REPORTS] }),
  every: text('The interval.', 'month', { enum: [...INTERVALS] }),
  locale: text('The language of the email.', 'en', { enum: [...SCHEDULE_LOCALES] }),
  dueAt: time('When it is sent the next time.', '2026-09-01T00:00:00.000Z'),
  sentAt: optionalTime('When it was last sent.', null),
})

function present({ dueAt, sentAt, ...schedule }: Schedule) {
  return { ...schedule, dueAt: dueAt.toISOString(), sentAt: iso(sentAt) }
}

export const listSchedulesRoute = route({
  operation: 'GET /v1/report-schedules',
  access: 'merchant',
  summary: 'List report schedules',
  description: "The caller's own report schedules.",
  operationId: 'listReportSchedules',
  successes: { 200: many('The schedules.', scheduleSchema) },
  handle: async (deps, { exchange }) => {
    const owner = ownerOf(exchange)
    const found = await guardDatabase(deps, (sql) => listSchedules(sql, owner))
    return sendWholeList(exchange, found.map(present))
  },
})

export const createScheduleRoute = route({
  operation: 'POST /v1/report-schedules',
  access: 'merchant',
  body: bodyOf('The schedule.', {
    report: text('`transactions`, `days` or `held`.', 'days'),
    every: text('`day`, `week` or `month`; of `held`, `event`.', 'month'),
    locale: text('The language of the email, `en` or `de`.', 'en'),
  }),
  summary: 'Schedule a report',
  description:
    'Emails the report of each complete day, week or month (UTC) to the caller, while they are a member ' +
    'of the merchant. `held` sends an email about held money, at most one per hour.',
  operationId: 'createReportSchedule',
  successes: { 201: one('The schedule.', scheduleSchema) },
  handle: async (deps, { exchange, body }) => {
    const owner = ownerOf(exchange)
    const report = oneOf('report', REPORTS, body.report)
    const every = oneOf('every', INTERVALS, body.every)
    const locale = oneOf('locale', SCHEDULE_LOCALES, body.locale)
    if (!isPossible({ report, every })) {
      const message = report === 'held' ? 'must be event' : 'must be day, week or month'
      throw invalidBody([{ path: 'every', message }])
    }
    const wanted = { report, every, locale, dueAt: firstDue(every, deps.now()) }
    const added = await guardDatabase(deps, (sql) => addSchedule(sql, owner, wanted))
    return sendObject(exchange, 201, present(added))
  },
})

const SCHEDULE_ID = pathId('schedule', INVOICE_ID, 'schedule_not_found', (text) => text)

export const deleteScheduleRoute = route({
  operation: 'DELETE /v1/report-schedules/:id',
  access: 'merchant',
  ids: { id: SCHEDULE_ID },
  summary: 'End a report schedule',
  description: "Ends one of the caller's schedules.",
  operationId: 'deleteReportSchedule',
  successes: {
    200: one('The id of the removed schedule.', object('The id.', { id: scheduleSchema })),
  },
  handle: async (deps, { exchange, ids: { id } }) => {
    const owner = ownerOf(exchange)
    const wasThere = await guardDatabase(deps, (sql) => deleteSchedule(sql, owner, id))
    if (!wasThere) throw new AppError('schedule_not_found')
    return sendObject(exchange, 200, { id })
  },
})

function oneOf<T extends string>(path: string, allowed: readonly T[], sent: string): T {
  const found = allowed.find((candidate) => candidate === sent)
  if (found !== undefined) return found
  throw invalidBody([{ path, message: `must be one of ${allowed.join(', ')}` }])
}
