import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId, PriceId } from '../../../core/base/ids.ts'
import type { SessionId } from '../../../core/checkout/session.ts'
import { changePrice, deletePrice } from '../../../store/checkout/prices.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceWithWork } from '../../../store/relayer/transition.ts'
import { AUTHORIZATIONS } from '../../../store/x402/settles.ts'
import {
  askOf,
  chooseIn,
  storeLink,
  storePrice,
  storeSession,
} from '../../support/store/checkout.ts'
import { forThisFile, newHash } from '../../support/store/database.ts'
import { NETWORK, storeChain, storeMerchant, storePayment } from '../../support/store/invoice.ts'
import { anInvoiceClaim, claimedInvoice } from '../../support/store/invoiceClaims.ts'

let sql: Database
let merchantId: MerchantId
let priceId: PriceId
forThisFile((database) => {
  sql = database
})

beforeEach(async () => {
  merchantId = await storeMerchant(sql)
  priceId = await storePrice(sql, merchantId)
})

interface Made {
  readonly id: InvoiceId
  readonly tokenSymbol: string
  readonly isClosed: boolean
  readonly isCurrent: boolean
}

function invoicesOf(id: SessionId): Promise<Made[]> {
  return sql<Made[]>`
    select i.id, i.token_symbol, i.closed_at is not null as is_closed, s.invoice_id = i.id as is_current
    from checkout_session_invoice o join invoice i on i.id = o.invoice_id
    join checkout_session s on s.id = o.session_id
    where o.session_id = ${id} order by o.created_at`
}

const newSession = () => storeSession(sql, askOf(merchantId, priceId))

describe('choices at the same moment', () => {
  test('of one token make one invoice', async () => {
    const id = await newSession()
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => chooseIn(sql, id)))
    expect(results.filter((result) => result.ok && result.isNew)).toHaveLength(1)
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(await invoicesOf(id)).toHaveLength(1)
  })

  test('of two tokens leave one invoice that can be paid, which is the one shown', async () => {
    const id = await newSession()
    const tokens = ['USDC', 'USDT', 'USDC', 'USDT']
    const results = await Promise.all(tokens.map((token) => chooseIn(sql, id, token)))
    expect(results.every(({ ok }) => ok)).toBe(true)
    const made = await invoicesOf(id)
    expect(made.filter(({ isClosed }) => !isClosed)).toEqual(
      made.filter(({ isCurrent }) => isCurrent),
    )
    expect(made.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  })
})

describe('a further choice is refused', () => {
  test('once anything was seen that stands', async () => {
    const id = await newSession()
    await chooseIn(sql, id)
    const [invoice] = await invoicesOf(id)
    if (!invoice) throw new Error('there is no invoice')
    const payment = await storePayment(sql, invoice.id, 1n, { status: 'pending' })
    expect(await chooseIn(sql, id, 'USDT')).toMatchObject({
      ok: false,
      code: 'choice_not_possible',
    })
    await sql`update payment set status = 'reverted' where id = ${payment.id}`
    expect(await chooseIn(sql, id, 'USDT')).toMatchObject({ ok: true, isNew: true })
  })

  test('while a signed payment of the first is on its way', async () => {
    const id = await newSession()
    await chooseIn(sql, id)
    const [invoice] = await invoicesOf(id)
    if (!invoice) throw new Error('there is no invoice')
    const [due] = await sql<{ value: bigint }[]>`
      select amount_expected as value from invoice where id = ${invoice.id}`
    const signed = await claimedInvoice(sql, anInvoiceClaim(invoice.id, due))
    const refused = await chooseIn(sql, id, 'USDT')
    expect(refused).toMatchObject({ ok: false, code: 'choice_not_possible' })
    await sql.begin((to) =>
      advanceWithWork(to, AUTHORIZATIONS, 'failed', [{ id: signed, reason: 'payment_expired' }]),
    )
    expect(await chooseIn(sql, id, 'USDT')).toMatchObject({ ok: true, isNew: true })
  })

  describe('while money for the first may not have been seen yet:', () => {
    afterEach(async () => {
      await sql`delete from chain_state`
      await sql`delete from chain_head`
      await sql`delete from quarantine`
    })
    const seen = (seconds: number) => sql`
      update chain_state set head_seen_at = now() - make_interval(secs => ${seconds})`

    test.each([
      ['payments of many blocks', () => storeChain(sql, { head: 100n, projectedBlock: 84n })],
      [
        'payments of blocks that other nodes show',
        async () => {
          await storeChain(sql, {})
          await sql`
            insert into chain_head (network_id, number, hash, parent_hash, time, base_fee_per_gas, gas_limit,
              announced_at, moved_at)
            values (${NETWORK}, 116, ${newHash()}, ${newHash()}, now(), 0, 1, now(), now())`
        },
      ],
      ['the chain for a minute', () => storeChain(sql, {}).then(() => seen(61))],
      [
        'payments that can’t be read',
        async (invoiceId: string) => {
          await sql`
            insert into quarantine (network_id, part, subject, fault, reason, times, first_at, retry_at)
            values (${NETWORK}, 'invoice', ${invoiceId}, 'f', 'r', 1, now(), now())`
        },
      ],
    ])('%s', async (_, hold) => {
      const id = await newSession()
      await chooseIn(sql, id)
      const [invoice] = await invoicesOf(id)
      await hold(invoice?.id ?? '')
      const refused = await chooseIn(sql, id, 'USDT')
      expect(refused).toMatchObject({ ok: false, code: 'choice_not_possible' })
      expect(JSON.stringify(refused)).toContain('try again in a minute')
      expect(await chooseIn(sql, id)).toMatchObject({ ok: true, isNew: false })
      // A first choice has nothing to lose.
      expect(await chooseIn(sql, await newSession(), 'USDT')).toMatchObject({ ok: true })
      await sql`delete from quarantine`
      await sql`delete from chain_head`
      await storeChain(sql, { head: 100n, projectedBlock: 85n })
      await seen(0)
      // A chain that is switched off is not waited for.
      await sql`update invoice set chains = chains || '{moon}' where id = ${invoice?.id ?? ''}`
      await storeChain(sql, { networkId: 'moon', projectedBlock: 0n })
      expect(await chooseIn(sql, id, 'USDT')).toMatchObject({ ok: true, isNew: true })
    })
  })

  test('to a payer who has chosen ten times, and leaves the last invoice as it was', async () => {
    const id = await newSession()
    for (let i = 0; i < 10; i += 1) {
      expect(await chooseIn(sql, id, i % 2 === 0 ? 'USDC' : 'USDT')).toMatchObject({ ok: true })
    }
    expect(await chooseIn(sql, id)).toMatchObject({ ok: false, code: 'choice_not_possible' })
    const made = await invoicesOf(id)
    expect(made).toHaveLength(10)
    expect(made.filter(({ isClosed }) => !isClosed)).toMatchObject([
      { tokenSymbol: 'USDT', isCurrent: true },
    ])
  })

  test('when the price was switched off or deleted, and not to whoever chose before', async () => {
    const [before, later] = [await newSession(), await newSession()]
    await chooseIn(sql, before)
    await changePrice(sql, merchantId, priceId, { active: false }, new Date())
    expect(await chooseIn(sql, later)).toMatchObject({ ok: false, code: 'choice_not_possible' })
    await changePrice(sql, merchantId, priceId, { active: true }, new Date())
    expect(await chooseIn(sql, later)).toMatchObject({ ok: true })
    await deletePrice(sql, merchantId, priceId, new Date())
    expect(await chooseIn(sql, before, 'USDT')).toMatchObject({ ok: true })
  })

  test('after the end of the session, and of the invoice before', async () => {
    const [unused, chosen] = [await newSession(), await newSession()]
    await chooseIn(sql, chosen)
    const now = new Date(Date.now() + 86_400_000 + 1_000)
    for (const id of [unused, chosen]) {
      expect(await chooseIn(sql, id, 'USDT', { now })).toMatchObject({
        ok: false,
        code: 'choice_not_possible',
      })
    }
    expect(await invoicesOf(unused)).toEqual([])
  })
})

