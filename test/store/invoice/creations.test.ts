import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId, type MerchantId } from '../../../core/base/ids.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { createKey, openKeyLookup, rotateKey } from '../../../store/access/apiKeys.ts'
import type { Database } from '../../../store/database/database.ts'
import { insertInvoices, type NewInvoice, openCreations } from '../../../store/invoice/creations.ts'
import { anInvoice } from '../../support/core/invoiceRows.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import { NETWORK, storeMerchant } from '../../support/store/invoice.ts'

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

function newInvoice(change: Partial<Invoice> = {}): NewInvoice {
  const id = asInvoiceId(Bun.randomUUIDv7())
  const invoice = anInvoice({
    ...{ id, merchantId, reference: id.slice(-10), chains: [NETWORK] },
    depositAddress: newAddress(),
    ...change,
  })
  return { invoice, metadataJson: '{"a":1}', eventJson: '{"told":true}' }
}

/** The tables in which an invoice left a row. */
async function tracesOf({ invoice: { id } }: NewInvoice): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select 'invoice' as name from invoice where id = ${id}
    union all select 'watched' from watched where invoice_id = ${id}
    union all select 'outbox' from outbox where object_id = ${id}`
  return rows.map(({ name }) => name)
}

const ALL = ['invoice', 'watched', 'outbox']

describe.each([
  ['alone', (entry: NewInvoice) => [entry]],
  ['together with others', (entry: NewInvoice) => [newInvoice(), entry]],
])('an invoice that is stored %s', (_name, among) => {
  const store = async (entry: NewInvoice) => (await insertInvoices(sql, among(entry))).at(-1)

  test('is watched, and the merchant is told, in the same moment', async () => {
    const entry = newInvoice({ externalRef: crypto.randomUUID() })
    expect(await store(entry)).toBe('created')
    expect(await tracesOf(entry)).toEqual(ALL)
  })

  test('keeps what its amount was converted from', async () => {
    const at = '2026-06-01T11:59:00.000Z'
    const fiat = { currency: 'EUR', amount: '25', rate: '1.0834', at, source: 'desk' }
    const [converted, plain] = [newInvoice({ fiat }), newInvoice()]
    await store(converted)
    await store(plain)
    const fiatOf = async ({ invoice: { id } }: NewInvoice) =>
      (await sql<Pick<Invoice, 'fiat'>[]>`select fiat from invoice where id = ${id}`)[0]?.fiat
    expect([await fiatOf(converted), await fiatOf(plain)]).toEqual([fiat, null])
    const partly = newInvoice({ fiat: { ...fiat, rate: '' } })
    expect(store(partly)).rejects.toThrow('invoice_fiat_complete')
  })

  test('is refused without a trace when its externalRef is taken', async () => {
    const first = newInvoice({ externalRef: crypto.randomUUID() })
    await store(first)
    const second = newInvoice({ externalRef: first.invoice.externalRef })
    expect(await store(second)).toBe('externalRef_taken')
    expect(await tracesOf(second)).toEqual([])
  })

  test('may have an externalRef that another merchant uses', async () => {
    const first = newInvoice({ externalRef: crypto.randomUUID() })
    await store(first)
    const { externalRef } = first.invoice
    const second = newInvoice({ externalRef, merchantId: await storeMerchant(sql) })
    expect(await store(second)).toBe('created')
  })

  test('is refused without a trace when it pays to an address that is watched', async () => {
    const first = newInvoice()
    await store(first)
    const second = newInvoice({ recipient: first.invoice.depositAddress })
    expect(await store(second)).toBe('recipient_watched')
    expect(await tracesOf(second)).toEqual([])
  })

  test('for the owner of a key is refused without a trace unless the key is valid and the owner the same', async () => {
    const key = await createKey(sql, 'sandbox', merchantId, 'secret')
    const ownedBy = await openKeyLookup(sql, 'sandbox').find(key)
    if (ownedBy === null) throw new Error('the key was not found')
    expect(await store({ ...newInvoice(), ownedBy })).toBe('created')
    const refused = [
      { ...newInvoice(), ownedBy: { ...ownedBy, recipient: newAddress() } },
      { ...newInvoice(), ownedBy: { ...ownedBy, usualTolerance: '1bps' } },
      { ...newInvoice({ merchantId: await storeMerchant(sql) }), ownedBy },
    ]
    for (const entry of refused) expect(await store(entry)).toBe('owner_unproven')
    await rotateKey(sql, 'sandbox', merchantId, 'secret')
    const late = { ...newInvoice(), ownedBy }
    expect(await store(late)).toBe('owner_unproven')
    for (const entry of [...refused, late]) expect(await tracesOf(entry)).toEqual([])
  })

  test('may have a recipient of its own', async () => {
    const recipient = newAddress()
    const entry = newInvoice({ recipient })
    expect(await store(entry)).toBe('created')
    const [row] = await sql`select recipient from invoice where id = ${entry.invoice.id}`
    expect(row?.recipient).toBe(recipient)
  })
})

describe('several invoices', () => {
  test('are told apart: some are created, others refused for their own reason', async () => {
    const taken = newInvoice({ externalRef: crypto.randomUUID() })
    await insertInvoices(sql, [taken])
    const entries = [
      newInvoice({ externalRef: taken.invoice.externalRef }),
      newInvoice({ externalRef: taken.invoice.externalRef, recipient: newAddress() }),
      newInvoice({ recipient: taken.invoice.depositAddress }),
      newInvoice(),
    ]
    expect(await insertInvoices(sql, entries)).toEqual([
      ...(['externalRef_taken', 'externalRef_taken'] as const),
      ...(['recipient_watched', 'created'] as const),
    ])
    const [row] = await sql`
      select o.data, i.metadata from invoice i join outbox o on o.object_id = i.id
      where i.id = ${entries[3]?.invoice.id ?? ''}`
    expect(row).toEqual({ data: { told: true }, metadata: { a: 1 } })
  })

  test('of none write nothing', async () => {
    expect(await insertInvoices(sql, [])).toEqual([])
  })
})

describe('a reference that is taken', () => {
  test('is said of its invoice alone', async () => {
    const { create } = openCreations(sql)
    const first = newInvoice()
    expect(await create(first)).toBe('created')
    const { reference } = first.invoice
    const entries = [newInvoice(), newInvoice({ reference }), newInvoice(), newInvoice()]
    expect(await Promise.all(entries.map(create))).toEqual([
      ...(['created', 'reference_taken', 'created', 'created'] as const),
    ])
  })

  test('is no answer for another fault', async () => {
    const { create } = openCreations(sql)
    const first = newInvoice()
    await create(first)
    const { depositAddress } = first.invoice
    expect(create(newInvoice({ depositAddress }))).rejects.toThrow('watched_pkey')
    const unpayable = newInvoice({ feeCap: first.invoice.platformFee, chains: [] })
    expect(create(unpayable)).rejects.toThrow('invoice_chains_check')
  })
})
