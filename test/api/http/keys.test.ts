import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asMerchantId, type InvoiceId } from '../../../core/base/ids.ts'
import { createKey, openKeyLookup, rotateKey } from '../../../store/access/apiKeys.ts'
import {
  createMerchant,
  getMerchant,
  listMerchants,
  setRecipient,
} from '../../../store/access/merchants.ts'
import { type ApiRig, HUB, OTHER_TREASURY, openRig, TREASURY } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

const UNKNOWN = asMerchantId('0198c1de-7a2f-7000-8000-5d2cb1a7e0f4')

describe('keys', () => {
  test('are 32 random bytes behind the prefix of the environment', () => {
    expect(rig.merchant.secretKey).toMatch(/^sk_test_[A-Za-z0-9_-]{43}$/)
    expect(rig.merchant.publishableKey).toMatch(/^pk_test_[A-Za-z0-9_-]{43}$/)
  })

  test('are stored as their hash and last four characters only', async () => {
    const { secretKey, merchant } = rig.merchant
    const rows = await rig.database`select * from api_key where merchant_id = ${merchant.id}`
    expect(rows).toHaveLength(2)
    const stored = JSON.stringify(rows.map((row) => ({ ...row, hash: row.hash.toString('hex') })))
    expect(stored).not.toContain(secretKey.slice(8, -4))
    const hash = new Bun.CryptoHasher('sha256').update(secretKey).digest('hex')
    expect(stored).toContain(hash)
  })

  test('are rejected immediately after rotation, and the new one is accepted', async () => {
    const { merchant, secretKey, publishableKey } = await rig.newMerchant()
    expect((await rig.call('GET', '/v1/invoices', { key: secretKey })).status).toBe(200)
    const fresh = await rotateKey(rig.database, 'sandbox', merchant.id, 'secret')
    expect((await rig.call('GET', '/v1/invoices', { key: secretKey })).status).toBe(401)
    expect((await rig.call('GET', '/v1/invoices', { key: fresh })).status).toBe(200)
    const other = await openKeyLookup(rig.database, 'sandbox').find(publishableKey)
    expect(other?.kind).toBe('publishable')
  })

  test('are rejected immediately after rotation also where they have just created an invoice', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant()
    const create = (body: object = {}) =>
      rig.call('POST', '/v1/invoices', {
        key,
        body: { tokenSymbol: 'USDC', amountExpected: '1', ...body },
      })
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(201)
    await rotateKey(rig.database, 'sandbox', merchant.id, 'secret')
    for (const answer of [await create(), await create()]) {
      expect(answer.status).toBe(401)
      expect(answer.json.code).toBe('unauthorized')
    }
    const rows = await rig.database`select from invoice where merchant_id = ${merchant.id}`
    expect(rows).toHaveLength(2)
  })

  test('are rejected also for what is wrong with the request, or is not their last one', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant()
    const body = { tokenSymbol: 'USDC', amountExpected: '1', externalRef: 'again' }
    const answers = async () => [
      (await rig.call('POST', '/v1/invoices', { key, body })).status,
      (await rig.call('POST', '/v1/invoices', { key, body: { amountExpected: 'x' } })).status,
    ]
    expect([await answers(), await answers()]).toEqual([
      [201, 400],
      [200, 400],
    ])
    await rotateKey(rig.database, 'sandbox', merchant.id, 'secret')
    expect(await answers()).toEqual([401, 401])
  })

  test('are rejected also with an Idempotency-Key that is none', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant()
    const body = { tokenSymbol: 'USDC', amountExpected: '1' }
    const headers = { 'idempotency-key': '' }
    const statusOf = async (options: object) =>
      (await rig.call('POST', '/v1/invoices', { key, body, ...options })).status
    expect([await statusOf({}), await statusOf({ headers })]).toEqual([201, 400])
    await rotateKey(rig.database, 'sandbox', merchant.id, 'secret')
    expect(await statusOf({ headers })).toBe(401)
  })

  test('create invoices for what the merchant is now, not for what it was', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant(TREASURY)
    const recipientOf = async (): Promise<string | undefined> => {
      const body = { tokenSymbol: 'USDC', amountExpected: '1' }
      return (await rig.call('POST', '/v1/invoices', { key, body })).json.data.recipient?.address
    }
    expect(await recipientOf()).toBe(TREASURY)
    await rig.database`
      update merchant set recipient = ${OTHER_TREASURY.toLowerCase()} where id = ${merchant.id}`
    expect([await recipientOf(), await recipientOf()]).toEqual([OTHER_TREASURY, OTHER_TREASURY])
  })

  test('that are rotated many times at once leave exactly one', async () => {
    const { merchant } = await rig.newMerchant()
    const keys = await Promise.all(
      Array.from({ length: 4 }, () => rotateKey(rig.database, 'sandbox', merchant.id, 'secret')),
    )
    const valid = await Promise.all(
      keys.map((key) => openKeyLookup(rig.database, 'sandbox').find(key ?? '')),
    )
    expect(valid.filter((owner) => owner !== null)).toHaveLength(1)
  })

  test('of a merchant that does not exist are not rotated', async () => {
    expect(await rotateKey(rig.database, 'sandbox', UNKNOWN, 'secret')).toBeNull()
  })

  test('of live are unknown here, even with the right prefix', async () => {
    const { id } = rig.merchant.merchant
    await rig.database`delete from api_key where merchant_id = ${id} and kind = 'publishable'`
    const live = await createKey(rig.database, 'live', id, 'publishable')
    expect(await openKeyLookup(rig.database, 'sandbox').find(live)).toBeNull()
  })
})

