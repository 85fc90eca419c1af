import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { asInvoiceId } from '../../../core/ids.ts'
import type { Database } from '../../../store/database.ts'
import { readAlarms } from '../../../store/relayer/alarms.ts'
import { InvoiceAlarms } from '../../../workers/ledger/alarms.ts'
import { InvoiceWork } from '../../../workers/ledger/invoices.ts'
import { freshDatabase } from '../../support/servers/database.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.end())

test('an invoice that is put aside is told the operator until it works again', async () => {
  const work = new InvoiceWork(pino({ level: 'silent' }))
  const alarms = new InvoiceAlarms(database, { networkId: 'base', workerId: 'one' }, work)
  const id = asInvoiceId(Bun.randomUUIDv7())
  await alarms.publish(new Date())
  await work.each([id], () => Promise.reject(new Error('a row that breaks a rule')))
  await alarms.publish(new Date())
  expect(await readAlarms(database)).toMatchObject([
    { kind: 'aside', subject: `invoice ${id}`, detail: 'a row that breaks a rule' },
  ])
  // What nobody has worked on for long is told no longer.
  expect(work.setbacks(new Date(Date.now() + 700_000))).toEqual([])
  await work.each([id], async () => {})
  await alarms.publish(new Date())
  expect(await readAlarms(database)).toEqual([])
})
