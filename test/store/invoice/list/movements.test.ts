import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { MerchantId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import type { ReportedDay } from '../../../../core/invoice/report.ts'
import type { Database } from '../../../../store/database/database.ts'
import { foldMovements, reportDays } from '../../../../store/invoice/list/movements.ts'
import { reportTransactions } from '../../../../store/invoice/list/reports.ts'
import { asWorker, freshDatabase } from '../../../support/servers/database.ts'
import { newHash } from '../../../support/store/database.ts'
import {
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../../support/store/invoice.ts'
import * as x402 from '../../../support/store/x402.ts'

const NOW = new Date('2026-06-01T12:00:00Z')

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  merchantId = await storeMerchant(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (who = merchantId) => storeInvoice(sql, who, { createdAt: NOW })
/** Adds up all changes, with a worker's rights. */
async function foldAll(): Promise<void> {
  while ((await foldMovements(asWorker(sql))) > 0);
}

describe.each(['before', 'after'])('the sums of days, %s they were added up', (when) => {
  const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-06-03T00:00:00Z')]
  const [first, second] = [from, new Date('2026-06-02T23:59:59Z')]
  const days = async () => {
    if (when === 'after') await foldAll()
    return reportDays(sql, merchantId, { from, to })
  }

  test('are those of what was confirmed on them, and of nothing else', async () => {
    const { id } = await newInvoice()
    const at = (confirmedAt: Date) => ({ confirmedAt })
    const mined = { txHash: newHash() }
    await storePayment(sql, id, 10n, { fee: baseUnits(1n), ...at(first) })
    await storePayment(sql, id, 20n, { kind: 'late', ...at(first) })
    await storePayment(sql, id, 40n, { kind: 'foreign', ...at(first) })
    await storePayment(sql, id, 80n, { status: 'reverted', ...at(first) })
    await storePayment(sql, id, 160n, at(second))
    await storeSettlement(sql, id, 9n, { fee: baseUnits(2n), ...at(first) })
    await storeSettlement(sql, id, 90n, { status: 'mined', round: 2, ...at(first) })
    await storeRefund(sql, id, 3n, { status: 'confirmed', ...mined, ...at(first) })
    await storeRefund(sql, id, 30n, { status: 'mined', ...mined, ...at(first) })
    const nothing = { payments: 0, received: 0n, late: 0n, refunds: 0, refunded: 0n }
    expect(await days()).toMatchObject([
      {
        ...{ day: '2026-06-01', payments: 2, received: 10n, late: 20n },
        ...{ settlements: 1, remitted: 7n, fees: 2n, refunds: 1, refunded: 3n },
      },
      {
        ...nothing,
        ...{
          day: '2026-06-02',
          payments: 1,
          received: 160n,
          settlements: 0,
          remitted: 0n,
          fees: 0n,
        },
      },
    ])
  })

  test('begin with the first moment and end before the last one', async () => {
    const { id } = await newInvoice()
    for (const confirmedAt of [new Date(from.getTime() - 1), to]) {
      await storePayment(sql, id, 1n, { confirmedAt })
      await storeSettlement(sql, id, 1n, { confirmedAt, round: confirmedAt === to ? 2 : 1 })
      await storeRefund(sql, id, 1n, { confirmedAt, status: 'confirmed', txHash: newHash() })
    }
    expect(await days()).toEqual([])
    await storeSettlement(sql, id, 1n, { confirmedAt: first, round: 3 })
    await storeRefund(sql, id, 1n, {
      ...{ confirmedAt: first, status: 'confirmed', txHash: newHash() },
    })
    expect(await days()).toMatchObject([{ settlements: 1, refunds: 1 }])
  })

  test('are the merchant’s alone', async () => {
    const { id } = await newInvoice(await storeMerchant(sql))
    const confirmedAt = first
    await storePayment(sql, id, 1n, { confirmedAt })
    await storeSettlement(sql, id, 1n, { confirmedAt })
    await storeRefund(sql, id, 1n, { confirmedAt, status: 'confirmed', txHash: newHash() })
    expect(await days()).toEqual([])
  })
})

describe('whatever becomes of money', () => {
  const HOUR_MS = 3_600_000
  const FIRST = new Date('2026-06-01T00:00:00Z').getTime()
  const moment = fc
    .integer({ min: 0, max: 4 * 24 })
    .map((hours) => new Date(FIRST + hours * HOUR_MS))
  const step = fc.oneof(
    fc.record({
      does: fc.constant('payment' as const),
      at: moment,
      amount: fc.bigInt(1n, 100n),
      kind: fc.constantFrom('counted', 'late', 'foreign'),
      status: fc.constantFrom('pending', 'confirmed'),
    }),
    fc.record({
      does: fc.constant('settlement' as const),
      at: moment,
      amount: fc.bigInt(10n, 100n),
      status: fc.constantFrom('open', 'confirmed'),
    }),
    fc.record({
      does: fc.constant('refund' as const),
      at: moment,
      amount: fc.bigInt(10n, 100n),
      status: fc.constantFrom('open', 'confirmed'),
    }),
    fc.record({
      does: fc.constantFrom('confirm' as const, 'take back' as const, 'accept' as const),
      table: fc.constantFrom('payment', 'settlement', 'refund'),
      at: moment,
    }),
    fc.constant({ does: 'fold' as const }),
  )

  test('every range has the sums of the rows that were confirmed in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 15 }),
        fc.array(fc.tuple(moment, moment), { minLength: 3, maxLength: 3 }),
        async (steps, ranges) => {
          merchantId = await storeMerchant(sql)
          const { id } = await newInvoice()
          for (const [round, one] of steps.entries()) await take(one, id, round + 1)
          for (const [from, to] of ranges) {
            expect(await reportDays(sql, merchantId, { from, to })).toEqual(
              await sumsOfRows({ from, to }),
            )
          }
        },
      ),
      { numRuns: 40 },
    )
  }, 120_000)

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
  type Invoice = Awaited<ReturnType<typeof newInvoice>>['id']

  async function take(one: Step, id: Invoice, round: number): Promise<void> {
    if (one.does === 'fold') return foldAll()
    if (one.does === 'payment') {
      const { at, amount, kind, status } = one
      const confirmedAt = status === 'confirmed' ? at : null
      await storePayment(sql, id, amount, { kind, status, confirmedAt })
    } else if (one.does === 'settlement') {
      const { at: confirmedAt, amount, status } = one
      await storeSettlement(sql, id, amount, { fee: baseUnits(2n), round, status, confirmedAt })
    } else if (one.does === 'refund') {
      const { at: confirmedAt, amount, status } = one
      const mined = status === 'confirmed' ? { txHash: newHash() } : {}
      await storeRefund(sql, id, amount, { status, confirmedAt, ...mined })
    } else await change(one)
  }

  /** Of all rows of a kind, as a deep reorganisation or a merchant does it with some. */
  async function change(one: Extract<Step, { readonly table: string }>): Promise<void> {
    const table = sql(one.table)
    if (one.does === 'accept') {
      await sql`
        update payment set kind = 'counted' where merchant_id = ${merchantId} and kind = 'late'`
    } else if (one.does === 'confirm') {
      const mined = one.table === 'refund' ? sql`, tx_hash = ${newHash()}` : sql``
      await sql`
        update ${table} set status = 'confirmed', confirmed_at = ${one.at} ${mined}
        where merchant_id = ${merchantId}`
    } else {
      const status = one.table === 'payment' ? 'reverted' : 'open'
      const mined = one.table === 'refund' ? sql`, tx_hash = null` : sql``
      await sql`
        update ${table} set status = ${status}, confirmed_at = null ${mined}
        where merchant_id = ${merchantId}`
    }
  }

  /** The same out of the rows alone. */
  async function sumsOfRows({ from, to }: { from: Date; to: Date }): Promise<ReportedDay[]> {
    const confirmed = sql`
      merchant_id = ${merchantId} and status = 'confirmed'
      and confirmed_at >= ${from} and confirmed_at < ${to}`
    return sql<ReportedDay[]>`
      select to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD') as day, network_id, token,
        count(*) filter (where type in ('counted', 'late'))::integer as payments,
        coalesce(sum(amount) filter (where type = 'counted'), 0) as received,
        coalesce(sum(amount) filter (where type = 'late'), 0) as late,
        count(*) filter (where type = 'settlement')::integer as settlements,
        coalesce(sum(amount - fee) filter (where type = 'settlement'), 0) as remitted,
        coalesce(sum(fee) filter (where type = 'settlement'), 0) as fees,
        count(*) filter (where type = 'refund')::integer as refunds,
        coalesce(sum(amount) filter (where type = 'refund'), 0) as refunded,
        count(*) filter (where type = 'external_refund')::integer as external_refunds,
        coalesce(sum(amount) filter (where type = 'external_refund'), 0) as externally_refunded,
        0 as x402_payments, 0::numeric as x402_received, 0::numeric as x402_direct,
        0::numeric as x402_fees_owed, 0 as x402_payouts,
        0::numeric as x402_remitted, 0::numeric as x402_fees,
        0 as x402_refunds, 0::numeric as x402_refunded
      from (
        select kind as type, network_id, token::text, amount, fee, confirmed_at from payment
        where ${confirmed} and kind <> 'foreign'
        union all
        select 'settlement', network_id, token, amount, fee, confirmed_at from settlement
        where ${confirmed}
        union all
        select 'refund', network_id, token, amount, 0, confirmed_at from refund where ${confirmed}
        union all
        select 'external_refund', network_id, token, amount, 0, confirmed_at from external_refund
        where ${confirmed}
      ) as movement
      group by 1, 2, 3 order by 1, 2, 3`
  }
})

