import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  asInvoiceId,
  type InvoiceId,
  type MerchantId,
  type PriceId,
} from '../../../core/base/ids.ts'
import { formatSessionId, isSessionId, type SessionId } from '../../../core/checkout/session.ts'
import { changeLink, findLink } from '../../../store/checkout/links.ts'
import { deletePrice } from '../../../store/checkout/prices.ts'
import { removeUnusedSessions } from '../../../store/checkout/retention.ts'
import { openSessionNames } from '../../../store/checkout/sessionNames.ts'
import {
  findSession,
  openPriceSession,
  type SessionRequest,
  sessionOfInvoice,
} from '../../../store/checkout/sessions.ts'
import { type Availability, watchAvailability } from '../../../store/database/availability.ts'
import type { Database } from '../../../store/database/database.ts'
import { asWorker } from '../../support/servers/database.ts'
import {
  askOf,
  chooseIn,
  storeLink,
  storePrice,
  storeSession,
} from '../../support/store/checkout.ts'
import { forThisFile, isWaiting, openTransaction } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeChain,
  storeInvoice,
  storeMerchant,
  storePayment,
} from '../../support/store/invoice.ts'

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

describe('a session that is asked for again by its reference after it has ended', () => {
  /** A session that can't be paid in two days, with the invoice that its payer chose, if any did. */
  async function ended({ isChosen = true, isReusable = true } = {}) {
    const price = await storePrice(sql, merchantId, { isReusable })
    const request = askOf(merchantId, price, { clientReference: crypto.randomUUID() })
    const first = await storeSession(sql, request)
    if (isChosen) await chooseIn(sql, first)
    const again = async () => {
      const opened = await openPriceSession(sql, request, inTwoDays())
      if (!opened.ok) throw new Error(opened.code)
      return opened
    }
    return { first, again, request }
  }
  const invoiceOf = async (session: string) => {
    const [row] = await sql<{ invoiceId: InvoiceId }[]>`
      select invoice_id from checkout_session where id = ${session}`
    if (!row) throw new Error('there is no invoice')
    return row.invoiceId
  }

  test.each([{ isChosen: false }, {}, { isReusable: false }])(
    'is a new one that names the former, once: %p',
    async (how) => {
      const { first, again } = await ended(how)
      const second = await again()
      expect(second).toMatchObject({ isNew: true, session: { formerId: first } })
      expect(await again()).toMatchObject({ isNew: false, session: { id: second.session.id } })
    },
  )

  test('is one new one for all who ask at the same moment', async () => {
    const { first, again } = await ended()
    const opened = await Promise.all(Array.from({ length: 8 }, () => again()))
    expect(new Set(opened.map(({ session }) => session.id)).size).toBe(1)
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(opened[0]?.session.formerId).toBe(first)
    const rows = await sql`select from checkout_session where former_id = ${first}`
    expect(rows).toHaveLength(1)
  })

  test('ends also when its invoice is voided', async () => {
    const { first, request } = await ended()
    const open = () => openPriceSession(sql, request, new Date())
    expect(await open()).toMatchObject({ isNew: false, session: { id: first } })
    await sql`
      update invoice set closed_at = now() - interval '1 second' where id = ${await invoiceOf(first)}`
    expect(await open()).toMatchObject({ isNew: true, session: { formerId: first } })
  })

  const kinds = ['counted', 'late', 'foreign'] as const
  const moneys = kinds.flatMap((kind) => [false, true].map((isPending) => ({ kind, isPending })))
  test.each(moneys)(
    'is the same for ever when money has come for it: %p',
    async ({ kind, isPending }) => {
      for (const isReusable of [true, false]) {
        const { first, again } = await ended({ isReusable })
        const confirmedAt = isPending ? null : new Date()
        const status = isPending ? 'pending' : 'confirmed'
        await storePayment(sql, await invoiceOf(first), 1n, { kind, status, confirmedAt })
        expect(await again()).toMatchObject({ isNew: false, session: { id: first } })
      }
    },
  )

  test('is the same when money came for a token that its payer had chosen before', async () => {
    const { first, again } = await ended()
    const before = await invoiceOf(first)
    await chooseIn(sql, first, 'USDT')
    expect(await invoiceOf(first)).not.toBe(before)
    await storePayment(sql, before, 1n, { kind: 'late' })
    expect(await again()).toMatchObject({ isNew: false, session: { id: first } })
  })

  test('is a new one when what came was reorganised away', async () => {
    const { first, again } = await ended()
    const { id } = await storePayment(sql, await invoiceOf(first), 1n)
    await sql`update payment set status = 'reverted', reverted_at = now() where id = ${id}`
    expect(await again()).toMatchObject({ isNew: true, session: { formerId: first } })
  })

  test('is the former one when its money is seen only after it was replaced', async () => {
    const { first, again } = await ended()
    const second = await again()
    expect(second.isNew).toBe(true)
    await storePayment(sql, await invoiceOf(first), 1n)
    expect(await again()).toMatchObject({ isNew: false, session: { id: first } })
  })

  test('waits for a payer who is choosing, and holds nothing that the choice needs', async () => {
    const { first, again } = await ended()
    const choosing = await openTransaction(sql, (own) => {
      return own`select from checkout_session where id = ${first} for update`
    })
    const asked = again()
    expect(await isWaiting(sql, asked)).toBe(true)
    await choosing.sql`select from lock_invoice(${await invoiceOf(first)})`
    await choosing.commit()
    expect(await asked).toMatchObject({ isNew: true })
  })

  describe('while a chain', () => {
    /** With how long after the session's end the chain's newest confirmed block is, in ms. */
    const paces = [
      [-1, true],
      [0, true],
      [1, false],
      [null, true],
    ] as const
    const endOf = async (session: string) => {
      const [row] = await sql<{ end: Date }[]>`
        select least(i.expires_at, i.closed_at) as end
        from checkout_session s join invoice i on i.id = s.invoice_id where s.id = ${session}`
      if (!row) throw new Error('there is no invoice')
      return row.end
    }
    const storePace = async (networkId: string, session: string, ms: number | null) => {
      const confirmedTime = ms === null ? null : new Date((await endOf(session)).getTime() + ms)
      await storeChain(sql, { networkId, confirmedTime })
      await sql`
        update chain_state set head_time = now(), head_seen_at = ${inTwoDays()}
        where network_id = ${networkId}`
    }
    afterEach(async () => {
      await sql`delete from chain_state`
    })

    test.each(paces)(
      'has confirmed no block after its end, is the same: %p %p',
      async (ms, isSame) => {
        for (const isReusable of [true, false]) {
          const { first, again } = await ended({ isReusable })
          await storePace(NETWORK, first, ms)
          expect(await again()).toMatchObject({ isNew: !isSame })
        }
      },
    )

    test('of a token that its payer had chosen before hasn’t, is the same', async () => {
      const { first, again } = await ended()
      const before = await invoiceOf(first)
      await chooseIn(sql, first, 'USDT')
      await sql`update invoice set chains = ${[OTHER_NETWORK]} where id = ${before}`
      await storePace(NETWORK, first, 1)
      await storePace(OTHER_NETWORK, first, 0)
      await sql`update invoice set expiry_announced_at = now()`
      expect(await again()).toMatchObject({ isNew: false, session: { id: first } })
      // No one follows it any more.
      await sql`update chain_state set head_seen_at = now() - interval '1 day'`
      expect(await again()).toMatchObject({ isNew: true })
    })

    test('that is behind is not followed any more, is a new one once the expiry is announced', async () => {
      const { first, again } = await ended()
      await storePace(NETWORK, first, -1)
      await sql`
        update invoice set expiry_announced_at = now() where id = ${await invoiceOf(first)}`
      expect(await again()).toMatchObject({ isNew: true })
    })

    test('has confirmed one, but payments could not be read, is the same', async () => {
      const { first, again } = await ended()
      await storePace(NETWORK, first, 1)
      await sql`
        insert into quarantine (network_id, part, subject, fault, reason, times, first_at, retry_at)
        values (${NETWORK}, 'invoice', ${await invoiceOf(first)}, 'f', 'r', 1, now(), now())`
      expect(await again()).toMatchObject({ isNew: false, session: { id: first } })
    })
  })

  describe('and of which several were replaced', () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    const open = async (request: SessionRequest, days: number) => {
      const opened = await openPriceSession(sql, request, inDays(days))
      if (!opened.ok) throw new Error(opened.code)
      return opened.session
    }

    test('names the last with an invoice, and is the former one when money comes late for that', async () => {
      const { first, request } = await ended()
      const empty: SessionId[] = []
      for (const days of [2, 4, 6]) {
        const { id, formerId } = await open(request, days)
        expect(formerId).toBe(first)
        empty.push(id)
      }
      await removeUnusedSessions(asWorker(sql), inDays(60), 1_000)
      const left = await sql`select id from checkout_session where id = any(${empty})`
      expect(left.map(({ id }) => id)).toEqual([empty[2]])
      await storePayment(sql, await invoiceOf(first), 1n, { kind: 'late' })
      expect(await open(request, 90)).toMatchObject({ id: first })
    })

    test('is removed when no one chose in its former one either', async () => {
      const { first, again } = await ended({ isChosen: false })
      const { session } = await again()
      await removeUnusedSessions(asWorker(sql), inDays(60), 100)
      const left = await sql`
        select from checkout_session where id in (${first}, ${session.id})`
      expect(left).toHaveLength(0)
    })

    test('waits for a payment that is being recorded for any of those', async () => {
      for (const isReusable of [true, false]) {
        const { first, request } = await ended({ isReusable })
        const before = await invoiceOf(first)
        await chooseIn(sql, first, 'USDT')
        await open(request, 2)
        const recording = await openTransaction(sql, async (own) => {
          await own`select from invoice where id = ${before} for update`
          await storePayment(own, before, 1n, { kind: 'late' })
        })
        const asked = open(request, 4)
        expect(await isWaiting(sql, asked)).toBe(true)
        await recording.commit()
        expect(await asked).toMatchObject({ id: first })
      }
    })

    const lines = [true, false].flatMap((isReusable) =>
      [20, 999, 1_000].map((later) => ({ isReusable, later })),
    )
    test.each(lines)('finds late money of a thousand: %p', async ({ isReusable, later }) => {
      const { first, request } = await ended({ isReusable })
      await storePayment(sql, await invoiceOf(first), 1n, { kind: 'late' })
      const { id: unpaid } = await storeInvoice(sql, merchantId, { expiresAt: new Date() })
      const { clientReference } = request
      const ids = Array.from({ length: later }, () =>
        formatSessionId(crypto.getRandomValues(new Uint8Array(16))),
      )
      await sql`update checkout_session set client_reference = null where id = ${first}`
      await sql`
        insert into checkout_session (id, merchant_id, price_id, invoice_id, former_id,
          client_reference, by_publishable, expires_at, created_at)
        select n.id, s.merchant_id, s.price_id, ${unpaid},
          coalesce(lag(n.id) over (order by n.place), s.id),
          case when n.place = ${later} then ${clientReference} end, s.by_publishable, s.expires_at,
          s.created_at + n.place * interval '1 second'
        from checkout_session s
        cross join unnest(${ids}::text[]) with ordinality as n (id, place)
        where s.id = ${first}`
      expect((await open(request, 2)).id === first).toBe(later < 1_000)
    })
  })

  test('waits for a payment that is being recorded', async () => {
    const { first, again } = await ended()
    const invoiceId = await invoiceOf(first)
    const { commit } = await openTransaction(sql, async (recording) => {
      await recording`select from invoice where id = ${invoiceId} for update`
      await storePayment(recording, invoiceId, 1n)
    })
    const asked = again()
    expect(await isWaiting(sql, asked)).toBe(true)
    await commit()
    expect(await asked).toMatchObject({ isNew: false, session: { id: first } })
  })

  test('is refused while its price is not active', async () => {
    const { request } = await ended()
    await sql`update price set active = false where id = ${request.priceId}`
    const refused = { ok: false, code: 'price_not_active' }
    expect(await openPriceSession(sql, request, inTwoDays())).toMatchObject(refused)
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
    const { ofNetwork } = await names()
    expect(ofNetwork('203.0.113.7')).toBe((await names()).ofNetwork('203.0.113.7'))
    expect(ofNetwork('203.0.113.7')).not.toBe(ofNetwork('203.0.113.8'))
    expect(ofNetwork('203.0.113.7')).not.toContain('203')
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
