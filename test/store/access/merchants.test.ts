import { describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import { openKeyLookup } from '../../../store/access/apiKeys.ts'
import {
  createMerchant,
  getMerchant,
  listMerchants,
  setRecipient,
  setRefundsAny,
} from '../../../store/access/merchants.ts'
import type { Database } from '../../../store/database/database.ts'
import { forThisFile, newAddress } from '../../support/store/database.ts'
import { storeConfig, storeInvoice } from '../../support/store/invoice.ts'
import { aClaim, findItem, newShop, settled } from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const TERMS = storeConfig()
const UNKNOWN = asMerchantId('00000000-0000-7000-8000-000000000001')
const create = (name: string, recipient: string | null = null) =>
  createMerchant(sql, TERMS, { name, recipient })

async function watchedAddress(): Promise<string> {
  const { id } = await newShop(sql)
  return (await storeInvoice(sql, id)).depositAddress
}

describe('a merchant', () => {
  test('is created with both of its keys, and with a first entry if it has a recipient', async () => {
    const recipient = newAddress()
    for (const [given, configVersion] of [
      [null, 0],
      [recipient, 1],
    ] as const) {
      const made = await create(' Shop ', given)
      if (!made.ok) throw new Error(made.message)
      const { merchant, secretKey, publishableKey } = made
      expect(merchant).toMatchObject({ name: 'Shop', recipient: given, configVersion })
      const { find } = openKeyLookup(sql, TERMS.environment)
      expect(await find(secretKey)).toMatchObject({ merchantId: merchant.id, kind: 'secret' })
      expect(await find(publishableKey)).toMatchObject({ kind: 'publishable' })
      expect(await getMerchant(sql, merchant.id)).toEqual(merchant)
      const [row] = await sql`select x402_fee_bps from merchant where id = ${merchant.id}`
      expect(row?.x402FeeBps).toBe(TERMS.x402Fee.rateBps)
    }
    expect(await getMerchant(sql, UNKNOWN)).toBeNull()
  })

  test('has a name of 1 to 200 characters, however many bytes these take', async () => {
    for (const name of ['', '  ', 'x'.repeat(201), 'a\0b']) {
      expect(await create(name)).toMatchObject({ ok: false, reason: 'invalid_name' })
    }
    for (const name of ['x', '😀'.repeat(200)]) expect((await create(name)).ok).toBe(true)
  })

  test('is not paid at an address that would lose the money, or that we watch', async () => {
    for (const recipient of ['nonsense', TERMS.hub, await watchedAddress()]) {
      const refused = { ok: false, reason: 'invalid_recipient' }
      expect(await create('Shop', recipient)).toMatchObject(refused)
      const { id } = await newShop(sql)
      expect(await setRecipient(sql, TERMS, id, recipient)).toMatchObject(refused)
      expect((await getMerchant(sql, id))?.recipient).toBeNull()
    }
  })

  test('is listed after those before it', async () => {
    const made = await create('Last')
    if (!made.ok) throw new Error(made.message)
    expect((await listMerchants(sql)).at(-1)).toEqual(made.merchant)
  })

  test('may have its refunds go to anyone, if the operator says so', async () => {
    const [shop, other] = [await newShop(sql), await newShop(sql)]
    expect(await setRefundsAny(sql, shop.id, true)).toMatchObject({ refundsAny: true })
    expect((await getMerchant(sql, other.id))?.refundsAny).toBe(false)
    expect(await setRefundsAny(sql, UNKNOWN, true)).toBeNull()
  })
})

describe('a new recipient', () => {
  test('grows the version, and is queued wherever the forwarder is paid', async () => {
    const [shop, other] = [await newShop(sql), await newShop(sql)]
    const paid = aClaim(shop)
    await settled(sql, paid)
    const recipient = newAddress()
    expect(await setRecipient(sql, TERMS, shop.id, recipient)).toMatchObject({
      ...{ ok: true, merchant: { recipient, configVersion: 1 } },
    })
    const key = `configure:${paid.networkId}:${shop.hub}:${shop.id}:1`
    expect((await findItem(sql, key))?.payload).toMatchObject({ treasury: recipient })
    expect(await getMerchant(sql, other.id)).toMatchObject({ recipient: null, configVersion: 0 })
  })

  test('makes those invoices due that waited for it, or whose sweeps failed', async () => {
    const [shop, other] = [await newShop(sql), await newShop(sql)]
    const due = [
      await storeInvoice(sql, shop.id, { recipient: null, settlementState: 'no_recipient' }),
      await storeInvoice(sql, shop.id, { recipient: null, settlementState: 'failed' }),
    ]
    const own = { recipient: newAddress(), settlementState: 'failed' } as const
    const left = [
      await storeInvoice(sql, shop.id, own),
      await storeInvoice(sql, shop.id, { recipient: null, settlementState: 'none' }),
      await storeInvoice(sql, other.id, { recipient: null, settlementState: 'failed' }),
    ]
    const changed = await setRecipient(sql, TERMS, shop.id, newAddress())
    const ids = due.map(({ id }) => id)
    expect(changed.ok && changed.toSettle.toSorted()).toEqual(ids.toSorted())
    const rows = await sql<{ settlementState: string; version: number }[]>`
      select settlement_state, version from invoice where id in ${sql(ids)}`
    expect(rows.map((row) => `${row.settlementState} ${row.version}`)).toEqual(['due 2', 'due 2'])
    for (const { id, settlementState } of left) {
      const [row] = await sql`select settlement_state from invoice where id = ${id}`
      expect(row?.settlementState).toBe(settlementState)
    }
  })

  test('is refused for a merchant who does not exist', async () => {
    const refused = { ok: false, reason: 'merchant_not_found' }
    expect(await setRecipient(sql, TERMS, UNKNOWN, newAddress())).toMatchObject(refused)
  })
})
