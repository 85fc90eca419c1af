import { describe, expect, test } from 'bun:test'
import pino from 'pino'
import { BaseError } from 'viem'
import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'

/** Work on many invoices, one of which has a fault. */

const newId = () => asInvoiceId(Bun.randomUUIDv7())
const newWork = () => new LedgerWork(pino({ level: 'silent' }))
const coded = (code: string) => Object.assign(new Error('a fault'), { code })
const fail = (error: Error) => () => Promise.reject(error)
const inMs = (ms: number) => new Date(Date.now() + ms)

describe('an invoice that fails again and again', () => {
  test('is put aside twice as long each time, ten minutes at most', async () => {
    const work = newWork()
    const id = newId()
    for (const pauseMs of [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000]) {
      await work.each([id], fail(new Error('a row that breaks a rule')))
      expect(work.quarantined(inMs(pauseMs - 1_000))).toEqual([id])
      expect(work.quarantined(inMs(pauseMs))).toEqual([])
    }
  })

  test('begins again once it has worked', async () => {
    const work = newWork()
    const id = newId()
    await work.each([id], fail(new Error('once')))
    await work.each([id], fail(new Error('twice')))
    await work.each([id], async () => {})
    expect(work.quarantined(new Date())).toEqual([])
    await work.each([id], fail(new Error('again')))
    expect(work.quarantined(inMs(5_000))).toEqual([])
  })
})

describe('what many invoices share', () => {
  test('is done without the one that makes it fail, which is tried alone from then on', async () => {
    const work = newWork()
    const ids = Array.from({ length: 40 }, newId)
    const [broken] = ids.slice(7)
    const done = new Set<InvoiceId>()
    const sizes: number[] = []
    const share = async (some: readonly InvoiceId[]) => {
      sizes.push(some.length)
      if (some.some((id) => id === broken)) throw new Error('a row that breaks a rule')
      for (const id of some) done.add(id)
    }
    await work.together(ids, share)
    expect(done).toEqual(new Set(ids.filter((id) => id !== broken)))
    expect(work.quarantined(new Date())).toEqual(ids.slice(7, 8))
    sizes.length = 0
    await work.together(ids, share)
    expect(sizes).toEqual([31, 1, 8])
    expect(work.quarantined(inMs(5_000))).toEqual(ids.slice(7, 8))
  })

  test('waits for a lock that one of them does not get no more than twice', async () => {
    const work = newWork()
    const ids = Array.from({ length: 20 }, newId)
    const [locked] = ids.slice(3)
    let waits = 0
    await work.together(ids, async (some) => {
      if (!some.some((id) => id === locked)) return
      waits += 1
      throw coded('55P03')
    })
    expect(waits).toBe(2)
  })

  test('needs no transfers read again once it is done', async () => {
    const work = newWork()
    const ids = [newId(), newId()]
    await work.each(ids, fail(new Error('a row that breaks a rule')))
    for (const id of ids) work.readAgain(id, 10n)
    await work.together(ids, async () => {})
    expect(work.lowestUnread()).toBeNull()
  })
})

describe('a fault', () => {
  test('of the node or the database is thrown, and puts nothing aside', async () => {
    const work = newWork()
    for (const error of [new BaseError('no answer'), coded('ECONNREFUSED')]) {
      await expect(work.each([newId()], fail(error))).rejects.toBe(error)
    }
    expect(work.quarantined(new Date())).toEqual([])
  })

  test('that others caused is left to the next turn', async () => {
    const work = newWork()
    const done: InvoiceId[] = []
    const [busy, other] = [newId(), newId()]
    await work.each([busy, other], async (id) => {
      if (id === busy) throw coded('40P01')
      done.push(id)
    })
    expect(done).toEqual([other])
    expect(work.quarantined(new Date())).toEqual([])
  })
})

describe('the transfers of an invoice that is put aside', () => {
  test('are read again from the lowest block that was missed, until it works', async () => {
    const work = newWork()
    const [broken, other] = [newId(), newId()]
    expect(work.lowestUnread()).toBeNull()
    await work.each([broken, other], fail(new Error('a row that breaks a rule')))
    for (const block of [20n, 10n, 15n]) work.readAgain(broken, block)
    work.readAgain(other, 30n)
    expect(work.lowestUnread()).toBe(10n)
    await work.each([broken], async () => {})
    expect(work.lowestUnread()).toBe(30n)
    await work.each([other], async () => {})
    expect(work.lowestUnread()).toBeNull()
  })

  test('are not read again when it works', () => {
    const work = newWork()
    work.readAgain(newId(), 10n)
    expect(work.lowestUnread()).toBeNull()
  })

  test('are worked on together', async () => {
    const [one, two] = [newId(), newId()]
    const rows = [one, two, one].map((invoiceId, number) => ({ invoiceId, number }))
    const seen = new Map<InvoiceId, number[]>()
    await newWork().togetherOf(rows, async (all) => {
      expect(all.map(({ number }) => number)).toEqual([0, 2, 1])
    })
    await newWork().eachOf(rows, async (id, own) => {
      seen.set(
        id,
        own.map(({ number }) => number),
      )
    })
    expect(seen).toEqual(
      new Map([
        [one, [0, 2]],
        [two, [1]],
      ]),
    )
  })
})