test('the sums are added up by one process at a time', async () => {
  const { id } = await newInvoice()
  await foldAll()
  await storePayment(sql, id, 1n, { confirmedAt: NOW })
  const held = await sql.reserve()
  await held`select pg_advisory_lock(7733105)`
  expect(await foldMovements(sql)).toBe(0)
  await held`select pg_advisory_unlock(7733105)`
  held.release()
  expect(await foldMovements(sql)).toBe(1)
})

describe('what was paid by x402', () => {
  test('is summed when it is confirmed and when it is paid out, and taken back with its block', async () => {
    const shop = await x402.newShop(sql)
    const claim = x402.aClaim(shop, { value: 60n })
    await x402.confirmed(sql, claim)
    const [row] = await sql<{ confirmedAt: Date }[]>`
      update x402_payment set confirmed_at = ${NOW} where merchant_id = ${shop.id}
      returning confirmed_at`
    expect(row?.confirmedAt).toEqual(NOW)
    const days = async () =>
      reportDays(sql, shop.id, {
        from: new Date('2026-06-01T00:00:00Z'),
        to: new Date('2026-06-02T00:00:00Z'),
      })
    const paid = { x402Payments: 1, x402Received: 60n, x402Payouts: 0, payments: 0 }
    expect(await days()).toMatchObject([paid])
    await foldAll()
    expect(await days()).toMatchObject([paid])
    await sql`
      insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
        block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
      values (${Bun.randomUUIDv7()}, ${shop.id}, ${x402.NETWORK}, ${x402.TOKEN}, ${newHash()}, 1, 9,
        ${newHash()}, ${NOW}, ${shop.forwarder}, 57, 3, 0, 0)`
    const out = { ...paid, x402Payouts: 1, x402Remitted: 57n, x402Fees: 3n }
    expect(await days()).toMatchObject([out])
    await foldAll()
    expect(await days()).toMatchObject([out])
    // Half of the day is read from the rows themselves.
    const half = await reportDays(sql, shop.id, { from: NOW, to: new Date(NOW.getTime() + 1) })
    expect(half).toMatchObject([out])
    const { transactions } = await reportTransactions(
      sql,
      shop.id,
      { from: null, to: null },
      null,
      9,
    )
    expect(transactions.map(({ type, net }) => `${type} ${net}`).toSorted()).toEqual([
      'x402_payment 60',
      'x402_payout 57',
    ])
    await sql`delete from x402_distribution where merchant_id = ${shop.id}`
    expect(await days()).toMatchObject([paid])
  })

  test('adds up with all that was ever moved, however it was added up', async () => {
    await foldAll()
    const sums = (source: 'money_total' | 'movement_tally') => sql`
      select network_id, token, type, sum(amount) as amount, sum(fee) as fee from ${sql(source)}
      group by 1, 2, 3 order by 1, 2, 3`
    expect([...(await sums('money_total'))]).toEqual([...(await sums('movement_tally'))])
  })
})
