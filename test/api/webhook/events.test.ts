import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asInvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { advanceLocked } from '../../../store/invoice/advance.ts'
import { recordTransfers, setConfirmed, withChanges } from '../../../store/invoice/payments.ts'
import { fanOutEvents } from '../../../store/webhook/fanOut.ts'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import { PAYER, randomHash } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { events, fanOut, UNKNOWN_ID } from '../../support/api/webhookCalls.ts'
import { lockInvoice } from '../../support/store/invoice.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)
afterAll(() => rig.close())
beforeEach(async () => {
  await rig.database`delete from outbox`
})

/** A transfer of one base unit of a token on base-sepolia. */
function transferOf(token: Address) {
  return {
    networkId: 'base-sepolia',
    txHash: randomHash(),
    token,
    sender: PAYER,
    amount: baseUnits(1n),
    blockNumber: 100n,
    blockHash: randomHash(),
    blockTime: new Date(),
  } as const
}

describe('events', () => {
  test('are read onwards, each of them once', async () => {
    const invoices: string[] = []
    for (let i = 0; i < 5; i += 1) invoices.push((await rig.create()).id)
    await fanOut(rig)
    const seen: unknown[] = []
    let after = ''
    for (;;) {
      const page = await events(rig, `?limit=2${after}`)
      seen.push(...page.data.map(({ data }) => data.id))
      after = `&after=${page.metadata.pagination.nextAfter}`
      if (!page.metadata.pagination.hasMore) break
    }
    expect(seen).toEqual(invoices)
    const end = await events(rig, `?limit=2${after}`)
    expect(end.data).toEqual([])
    expect(`&after=${end.metadata.pagination.nextAfter}`).toBe(after)
  })

  test('have the form of their webhooks, and the id', async () => {
    const invoice = await rig.create()
    await fanOut(rig)
    const [event] = (await events(rig)).data
    expect(event).toMatchObject({
      type: 'invoice.created',
      data: { id: invoice.id, environment: 'sandbox', version: 1 },
    })
    const one = await rig.call('GET', `/v1/events/${event?.id}`)
    expect(JSON.parse(one.text).data).toEqual(event)
  })

  test.each([
    [10, 10],
    [11, 1],
  ])('of %d payments that are seen and confirmed at once are %d of each', async (count, told) => {
    const invoice = await rig.create()
    const token = invoice.addresses.find(({ networkId }) => networkId === 'base-sepolia')
    const transfers = Array.from({ length: count }, (_, logIndex) => ({
      ...transferOf(lowerCaseAddress(token?.tokenAddress ?? '')),
      ...{ logIndex, invoiceId: asInvoiceId(invoice.id) },
    }))
    await recordTransfers(rig, transfers, new Date())
    await rig.database.begin(async (sql) => {
      const locked = await lockInvoice(sql, invoice.id)
      if (!locked) throw new Error('there is no such invoice')
      const changes = await setConfirmed(sql, locked.payments, new Date())
      await advanceLocked(sql, rig.config, withChanges([locked.invoice], changes), new Date())
    })
    const rows = await rig.database<{ type: string; version: number; payments: number }[]>`
      select type, version, (data->>'transactionCount')::int as payments
      from outbox where object_id = ${invoice.id} order by version`
    const wanted = [
      'invoice.created',
      ...Array(told).fill('invoice.payment_detected'),
      ...Array(told).fill('invoice.payment_confirmed'),
      'invoice.partially_paid',
    ]
    expect(rows.map(({ type }) => type)).toEqual(wanted)
    expect(rows.map(({ version }) => version)).toEqual(wanted.map((_, index) => index + 1))
    expect(new Set(rows.slice(1).map(({ payments }) => payments))).toEqual(new Set([count]))
  })

  test('that are committed late are not skipped', async () => {
    const slow = await rig.database.reserve()
    const { id: merchantId } = rig.merchant.merchant
    const early = Bun.randomUUIDv7()
    await slow`begin`
    await slow`insert into outbox (id, merchant_id, type, object_id, version, data)
      values (${early}, ${merchantId}, 'test', ${early}, 1, '{}')`
    await rig.create()
    await fanOut(rig)
    const first = await events(rig)
    expect(first.data).toHaveLength(1)
    await slow`commit`
    slow.release()
    await fanOut(rig)
    const next = await events(rig, `?after=${first.metadata.pagination.nextAfter}`)
    expect(next.data.map(({ id }) => id)).toEqual([early])
  })

  test('are put in order by one notifier at a time', async () => {
    for (let i = 0; i < 3; i += 1) await rig.create()
    await rig.database.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(7733102)`
      expect(await fanOutEvents(rig.database)).toBe(0)
    })
    expect(await fanOutEvents(rig.database)).toBe(3)
  })

  test('are seen backwards from the newest, to read on from there', async () => {
    await rig.create()
    await rig.create()
    await fanOut(rig)
    const page = await events(rig, '?first=newest&limit=1')
    expect(page.metadata.pagination.hasMore).toBe(true)
    const third = await rig.create()
    await fanOut(rig)
    const next = await events(rig, `?after=${page.metadata.pagination.nextAfter}`)
    expect(next.data.map(({ data }) => data.id)).toEqual([third.id])
  })

  test('are filtered by type and by object', async () => {
    const { id } = await rig.create()
    await rig.create()
    await fanOut(rig)
    expect((await events(rig, '?type=invoice.paid')).data).toEqual([])
    expect((await events(rig, `?objectId=${id}`)).data).toHaveLength(1)
  })

  test('of another merchant are not found', async () => {
    await rig.create()
    await fanOut(rig)
    const [event] = (await events(rig)).data
    const { secretKey: key } = await rig.newMerchant()
    expectError(await rig.call('GET', `/v1/events/${event?.id}`, { key }), 404, 'event not found')
    expect((await events(rig, '', key)).data).toEqual([])
    const after = await rig.call('GET', `/v1/events?after=${event?.id}`, { key })
    expectDetail(after, 'invalid query parameters', 'after')
  })

  test('and ids that are none are told apart', async () => {
    expectError(await rig.call('GET', '/v1/events/7'), 400, 'invalid event id')
    expectError(await rig.call('GET', `/v1/events/${UNKNOWN_ID}`), 404, 'event not found')
    for (const [query, path] of [
      ['after=7', 'after'],
      [`after=${UNKNOWN_ID}`, 'after'],
      [`after=${UNKNOWN_ID}&first=newest`, 'first'],
      ['type=invoice.payed', 'type'],
      ['limit=101', 'limit'],
      ['page=1', 'page'],
    ]) {
      const answer = await rig.call('GET', `/v1/events?${query}`)
      expectDetail(answer, 'invalid query parameters', path ?? '')
    }
  })
})
