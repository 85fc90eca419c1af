import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { isSessionId } from '../../../core/checkout/session.ts'
import { asInvoiceId, type MerchantId, type PriceId } from '../../../core/ids.ts'
import { type Availability, watchAvailability } from '../../../store/availability.ts'
import { changeLink, findLink } from '../../../store/checkout/links.ts'
import { deletePrice } from '../../../store/checkout/prices.ts'
import { openSessionNames } from '../../../store/checkout/sessionNames.ts'
import {
  findSession,
  openPriceSession,
  sessionOfInvoice,
} from '../../../store/checkout/sessions.ts'
import type { Database } from '../../../store/database.ts'
import {
  askOf,
  chooseIn,
  storeLink,
  storePrice,
  storeSession,
} from '../../support/store/checkout.ts'
import { forThisFile } from '../../support/store/database.ts'
import { storeInvoice, storeMerchant } from '../../support/store/invoice.ts'

let sql: Database
let merchantId: MerchantId
let priceId: PriceId
let availability: Availability
forThisFile((database) => {
  sql = database
  availability = watchAvailability(sql, { onOutage: () => {}, onRecovery: () => {} })
})
afterAll(() => availability.stop())

beforeEach(async () => {
  merchantId = await storeMerchant(sql)
  priceId = await storePrice(sql, merchantId)
})

const names = () => openSessionNames(sql, availability)()
const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000)

describe('sessions that are asked for at the same moment', () => {
  test('with one reference are one session', async () => {
    const request = askOf(merchantId, priceId, { clientReference: crypto.randomUUID() })
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => storeSession(sql, request)))
    expect(new Set(ids).size).toBe(1)
  })

  test('of a price that can be paid once are one session', async () => {
    const once = await storePrice(sql, merchantId, { isReusable: false })
    const ids = await Promise.all(
      [1, 2, 3, 4, 5].map(() => storeSession(sql, askOf(merchantId, once))),
    )
    expect(new Set(ids).size).toBe(1)
  })

  test('of one invoice are its one session', async () => {
    const { id } = await storeInvoice(sql, merchantId)
    const name = (await names()).ofInvoice(id)
    const now = new Date()
    const found = await Promise.all([1, 2, 3, 4, 5].map(() => sessionOfInvoice(sql, id, name, now)))
    expect(new Set(found)).toEqual(new Set([name]))
  })
})

describe('a price that can be paid once', () => {
  const ends = [
    ['was paid', { status: 'paid' }, true],
    ['was settled', { status: 'completed' }, true],
    ['is being paid', { pendingAmount: 1 }, true],
    ['ended unpaid', {}, false],
  ] as const

  test.each(ends)('whose session %s has that one for ever: %p %p', async (_, change, isSame) => {
    const once = await storePrice(sql, merchantId, { isReusable: false })
    const first = await storeSession(sql, askOf(merchantId, once))
    await chooseIn(sql, first)
    const changed = { status: 'pending', pendingAmount: 0, ...change }
    await sql`
      update invoice set status = ${changed.status}, pending_amount = ${changed.pendingAmount}
      where id = (select invoice_id from checkout_session where id = ${first})`
    const opened = await openPriceSession(sql, askOf(merchantId, once), inTwoDays())
    expect(opened).toMatchObject({ ok: true, isNew: !isSame })
    expect(opened.ok && opened.session.id === first).toBe(isSame)
  })
})

test("another merchant's price, a deleted one and an unknown one are not there", async () => {
  const stranger = await storeMerchant(sql)
  const refused = { ok: false, code: 'price_not_found' }
  expect(await openPriceSession(sql, askOf(stranger, priceId), new Date())).toMatchObject(refused)
  await deletePrice(sql, merchantId, priceId, new Date())
  expect(await openPriceSession(sql, askOf(merchantId, priceId), new Date())).toMatchObject(refused)
})

test('what a server made is not found by the same reference from a browser', async () => {
  const clientReference = crypto.randomUUID()
  const ask = (byPublishable: boolean) =>
    storeSession(sql, askOf(merchantId, priceId, { clientReference, byPublishable }))
  expect(await ask(false)).not.toBe(await ask(true))
})

describe('the name of a session', () => {
  test('is random', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => storeSession(sql, askOf(merchantId, priceId))),
    )
    expect(new Set(ids).size).toBe(20)
    expect(ids.every(isSessionId)).toBe(true)
    // Names in the order in which they were made would begin alike.
    expect(new Set(ids.map((id) => id.slice(3, 6))).size).toBeGreaterThan(10)
  })

  test('of an invoice shows nothing of its id, and is no use for the next one', async () => {
    const { ofInvoice, invoiceOf } = await names()
    const [one, next] = [
      '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4',
      '0198c1de-7a2f-7000-8000-5d2cb1a7e0f5',
    ]
    const id = asInvoiceId(one)
    const name = ofInvoice(id)
    expect(invoiceOf(name)).toBe(id)
    const bytes = Uint8Array.fromBase64(name.slice(3), { alphabet: 'base64url' })
    expect(bytes.toHex()).not.toContain(one.slice(0, 8))
    const other = ofInvoice(asInvoiceId(next))
    expect(other.slice(3, 9)).not.toBe(name.slice(3, 9))
    expect(await findSession(sql, await names(), name, new Date())).toBeNull()
  })

  test('stands beside one of the client, which shows no address', async () => {
    const { ofClient } = await names()
    expect(ofClient('203.0.113.7')).toBe((await names()).ofClient('203.0.113.7'))
    expect(ofClient('203.0.113.7')).not.toBe(ofClient('203.0.113.8'))
    expect(ofClient('203.0.113.7')).not.toContain('203')
  })

  test('is another one by the key of another database', async () => {
    const id = asInvoiceId('0198c1de-7a2f-7000-8000-5d2cb1a7e0f4')
    const before = (await names()).ofInvoice(id)
    const [kept] = await sql<{ key: Uint8Array }[]>`select key from checkout_key`
    await sql`update checkout_key set key = ${crypto.getRandomValues(new Uint8Array(16))}`
    expect((await names()).ofInvoice(id)).not.toBe(before)
    await sql`update checkout_key set key = ${kept?.key ?? null}`
  })
})

test('a link is moved to prices of its own merchant only', async () => {
  const linkId = await storeLink(sql, merchantId, { priceId })
  const theirs = await storePrice(sql, await storeMerchant(sql))
  expect(await changeLink(sql, merchantId, linkId, { priceId: theirs }, new Date())).toBeNull()
  expect((await findLink(sql, merchantId, linkId))?.priceId).toBe(priceId)
  const own = await storePrice(sql, merchantId)
  expect((await changeLink(sql, merchantId, linkId, { priceId: own }, new Date()))?.priceId).toBe(
    own,
  )
})
