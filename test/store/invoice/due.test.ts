import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from '../../../core/invoice/retries.ts'
import type { Invoice, Payment, SettlementStatus } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  dueInvoices,
  expiredInvoices,
  failedInvoices,
  markDue,
  markExpiryAnnounced,
} from '../../../store/invoice/due.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeChain,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeSettlement,
} from '../../support/store/invoice.ts'

const RECIPIENT = newAddress()

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate invoice, watched, payment, settlement, refund, refund_part, chain_state cascade`
  merchantId = await storeMerchant(sql, { recipient: RECIPIENT })
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (change: Partial<Invoice> = {}) => storeInvoice(sql, merchantId, change)

describe('a paid invoice is looked at again', () => {
  const due = (without: InvoiceId[] = [], limit = 10) =>
    dueInvoices(sql, NETWORK, 20n, without, limit)
  const paid = async (change: Partial<Invoice>, payment: Partial<Payment> = {}) => {
    const { id } = await newInvoice({ status: 'paid', settlementState: 'due', ...change })
    await storePayment(sql, id, 10n, { blockNumber: 20n, ...payment })
    return id
  }

  test('when it is due, and a payment on this chain is deep enough', async () => {
    const first = await paid({})
    const second = await paid({})
    await paid({ settlementState: 'none' })
    await paid({ settlementState: 'below_gas_threshold' })
    await paid({ chains: [OTHER_NETWORK] })
    await paid({}, { blockNumber: 21n })
    await paid({}, { status: 'pending' })
    await paid({}, { networkId: OTHER_NETWORK })
    const unpaid = await newInvoice({ settlementState: 'due' })
    expect(await due()).toEqual([first, second])
    expect(await due([], 1)).toEqual([first])
    expect(await due([first])).toEqual([second])
    expect(await due()).not.toContain(unpaid.id)
  })

  test('not while it waits for a recipient or for more money, which make it due themselves', async () => {
    await paid({ settlementState: 'no_recipient' })
    await paid({ settlementState: 'below_gas_threshold' })
    expect(await due()).toEqual([])
  })

  describe('after failures', () => {
    async function failed(
      rounds: number,
      newestMsAgo: number,
      change: { status?: SettlementStatus; recipient?: typeof RECIPIENT } = {},
    ): Promise<InvoiceId> {
      const id = await paid({ settlementState: 'failed' })
      for (let round = 1; round <= rounds; round += 1) {
        const age = newestMsAgo + (rounds - round) * 1_000
        await storeSettlement(sql, id, 10n, {
          ...{ status: 'failed', recipient: RECIPIENT, round, ...change },
          createdAt: new Date(Date.now() - age),
        })
      }
      return id
    }
    const slice = (after: InvoiceId | null, limit = 100) =>
      failedInvoices(sql, NETWORK, 20n, after, limit)
    const isDue = async (id: InvoiceId) => (await slice(null)).rested.includes(id)
    const MINUTE = 60_000

    test.each([
      [3, FIRST_PAUSE_MS],
      [4, 2 * FIRST_PAUSE_MS],
      [5, 4 * FIRST_PAUSE_MS],
      [7, 16 * FIRST_PAUSE_MS],
      [8, LONGEST_PAUSE_MS],
      [30, LONGEST_PAUSE_MS],
    ])('%d in number, when it has rested for %d ms', async (rounds, restMs) => {
      expect(await isDue(await failed(rounds, restMs - MINUTE))).toBe(false)
      expect(await isDue(await failed(rounds, restMs + MINUTE))).toBe(true)
    })

    test('at once, when its rounds were planned again and did not fail', async () => {
      const id = await failed(3, 0)
      await sql`update settlement set replanned = true where invoice_id = ${id}`
      expect(await isDue(id)).toBe(true)
    })

    test('slice by slice, and never among those that wait for a block', async () => {
      const [first, resting, last] = [await failed(0, 0), await failed(3, 0), await failed(0, 0)]
      await paid({})
      expect(await slice(null)).toEqual({ rested: [first, last], next: null })
      expect(await slice(null, 2)).toEqual({ rested: [first], next: resting })
      expect(await slice(resting, 2)).toEqual({ rested: [last], next: null })
      expect(await due()).not.toContain(first)
    })

    test('with money on this chain that is deep enough', async () => {
      await paid({ settlementState: 'failed', chains: [OTHER_NETWORK] })
      await paid({ settlementState: 'failed' }, { blockNumber: 21n })
      await paid({ settlementState: 'failed' }, { networkId: OTHER_NETWORK })
      expect((await slice(null)).rested).toEqual([])
    })

    test('at once while they are few', async () => {
      expect(await isDue(await failed(2, 0))).toBe(true)
    })

    test('at once when they were sweeps to another recipient, or were none', async () => {
      expect(await isDue(await failed(3, 0, { recipient: newAddress() }))).toBe(true)
      expect(await isDue(await failed(3, 0, { status: 'confirmed' }))).toBe(true)
    })

    test('to its own recipient, regardless of what the merchant’s is', async () => {
      const recipient = newAddress()
      const id = await failed(3, 0, { recipient })
      await sql`update invoice set recipient = ${recipient} where id = ${id}`
      expect(await isDue(id)).toBe(false)
    })

    test('of other invoices and of other merchants, regardless of what those are', async () => {
      await failed(3, 0)
      await storeMerchant(sql, { recipient: newAddress() })
      expect(await isDue(await failed(0, 0))).toBe(true)
      expect(await isDue(await failed(3, 0))).toBe(false)
    })
  })

  test('when someone asks for it', async () => {
    const [id, other] = [
      await paid({ settlementState: 'none' }),
      await paid({ settlementState: 'none' }),
    ]
    await sql.begin((transaction) => markDue(transaction, id))
    expect(await due()).toEqual([id])
    expect(await due()).not.toContain(other)
  })
})

describe('an unpaid invoice has expired', () => {
  const END = new Date('2026-06-01T12:00:00Z')
  const NOW = new Date('2026-06-01T11:00:00Z')
  const after = (ms: number) => new Date(END.getTime() + ms)
  const configured = [NETWORK, OTHER_NETWORK]
  const expired = (without: InvoiceId[] = [], limit = 10, chains = configured) =>
    expiredInvoices(sql, chains, without, NOW, limit)

  test('when its chain has confirmed a block after its end, and not before', async () => {
    const { id } = await newInvoice({ expiresAt: END })
    expect(await expired()).toEqual([])
    for (const [confirmedTime, expected] of [
      [null, []],
      [after(-1_000), []],
      [END, []],
      [after(1_000), [id]],
    ] as const) {
      await storeChain(sql, { confirmedTime })
      expect(await expired()).toEqual([...expected])
    }
  })

  test('when every chain that it lists has', async () => {
    const { id } = await newInvoice({ expiresAt: END, chains: [NETWORK, OTHER_NETWORK] })
    await storeChain(sql, { confirmedTime: after(1_000) })
    expect(await expired()).toEqual([])
    for (const confirmedTime of [null, END]) {
      await storeChain(sql, { networkId: OTHER_NETWORK, confirmedTime })
      expect(await expired()).toEqual([])
    }
    await storeChain(sql, { networkId: OTHER_NETWORK, confirmedTime: after(1_000) })
    expect(await expired()).toEqual([id])
  })

  test('when every chain that is still followed has, of those that it lists', async () => {
    const { id } = await newInvoice({ expiresAt: END, chains: [NETWORK, OTHER_NETWORK] })
    await storeChain(sql, { confirmedTime: after(1_000) })
    await storeChain(sql, { networkId: OTHER_NETWORK, confirmedTime: after(-1_000) })
    expect(await expired()).toEqual([])
    expect(await expired([], 10, [NETWORK])).toEqual([id])
    // Another process follows it, which is all that matters.
    const heard = async (msAgo: number) => {
      const at = new Date(NOW.getTime() - msAgo)
      await sql`update chain_state set head_seen_at = ${at} where network_id = ${OTHER_NETWORK}`
    }
    await heard(24 * 3_600_000 - 1)
    expect(await expired([], 10, [NETWORK])).toEqual([])
    await heard(24 * 3_600_000)
    expect(await expired([], 10, [NETWORK])).toEqual([id])
  })

  test('by our own clock when no chain that it lists is followed any more', async () => {
    const past = await newInvoice({ expiresAt: new Date(NOW.getTime() - 1) })
    await newInvoice({ expiresAt: NOW })
    expect(await expired()).toEqual([])
    expect(await expired([], 10, [])).toEqual([past.id])
  })

  test('whatever else others list, in the order of their deadlines', async () => {
    await storeChain(sql, { confirmedTime: after(1_000) })
    await storeChain(sql, { networkId: OTHER_NETWORK, confirmedTime: after(1_000) })
    const lists = [[NETWORK], [OTHER_NETWORK], [NETWORK, OTHER_NETWORK], [OTHER_NETWORK]]
    const ids: InvoiceId[] = []
    for (const [i, chains] of lists.entries()) {
      ids.push((await newInvoice({ expiresAt: after(-i), chains })).id)
    }
    expect(await expired()).toEqual(ids.toReversed())
    expect(await expired([], 2)).toEqual(ids.toReversed().slice(0, 2))
  })

  test('when it was closed, if that was earlier', async () => {
    await storeChain(sql, { confirmedTime: after(1_000) })
    const closed = await newInvoice({ closedAt: END })
    const both = await newInvoice({ closedAt: after(-1_000), expiresAt: after(5_000) })
    await newInvoice({ closedAt: after(5_000), expiresAt: after(6_000) })
    expect(await expired()).toEqual([both.id, closed.id])
    expect(await expired([], 1)).toEqual([both.id])
    expect(await expired([both.id])).toEqual([closed.id])
  })

  test('not when it has no end, is paid, or may yet be paid, and once', async () => {
    await storeChain(sql, { confirmedTime: after(1_000) })
    await newInvoice()
    await newInvoice({ expiresAt: END, status: 'paid' })
    await newInvoice({ expiresAt: END, status: 'partial', pendingAmount: baseUnits(1n) })
    const { id } = await newInvoice({ expiresAt: END, status: 'partial' })
    const other = await newInvoice({ expiresAt: after(9_000) })
    expect(await expired()).toEqual([id])
    const announce = () =>
      sql.begin((transaction) => markExpiryAnnounced(transaction, id, after(2_000)))
    expect(await announce()).toBe(true)
    expect(await expired()).toEqual([])
    expect(await announce()).toBe(false)
    const rows = await sql`
      select id, version, expiry_announced_at from invoice
      where id = any(${[id, other.id]}) order by id`
    expect([...rows]).toEqual([
      { id, version: 2, expiryAnnouncedAt: after(2_000) },
      { id: other.id, version: 1, expiryAnnouncedAt: null },
    ])
  })
})
