import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../../core/base/ids.ts'
import { announceHead } from '../../../../store/chain/heads.ts'
import { fanOutEvents } from '../../../../store/webhook/fanOut.ts'
import { followChains, pay, randomHash } from '../../../support/api/ledger.ts'
import { Browser, newMember, openDashboardRig, type SignedIn } from '../../../support/api/people.ts'
import type { ApiRig } from '../../../support/api/rig.ts'

/** Pages that follow a merchant. */

let rig: ApiRig
let merchantId: MerchantId
let reader: SignedIn

beforeAll(async () => {
  rig = await openDashboardRig()
  merchantId = rig.merchant.merchant.id
  await followChains(rig)
  reader = await newMember(rig, 'reader', merchantId, { hasSecondFactor: false })
}, 120_000)
afterAll(() => rig.close())

interface Heard {
  readonly event: string
  readonly data: string
}

interface Page {
  readonly status: number
  readonly headers: Headers
  /** The next event; null at the end of the stream. */
  next(): Promise<Heard | null>
  /** The next change, regardless of which blocks come before it. */
  change(): Promise<readonly string[] | null>
  stop(): Promise<void>
}

async function follow(person: Browser, of = merchantId): Promise<Page> {
  const response = await rig.fetch(`/dashboard/api/merchants/${of}/v1/live`, {
    headers: { cookie: person.cookie },
  })
  const { status, headers } = response
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  async function next(): Promise<Heard | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const chunk = await reader?.read()
        if (!chunk || chunk.done) return null
        text += decoder.decode(chunk.value, { stream: true })
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const event = field('event')
      if (event !== undefined) return { event, data: field('data') ?? '' }
    }
  }
  return {
    status,
    headers,
    next,
    async change() {
      for (;;) {
        const heard = await next()
        if (heard === null) throw new Error('the stream has ended')
        if (heard.event === 'change') return JSON.parse(heard.data)
      }
    },
    stop: async () => reader?.cancel(),
  }
}

/** A page that has heard that anything may have changed, as at the beginning of a subscription. */
async function settled(page: Page, change: () => Promise<InvoiceId>): Promise<InvoiceId> {
  for (;;) {
    const id = await change()
    await fanOutEvents(rig.database)
    const ids = await page.change()
    if (ids?.includes(id)) return id
  }
}

async function newInvoice(): Promise<InvoiceId> {
  return (await rig.create()).id
}

function newHead(number: bigint) {
  return {
    ...{ number, hash: randomHash(), parentHash: randomHash(), time: new Date() },
    ...{ baseFeePerGas: 1n, gasLimit: 30_000_000n },
  }
}

/** Until a user waits for the lock of the sessions. */
async function sessionIsAskedFor(): Promise<void> {
  for (;;) {
    const [row] = await rig.database`
      select 1 from pg_stat_activity
      where application_name = 'remit-auth' and wait_event_type = 'Lock'
        and datname = current_database()`
    if (row) return
    await Bun.sleep(10)
  }
}

describe('a page that follows a merchant', () => {
  test('is told which invoices have changed, and keeps no proxy from passing it on', async () => {
    const page = await follow(reader.browser)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/event-stream')
    expect(page.headers.get('x-accel-buffering')).toBe('no')
    const id = await settled(page, newInvoice)
    await pay(rig, { id }, 1_000_000n)
    await fanOutEvents(rig.database)
    expect(await page.change()).toEqual([id])
    await page.stop()
  }, 30_000)

  test('is told of a refund by its invoice', async () => {
    const page = await follow(reader.browser)
    const id = await settled(page, newInvoice)
    await rig.database`
      insert into outbox (id, merchant_id, type, object_id, version, data)
      values (${Bun.randomUUIDv7()}, ${merchantId}, 'refund.created', ${Bun.randomUUIDv7()}, 1,
        ${rig.database.json({ invoiceId: id })})`
    await fanOutEvents(rig.database)
    expect(await page.change()).toEqual([id])
    await page.stop()
  }, 30_000)

  test('is told of no one else’s changes', async () => {
    const page = await follow(reader.browser)
    await settled(page, newInvoice)
    const other = await rig.newMerchant()
    await rig.call('POST', '/v1/invoices', {
      key: other.secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: '3' },
    })
    const own = await newInvoice()
    await fanOutEvents(rig.database)
    expect(await page.change()).toEqual([own])
    await page.stop()
  }, 30_000)

  test('hears each block', async () => {
    const page = await follow(reader.browser)
    await settled(page, newInvoice)
    await announceHead(rig.database, 'base-sepolia', newHead(5_000n), [])
    expect(await page.next()).toEqual({ event: 'block', data: 'base-sepolia' })
    await page.stop()
  }, 30_000)

  test('ends for a user who was removed, before anything more is told', async () => {
    const leaver = await newMember(rig, 'support', merchantId)
    const page = await follow(leaver.browser)
    await settled(page, newInvoice)
    await rig.database`
      delete from member where person_id in (
        select id from auth."user" where email = ${leaver.email})`
    await newInvoice()
    await fanOutEvents(rig.database)
    expect(await page.next()).toBeNull()
  }, 30_000)

  test('tells a user who was removed nothing beside a block either', async () => {
    const leaver = await newMember(rig, 'support', merchantId)
    const page = await follow(leaver.browser)
    await settled(page, newInvoice)
    await rig.database`
      delete from member where person_id in (
        select id from auth."user" where email = ${leaver.email})`
    // Whether the page may follow can't be found out before the block has come.
    await rig.database.begin(async (sql) => {
      await sql`lock table auth.session in access exclusive mode`
      await newInvoice()
      await fanOutEvents(rig.database)
      await sessionIsAskedFor()
      await announceHead(rig.database, 'base-sepolia', newHead(5_001n), [])
      expect(await page.next()).toEqual({ event: 'block', data: 'base-sepolia' })
    })
    expect(await page.next()).toBeNull()
  }, 60_000)

  test('ends for a user who has signed out', async () => {
    const leaver = await newMember(rig, 'support', merchantId)
    const page = await follow(leaver.browser)
    await settled(page, newInvoice)
    const cookie = leaver.browser.cookie
    await leaver.browser.auth('/sign-out')
    expect(cookie).not.toBe('')
    await newInvoice()
    await fanOutEvents(rig.database)
    expect(await page.next()).toBeNull()
  }, 30_000)
})

describe('no one else follows it', () => {
  test('neither a person of another merchant, nor anyone without a session', async () => {
    const { id } = (await rig.newMerchant()).merchant
    const stranger = await newMember(rig, 'owner', id)
    const refused = await follow(stranger.browser)
    expect(refused.status).toBe(404)
    expect((await follow(new Browser(rig))).status).toBe(401)
  }, 30_000)

  test('and no one keeps more streams open than pages that they could look at', async () => {
    const many = await newMember(rig, 'reader', merchantId, { hasSecondFactor: false })
    const pages: Page[] = []
    for (let n = 0; n < 20; n++) pages.push(await follow(many.browser))
    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const refused = await follow(many.browser)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('30')
    await pages[0]?.stop()
    const again = await follow(many.browser)
    expect(again.status).toBe(200)
    for (const page of [...pages.slice(1), again]) await page.stop()
  }, 30_000)
})
