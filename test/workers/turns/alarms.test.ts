import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { HttpRequestError } from 'viem'
import { asInvoiceId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { readAlarms } from '../../../store/turns/alarms.ts'
import { Alarms } from '../../../workers/turns/alarms.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { freshDatabase } from '../../support/servers/database.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.end())

test('so is what else is put aside, by its name', async () => {
  const work = new LedgerWork(pino({ level: 'silent' }))
  const { others } = work
  const alarms = new Alarms(database, { networkId: 'base', workerId: 'two' })
  const broken = () => Promise.reject(new Error('a row that breaks a rule'))
  expect(await others.alone('channel', 'one', broken)).toBeNull()
  expect(await others.alone('channel', 'one', async () => 'not tried yet')).toBeNull()
  expect(others.waiting('channel')).toEqual(['one'])
  await alarms.publish(work.alarms(new Date()))
  expect(await readAlarms(database)).toMatchObject([
    { kind: 'aside', subject: 'channel one', detail: 'a row that breaks a rule' },
  ])
  await database`delete from worker_alarm`
})

test('what is worked on together is worked on one by one when one fails', async () => {
  const { others } = new LedgerWork(pino({ level: 'silent' }))
  const work = async (things: readonly string[]) => {
    if (things.includes('bad')) throw new Error('a bad one')
    return things
  }
  const all = ['a', 'bad', 'b']
  expect((await others.together('thing', all, String, work)).flat()).toEqual(['a', 'b'])
  expect(others.waiting('thing')).toEqual(['bad'])
  const down = () => Promise.reject(new HttpRequestError({ url: 'http://node', status: 503 }))
  await expect(others.together('thing', ['c'], String, down)).rejects.toThrow()
  expect(others.waiting('thing')).toEqual(['bad'])
})

test('an invoice that is put aside is told the operator until it works again', async () => {
  const work = new LedgerWork(pino({ level: 'silent' }))
  const alarms = new Alarms(database, { networkId: 'base', workerId: 'one' })
  const id = asInvoiceId(Bun.randomUUIDv7())
  await alarms.publish(work.alarms(new Date()))
  await work.each([id], () => Promise.reject(new Error('a row that breaks a rule')))
  await alarms.publish(work.alarms(new Date()))
  expect(await readAlarms(database)).toMatchObject([
    { kind: 'aside', subject: `invoice ${id}`, detail: 'a row that breaks a rule' },
  ])
  // What no one has worked on for long is told no longer.
  expect(work.alarms(new Date(Date.now() + 700_000))).toEqual([])
  await work.each([id], async () => {})
  await alarms.publish(work.alarms(new Date()))
  expect(await readAlarms(database)).toEqual([])
})
