import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  asPaymentId,
  type InvoiceId,
  type MerchantId,
  type RefundId,
} from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import type { Invoice, RefundStatus } from '../../../core/invoice/state.ts'
import type { Database, Transaction } from '../../../store/database/database.ts'
import { refunds } from '../../../store/refund/transition.ts'
import { doubtfulRefunds, readRefundOrders, readRefundSources } from '../../../store/refund/work.ts'
import { advance, invoicesOf, type Step } from '../../../store/relayer/transition.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeChain,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../support/store/invoice.ts'
import { storeItem } from '../../support/store/relayer.ts'

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
})
beforeEach(async () => {
  await sql`
    truncate invoice, watched, payment, settlement, refund, refund_part, chain_state, work_item, outbox cascade`
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (): Promise<Invoice> => storeInvoice(sql, merchantId)
const AT = { txHash: newHash(), block: 12n, blockHash: newHash() }

/** A refund of 10 in this status, of a payment of 100, of which 10 are where that status puts them. */
async function refundThatIs(status: RefundStatus) {
  const { id: invoiceId } = await newInvoice()
  const [refunding, refunded] = PARTS[status]
  const payment = await storePayment(sql, invoiceId, 100n, {
    ...{ refunding: baseUnits(refunding), refunded: baseUnits(refunded) },
  })
  const txHash = status === 'mined' || status === 'confirmed' ? newHash() : null
  const parts = new Map([[payment.id, 10n]])
  const refund = await storeRefund(sql, invoiceId, 10n, { status, txHash }, parts)
  return { id: refund.id, invoiceId, paymentId: payment.id }
}

/** What of a payment is on its way, and what is given back, by its refund's status. */
const PARTS: Record<RefundStatus, readonly [bigint, bigint]> = {
  open: [10n, 0n],
  mined: [10n, 0n],
  confirmed: [0n, 10n],
  failed: [0n, 0n],
}

async function statusOf(id: RefundId): Promise<RefundStatus> {
  const [row] = await sql<{ status: RefundStatus }[]>`select status from refund where id = ${id}`
  if (!row) throw new Error('there is no such refund')
  return row.status
}

/** To which status a change takes a refund in each status; and the money goes with it, to the unit. */
async function outcomes(
  change: (sql: Transaction, id: RefundId) => Promise<InvoiceId[]>,
): Promise<Record<string, string>> {
  const ends: Record<string, string> = {}
  for (const status of ['open', 'mined', 'confirmed', 'failed'] as const) {
    const refund = await refundThatIs(status)
    const other = await refundThatIs(status)
    const changed = await sql.begin((transaction) => change(transaction, refund.id))
    const end = await statusOf(refund.id)
    ends[status] = end
    expect(changed).toEqual(end === status ? [] : [refund.invoiceId])
    expect(await statusOf(other.id)).toBe(status)
    for (const { paymentId, is } of [
      { ...refund, is: end },
      { ...other, is: status },
    ]) {
      const [row] = await sql`select refunding, refunded from payment where id = ${paymentId}`
      const [refunding, refunded] = PARTS[is]
      expect(row).toEqual({ refunding, refunded })
    }
  }
  return ends
}

async function take(to: Transaction, step: Step, id: RefundId): Promise<InvoiceId[]> {
  const given = [{ id, reason: 'too late' }]
  return invoicesOf(await advance(to, refunds(ALL_CHAINS, true), step, given, AT))
}

async function told(): Promise<string[]> {
  const rows = await sql<{ type: string }[]>`select type from outbox order by id`
  return rows.map(({ type }) => type)
}

describe('a refund', () => {
  const same = { open: 'open', mined: 'mined', confirmed: 'confirmed', failed: 'failed' }

  test('is mined when it was open, or had failed before a reorganisation', async () => {
    const ends = await outcomes((transaction, id) => take(transaction, 'mined', id))
    expect(ends).toEqual({ ...same, open: 'mined', failed: 'mined' })
    expect(await told()).toEqual([])
  })

  test('is confirmed only when it is mined, and told', async () => {
    const ends = await outcomes((transaction, id) => take(transaction, 'confirmed', id))
    expect(ends).toEqual({ ...same, mined: 'confirmed' })
    expect(await told()).toEqual(['refund.completed'])
  })

  test('is open again when a reorganisation took it away, confirmed or not', async () => {
    const ends = await outcomes((transaction, id) => take(transaction, 'reopened', id))
    expect(ends).toEqual({ ...same, mined: 'open', confirmed: 'open' })
  })

  test('fails only while it is open, and is told', async () => {
    const ends = await outcomes((transaction, id) => take(transaction, 'failed', id))
    expect(ends).toEqual({ ...same, open: 'failed' })
    expect(await told()).toEqual(['refund.failed'])
  })

  test('of several parts moves each of them', async () => {
    const { id: invoiceId } = await newInvoice()
    const promised = { refunding: baseUnits(50n) }
    const one = await storePayment(sql, invoiceId, 100n, promised)
    const two = await storePayment(sql, invoiceId, 100n, promised)
    const parts = new Map([
      [one.id, 20n],
      [two.id, 30n],
    ])
    const { id } = await storeRefund(
      sql,
      invoiceId,
      50n,
      { status: 'mined', txHash: newHash() },
      parts,
    )
    await sql.begin((transaction) => take(transaction, 'confirmed', id))
    const rows = await sql`
      select refunding, refunded from payment where invoice_id = ${invoiceId} order by refunded`
    expect([...rows]).toEqual([
      { refunding: 30n, refunded: 20n },
      { refunding: 20n, refunded: 30n },
    ])
  })
})

describe('the deadline of a refund', () => {
  test('is past when the chain has confirmed a later second', async () => {
    const { id: invoiceId } = await newInvoice()
    const CONFIRMED = 1_000n
    await storeChain(sql, { confirmedTime: new Date(Number(CONFIRMED) * 1_000) })
    await storeChain(sql, { networkId: OTHER_NETWORK, confirmedTime: new Date(0) })
    const refund = async (
      deadline: bigint,
      status: RefundStatus = 'open',
      networkId: string = NETWORK,
    ) => {
      const txHash = status === 'mined' ? newHash() : null
      const change = { deadline, status, networkId, txHash }
      const { id } = await storeRefund(sql, invoiceId, 10n, change)
      await storeItem(sql, 'refund', { refundId: id }, { dedupeKey: `refund:${id}` })
      return id
    }
    const [late, later] = [await refund(999n), await refund(998n)]
    await refund(1_000n)
    await refund(998n, 'mined')
    await refund(998n, 'open', OTHER_NETWORK)
    const read = async (without: InvoiceId[] = [], limit = 10, networkId: string = NETWORK) =>
      (await doubtfulRefunds(sql, networkId, without, limit)).map(({ refundId }) => refundId)
    expect(await read()).toEqual([later, late])
    expect(await read([], 1)).toEqual([later])
    expect(await read([invoiceId])).toEqual([])
    expect(await read([], 10, OTHER_NETWORK)).toEqual([])
  })
})

test('orders are read in the order of their items, without what is no refund', async () => {
  const invoice = await newInvoice()
  const refund = await storeRefund(sql, invoice.id, 10n)
  const itemOf = async (kind: string, { id: refundId } = refund) =>
    storeItem(sql, kind, { refundId })
  const another = () => storeRefund(sql, invoice.id, 10n)
  const [first, second] = [await itemOf('refund'), await itemOf('refund', await another())]
  const sweep = await itemOf('sweep', await another())
  await itemOf('refund', await another())
  const rows = await readRefundOrders(sql, [second, sweep, first])
  expect(rows.map(({ itemId }) => itemId)).toEqual([first, second])
  expect(rows[0]).toMatchObject({
    ...{ refundId: refund.id, invoiceId: invoice.id, merchantId, itemState: 'queued' },
    ...{ source: invoice.depositAddress, to: refund.recipient, amount: 10n, deadline: null },
  })
})

describe('the payments that a refund is taken from', () => {
  /** So many payments of 10 in one invoice. */
  async function manyPayments(count: number) {
    const { id: invoiceId } = await newInvoice()
    const first = await storePayment(sql, invoiceId, 10n)
    const ids = Array.from({ length: count - 1 }, () => Bun.randomUUIDv7())
    await sql`
      insert into payment
      select (jsonb_populate_record(p, jsonb_build_object('id', new.id, 'tx_hash', new.hash,
        'detected_order', new.place + p.detected_order))).*
      from payment p, unnest(${ids}::uuid[], ${ids.map(() => newHash())}::text[])
        with ordinality as new (id, hash, place)
      where p.id = ${first.id}`
    return { invoiceId, paymentIds: [first.id, ...ids.map(asPaymentId)] }
  }

  test('say how much of each is promised, and whether sweeps took their money', async () => {
    const { invoiceId, paymentIds } = await manyPayments(2)
    const [one, other] = paymentIds
    if (one === undefined || other === undefined) throw new Error('there are two')
    const refund = await storeRefund(
      ...([
        sql,
        invoiceId,
        12n,
        {},
        new Map([
          [one, 4n],
          [other, 8n],
        ]),
      ] as const),
    )
    await storeRefund(sql, invoiceId, 3n, {}, new Map([[one, 3n]]))
    await storeRefund(sql, invoiceId, 5n, { status: 'failed' }, new Map([[other, 5n]]))
    const read = async () => {
      const sources = await readRefundSources(sql, [refund.id])
      return sources.map(({ amount, promised, isSwept }) => [amount, promised, isSwept])
    }
    expect(await read()).toEqual([
      [baseUnits(4n), 7n, false],
      [baseUnits(8n), 8n, false],
    ])
    await storeSettlement(sql, invoiceId, 21n)
    expect(await read()).toEqual([
      [baseUnits(4n), 7n, true],
      [baseUnits(8n), 8n, true],
    ])
  })

  test('are each looked up a few times, of an invoice with 4,000 of them', async () => {
    const { invoiceId, paymentIds } = await manyPayments(4_000)
    const refund = await storeRefund(sql, invoiceId, 40_000n)
    await sql`
      insert into refund_part (refund_id, payment_id, amount)
      select ${refund.id}, unnest(${paymentIds}::uuid[]), 10`
    const { sources, rows } = await sql.begin(async (transaction) => {
      const sources = await readRefundSources(transaction, [refund.id])
      return { sources, rows: await rowsRead(transaction) }
    })
    expect(sources).toHaveLength(4_000)
    expect(sources.every(({ promised }) => promised === 10n)).toBe(true)
    // All of them once more for each of them would be 16,000,000.
    expect(rows).toBeLessThan(100_000)
  })

  /** How many rows and entries of indexes this transaction has read so far. */
  async function rowsRead(transaction: Transaction): Promise<number> {
    const [row] = await transaction<{ tuples: number }[]>`
      select coalesce(sum(pg_stat_get_xact_tuples_returned(oid)
        + pg_stat_get_xact_tuples_fetched(oid)), 0)::integer as tuples
      from pg_class where relname in ('payment', 'refund_part', 'payment_pkey',
        'payment_by_invoice', 'refund_part_pkey', 'refund_part_by_payment')`
    return row?.tuples ?? Number.POSITIVE_INFINITY
  }
})
