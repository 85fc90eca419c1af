import { describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import { createKey, openKeyLookup, rotateKey } from '../../../store/access/apiKeys.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  forThisFile,
  isWaiting,
  newAddress,
  openTransaction,
} from '../../support/store/database.ts'
import { newMerchant } from '../../support/store/webhook.ts'
import { newShop } from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const find = (key: string) => openKeyLookup(sql, 'sandbox').find(key)

describe('a key', () => {
  test('tells whose it is, of which kind, and where money goes', async () => {
    const recipient = newAddress()
    const { id: merchantId } = await newShop(sql, { recipient })
    const other = await newMerchant(sql)
    for (const kind of ['secret', 'publishable'] as const) {
      const key = await createKey(sql, 'sandbox', merchantId, kind)
      await createKey(sql, 'sandbox', other, kind)
      const hint = key.slice(-4)
      const keyHash = new Bun.CryptoHasher('sha256').update(key).digest('hex')
      expect(await find(key)).toEqual({
        ...{ merchantId, kind, scopes: null, recipient, hint, usualTolerance: '0', keyHash },
      })
    }
  })

  test('is known in its own environment and in its own form only', async () => {
    const merchantId = await newMerchant(sql)
    const key = await createKey(sql, 'live', merchantId, 'secret')
    expect(await find(key)).toBeNull()
    expect(await openKeyLookup(sql, 'live').find(key)).toMatchObject({ merchantId })
    const own = await createKey(sql, 'sandbox', merchantId, 'publishable')
    for (const wrong of ['', `${own}a`, own.slice(0, -1), `${own.slice(0, -1)}?`]) {
      expect(await find(wrong)).toBeNull()
    }
  })

  test('that is looked up together with others is not taken for one of them', async () => {
    const merchants = [await newMerchant(sql), await newMerchant(sql)]
    const keys = await Promise.all(merchants.map((id) => createKey(sql, 'sandbox', id, 'secret')))
    const lookup = openKeyLookup(sql, 'sandbox').find
    const unknown = `${keys[0]?.slice(0, -2)}zz`
    const owners = await Promise.all([...keys, unknown, ...keys].map(lookup))
    expect(owners.map((owner) => owner?.merchantId)).toEqual([
      ...merchants,
      undefined,
      ...merchants,
    ])
  })

  test('is recalled with its owner once it was found, until it is found to have none', async () => {
    const merchantId = await newMerchant(sql)
    const key = await createKey(sql, 'sandbox', merchantId, 'secret')
    const lookup = openKeyLookup(sql, 'sandbox')
    expect(lookup.recall(key)).toBeNull()
    const owner = await lookup.find(key)
    expect(owner).not.toBeNull()
    expect(lookup.recall(key)).toEqual(owner)
    await rotateKey(sql, 'sandbox', merchantId, 'secret')
    expect(await lookup.find(key)).toBeNull()
    expect(lookup.recall(key)).toBeNull()
  })
})

describe('a key is rotated', () => {
  const rotate = (merchantId: Parameters<typeof rotateKey>[2], database = sql) =>
    rotateKey(database, 'sandbox', merchantId, 'secret')

  test('and is worth nothing from then on, unlike the merchant’s other key and others’', async () => {
    const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
    const old = await createKey(sql, 'sandbox', merchantId, 'secret')
    const kept = [
      await createKey(sql, 'sandbox', merchantId, 'publishable'),
      await createKey(sql, 'sandbox', other, 'secret'),
    ]
    const key = (await rotate(merchantId)) ?? ''
    expect(await find(old)).toBeNull()
    expect(await find(key)).toMatchObject({ merchantId, kind: 'secret' })
    for (const one of kept) expect(await find(one)).not.toBeNull()
    const revokedAt = async () =>
      (
        await sql`
        select revoked_at from api_key
        where merchant_id = ${merchantId} and revoked_at is not null order by revoked_at limit 1`
      )[0]?.revokedAt
    const first = await revokedAt()
    await rotate(merchantId)
    expect(await revokedAt()).toEqual(first)
  })

  test('also when there was none, but not of a merchant who does not exist', async () => {
    const merchantId = await newMerchant(sql)
    expect(await find((await rotate(merchantId)) ?? '')).toMatchObject({ merchantId })
    expect(await rotate(asMerchantId(Bun.randomUUIDv7()))).toBeNull()
  })

  test('by two at once, of whom the second replaces the first one’s', async () => {
    const merchantId = await newMerchant(sql)
    await createKey(sql, 'sandbox', merchantId, 'secret')
    const first = await openTransaction(sql, (t) => rotateKey(t, 'sandbox', merchantId, 'secret'))
    const second = rotate(merchantId)
    expect(await isWaiting(sql, second)).toBe(true)
    await first.commit()
    expect(await find((await second) ?? '')).toMatchObject({ merchantId })
    expect(await find(first.result ?? '')).toBeNull()
  })

  test('once when there is a fault that does not pass', async () => {
    const merchantId = await newMerchant(sql)
    const broken = sql.begin(async (t) => {
      await t`select 1 / 0`.catch(() => undefined)
      return rotateKey(t, 'sandbox', merchantId, 'secret')
    })
    await expect(broken).rejects.toThrow()
  })
})