describe('merchants', () => {
  test('are created with a recipient and a first registry version, or without both', async () => {
    const rich = await rig.newMerchant(TREASURY)
    expect(rich.merchant).toMatchObject({
      name: 'Test',
      recipient: TREASURY.toLowerCase(),
      configVersion: 1,
    })
    const poor = await rig.newMerchant(null)
    expect(poor.merchant).toMatchObject({ recipient: null, configVersion: 0 })
    expect(await getMerchant(rig.database, poor.merchant.id)).toEqual(poor.merchant)
    expect(await getMerchant(rig.database, UNKNOWN)).toBeNull()
    const all = await listMerchants(rig.database)
    expect(all.map((merchant) => merchant.id)).toContain(rich.merchant.id)
  })

  test('need a name, and a recipient that can be paid', async () => {
    for (const name of ['', '   ', 'x'.repeat(201), 'a\0b']) {
      const created = await createMerchant(rig.database, rig.config, { name, recipient: null })
      expect(created).toMatchObject({ ok: false, reason: 'invalid_name' })
    }
    const wanted = { name: 'Hub', recipient: HUB }
    const created = await createMerchant(rig.database, rig.config, wanted)
    expect(created).toMatchObject({ ok: false, reason: 'invalid_recipient' })
  })

  test('change their recipient with a growing version, and are shown with it', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant(null)
    const change = await setRecipient(rig.database, rig.config, merchant.id, OTHER_TREASURY)
    expect(change).toMatchObject({ ok: true, toSettle: [], merchant: { configVersion: 1 } })
    await setRecipient(rig.database, rig.config, merchant.id, TREASURY)
    expect((await getMerchant(rig.database, merchant.id))?.configVersion).toBe(2)
    const body = { tokenSymbol: 'USDC', amountExpected: '1' }
    const invoice = await rig.call('POST', '/v1/invoices', { key, body })
    expect<string | undefined>(invoice.json.data.recipient?.address).toBe(TREASURY)
  })

  test('settle what waited for a recipient, in the transaction that sets it', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant(null)
    const ids: InvoiceId[] = []
    for (const recipient of [undefined, undefined, OTHER_TREASURY, undefined]) {
      const body = { tokenSymbol: 'USDC', amountExpected: '1', recipient }
      ids.push((await rig.call('POST', '/v1/invoices', { key, body })).json.data.id)
    }
    const states = ['no_recipient', 'failed', 'failed', 'none']
    for (const [i, state] of states.entries()) {
      await rig.database`update invoice set settlement_state = ${state} where id = ${ids[i] ?? ''}`
    }
    const change = await setRecipient(rig.database, rig.config, merchant.id, TREASURY)
    if (!change.ok) throw new Error(change.message)
    expect([...change.toSettle].sort()).toEqual(ids.slice(0, 2).sort())
    const rows = await rig.database<{ settlementState: string }[]>`
      select settlement_state from invoice where id = any(${ids}::uuid[]) order by id`
    expect(rows.map((row) => row.settlementState)).toEqual(['due', 'due', 'failed', 'none'])
  })

  test('cannot be paid to the hub, a token or an address that we watch', async () => {
    const { id } = rig.merchant.merchant
    const invoice = await rig.create()
    const refused = [
      HUB,
      '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      invoice.addresses[0]?.address ?? '',
      '0x0000000000000000000000000000000000000000',
      'nonsense',
    ]
    for (const address of refused) {
      const change = await setRecipient(rig.database, rig.config, id, address)
      expect(change).toMatchObject({ ok: false, reason: 'invalid_recipient' })
    }
    const unknown = await setRecipient(rig.database, rig.config, UNKNOWN, TREASURY)
    expect(unknown).toMatchObject({ ok: false, reason: 'merchant_not_found' })
  })
})