describe('what bounds the invoices that payers make', () => {
  test('counts those of this merchant, of the last day, that no one has paid', async () => {
    const unpaidPerDay = 2
    const pick = async (now = new Date()) =>
      (await chooseIn(sql, await newSession(), 'USDC', { unpaidPerDay, now })).ok
    const yesterday = new Date(Date.now() - 86_400_000 - 1_000)
    expect(await pick(yesterday)).toBe(true)
    expect([await pick(), await pick(), await pick()]).toEqual([true, true, false])
    const others = merchantId
    merchantId = await storeMerchant(sql)
    priceId = await storePrice(sql, merchantId)
    expect(await pick()).toBe(true)
    await sql`
      update checkout_session_invoice set paid_at = now() where merchant_id = ${others}`
    merchantId = others
    priceId = await storePrice(sql, merchantId)
    expect(await pick()).toBe(true)
  })

  test('lets no client alone use all of it up', async () => {
    const limits = { unpaidPerDay: 4, unpaidPerClient: 2 }
    const pick = async (clientTag: string) =>
      (await chooseIn(sql, await newSession(), 'USDC', { ...limits, networkTags: [clientTag] })).ok
    expect([await pick('a'), await pick('a'), await pick('a')]).toEqual([true, true, false])
    expect([await pick('b'), await pick('b'), await pick('c')]).toEqual([true, true, false])
    await sql`
      update checkout_session_invoice set paid_at = now()
      where merchant_id = ${merchantId} and client_tag = 'a'`
    expect([await pick('c'), await pick('a'), await pick('b')]).toEqual([true, true, false])
  })

  test('is exact for payers who choose at the same moment', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, newSession))
    const results = await Promise.all(
      sessions.map((id) => chooseIn(sql, id, 'USDC', { unpaidPerDay: 5 })),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(5)
    const refused = results.filter((result) => !result.ok && result.code === 'too_many_unpaid')
    expect(refused).toHaveLength(7)
    const made = await Promise.all(sessions.map(invoicesOf))
    expect(made.flat()).toHaveLength(5)
  })

  test('is the limit of the link, by which payers came who had not chosen yet', async () => {
    const linkId = await storeLink(sql, merchantId, { priceId, usesLimit: 1 })
    const session = () => storeSession(sql, askOf(merchantId, priceId, { linkId }))
    const [first, second] = [await session(), await session()]
    await chooseIn(sql, first)
    await sql`update checkout_session_invoice set paid_at = now() where session_id = ${first}`
    expect(await chooseIn(sql, second)).toMatchObject({ ok: false, code: 'choice_not_possible' })
    await sql`update payment_link set active = false, uses_limit = null where id = ${linkId}`
    expect(await chooseIn(sql, second)).toMatchObject({ ok: false, code: 'choice_not_possible' })
  })
})
