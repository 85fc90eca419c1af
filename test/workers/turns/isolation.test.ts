import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { type Database, DatabaseBehindError } from '../../../store/database/database.ts'
import { readQuarantine, releaseQuarantined } from '../../../store/turns/quarantine.ts'
import { Isolation, type Probe } from '../../../workers/turns/isolation.ts'
import { QuarantineStore } from '../../../workers/turns/quarantineStore.ts'
import { freshDatabase } from '../../support/servers/database.ts'

/** Whatever goes wrong with one thing, the others are worked on. */

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.end())

const url = 'http://node'
const ANSWERS: Probe = { node: async () => 1, database: () => database`select 1` }
const SILENT: Probe = {
  node: () => Promise.reject(new HttpRequestError({ url })),
  database: () => Promise.reject(new Error('down')),
}
const coded = (code: string) => Object.assign(new Error('a fault'), { code })
const FAULTS: Readonly<Record<string, unknown>> = {
  error: new Error('a row that breaks a rule'),
  'type error': new TypeError('undefined is not an object'),
  'NUL in text': coded('22P05'),
  'statement timeout': coded('57014'),
  'node says no': new RpcRequestError({ body: {}, url, error: { code: -32_000, message: 'no' } }),
  'large answer': new ResponseBodyTooLargeError({ maxSize: 10, size: 11 }),
  timeout: new TimeoutError({ body: {}, url }),
  refusal: new HttpRequestError({ url, status: 403 }),
  text: 'thrown text',
  nothing: undefined,
}
const THINGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const SILENT_LOG = pino({ level: 'silent' })
const newWork = (probe = ANSWERS) => new Isolation(SILENT_LOG, { probe })

describe.each(Object.entries(FAULTS))('one thing that meets: %s', (_name, fault) => {
  test.each(['a', 'd', 'g'])('holds up no other, at %s', async (bad) => {
    const others = THINGS.filter((thing) => thing !== bad)
    const one = newWork()
    const done = await one.each('thing', THINGS, String, async (thing) => {
      if (thing === bad) throw fault
      return thing
    })
    expect(done).toEqual(others)
    expect(one.waiting('thing')).toEqual([bad])
    const batch = newWork()
    const halved = await batch.together('thing', THINGS, String, async (things) => {
      if (things.includes(bad)) throw fault
      return things
    })
    expect(halved.flat()).toEqual(others)
    expect(halved.length).toBeLessThan(others.length)
    expect(batch.waiting('thing')).toEqual([bad])
  })
})

test.each([
  [
    'what makes it fail is quarantined, and the first that can be done is',
    ['a', 'b'],
    ['c', 'd'],
    'ab',
  ],
  ['nothing is done twice', ['e'], ['a', 'b', 'c', 'd'], ''],
  ['where each fails, only the first is quarantined', THINGS, null, 'a'],
])('of halves of what has failed together: %s', async (_name, bad, expected, aside) => {
  const one = newWork()
  const fault = new Error('a row that breaks a rule')
  const done = await one.firstOfHalves('thing', THINGS, String, fault, async (things) => {
    if (things.some((thing) => bad.includes(thing))) throw fault
    return things
  })
  expect(done).toEqual(expected)
  expect(one.waiting('thing').join('')).toBe(aside)
})

test('what failed before is tried one after the other, also where others are worked on together', async () => {
  let now = 0
  const one = new Isolation(SILENT_LOG, {
    ...{ probe: ANSWERS, clock: () => now },
    concurrency: Number.POSITIVE_INFINITY,
  })
  for (const thing of THINGS) one.put('thing', thing, new Error('a fault'))
  now = 3_600_000
  let [underWay, most] = [0, 0]
  await one.together('thing', THINGS, String, async () => {
    underWay += 1
    most = Math.max(most, underWay)
    await Bun.sleep(1)
    underWay -= 1
  })
  expect(most).toBe(1)
})

test('a node that answers nothing ends the turn, and so does a database that is down', async () => {
  for (const fault of [new TimeoutError({ body: {}, url }), coded('ECONNREFUSED')]) {
    const work = newWork(SILENT)
    const fail = () => Promise.reject(fault)
    await expect(work.together('thing', THINGS, String, fail)).rejects.toBe(fault)
    await expect(work.each('thing', THINGS, String, fail)).rejects.toBe(fault)
    expect(work.waiting('thing')).toEqual([])
  }
})

test('a database that has forgotten what was sent ends the turn, although it answers', async () => {
  const behind = new DatabaseBehindError('key at 3')
  const work = newWork()
  await expect(work.alone('step', 'sending', () => Promise.reject(behind))).rejects.toBe(behind)
})

test('what loses against others is tried at the next turn, until that has lasted', async () => {
  let now = 0
  const pauses = { firstMs: 1_000, longestMs: 4_000 }
  const work = new Isolation(SILENT_LOG, { probe: ANSWERS, pauses, clock: () => now })
  const { quarantine } = work
  const lose = () => work.alone('thing', 'one', () => Promise.reject(coded('55P03')))
  for (; now < 60_000; now += 6_000) {
    await lose()
    expect(quarantine.has('thing one')).toBe(false)
    expect(quarantine.all().size).toBe(0)
  }
  await lose()
  expect(quarantine.has('thing one')).toBe(true)
})

test('what is due again and not tried, because others have done it, is reported for no longer than said', async () => {
  let now = 0
  const pauses = { firstMs: 1_000, longestMs: 600_000 }
  const options = { probe: ANSWERS, pauses, clock: () => now, untriedMs: 60_000 }
  const work = new Isolation(SILENT_LOG, options)
  await work.alone('thing', 'one', () =>
    Promise.reject(new Error('the node has an internal error')),
  )
  const reported = (at: number) => work.alarms(new Date(at)).map(({ subject }) => subject)
  expect(reported(60_999)).toEqual(['thing one'])
  expect(reported(61_000)).toEqual([])
  now = 61_000
  await work.alone('thing', 'one', () => Promise.reject(new Error('again')))
  expect(reported(61_000)).toEqual(['thing one'])
})

test('what is quarantined outlives the process, is released, and is forgotten when it works', async () => {
  const open = () => {
    const pauses = { firstMs: 60_000, longestMs: 60_000 }
    const steps = new Isolation(SILENT_LOG, { probe: ANSWERS, pauses })
    const { quarantine } = steps
    const newStore = () => new QuarantineStore(database, 'base', [{ part: 'ledger', quarantine }])
    return { quarantine, steps, newStore }
  }
  const first = open()
  await first.steps.alone('thing', 'a', () => Promise.reject(new Error('NUL \0 and half \ud800')))
  await first.newStore().sync()
  const second = open()
  await second.newStore().sync()
  expect(second.quarantine.has('thing a')).toBe(true)
  const [row] = await readQuarantine(database, 'base')
  expect(row).toMatchObject({ part: 'ledger', subject: 'thing a', fault: 'Error', times: 1 })
  expect(await releaseQuarantined(database, row?.id ?? 0n)).not.toBeNull()
  await second.newStore().sync()
  expect(second.quarantine.has('thing a')).toBe(false)
  expect(await second.steps.alone('thing', 'a', async () => 'done')).toBe('done')
  await second.newStore().sync()
  expect(await readQuarantine(database, 'base')).toEqual([])
})
