import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setRecipient } from '../../../store/access/merchants.ts'
import { ISO_TIME, UUID } from '../../support/api/answers.ts'
import {
  confirm,
  followChains,
  paidInvoice,
  pay,
  read,
  revert,
  settle,
} from '../../support/api/ledger.ts'
import { type ApiRig, OTHER_TREASURY, openRig, TREASURY } from '../../support/api/rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

const USDC_SEPOLIA = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
const USDC_BASE_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const USDT = '0x477E549693c65DeF39eE1E9d6AF17490Bd5Fc0C5'
const HOUR_MS = 3_600_000

describe('an invoice has', () => {
  test('id, a UUID by which it is found again', async () => {
    const { id } = await rig.create()
    expect(id).toMatch(UUID)
    expect((await read(rig, { id })).id).toBe(id)
  })

  test('merchantId, the UUID of its owner', async () => {
    expect((await rig.create()).merchantId).toBe(rig.merchant.merchant.id)
  })

  test("externalRef, the caller's own reference", async () => {
    expect((await rig.create({ externalRef: 'order-1' })).externalRef).toBe('order-1')
  })

  test('externalRef null when it was omitted', async () => {
    expect((await rig.create()).externalRef).toBeNull()
  })

  test('reference, ten characters without look-alikes, another for each invoice', async () => {
    const invoices = await Promise.all(Array.from({ length: 20 }, () => rig.create()))
    for (const { reference } of invoices) expect(reference).toMatch(/^[2-9A-HJKMNP-Z]{10}$/)
    expect(new Set(invoices.map(({ reference }) => reference)).size).toBe(20)
  })

  test('addresses, one element for each chain that has the token', async () => {
    const { addresses } = await rig.create()
    expect(addresses.map(({ networkId }) => networkId)).toEqual(['sepolia', 'base-sepolia'])
  })

  test('addresses of the chosen chains only', async () => {
    const { addresses } = await rig.create({ chains: ['base-sepolia'] })
    expect(addresses.map(({ networkId }) => networkId)).toEqual(['base-sepolia'])
  })

  test('recipient, the treasury that the invoice names', async () => {
    const invoice = await rig.create({ recipient: OTHER_TREASURY.toLowerCase() })
    expect<unknown>(invoice.recipient).toEqual({ chainType: 'evm', address: OTHER_TREASURY })
  })

  test("recipient, the merchant's own as it stands now, when the invoice names none", async () => {
    const { merchant, secretKey } = await rig.newMerchant(TREASURY)
    const created = await rig.call('POST', '/v1/invoices', {
      key: secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: 1 },
    })
    expect<unknown>(created.json.data.recipient).toEqual({ chainType: 'evm', address: TREASURY })
    await setRecipient(rig.database, rig.config, merchant.id, OTHER_TREASURY)
    const now = await rig.call('GET', `/v1/invoices/${created.json.data.id}`, { key: secretKey })
    expect<unknown>(now.json.data.recipient).toEqual({ chainType: 'evm', address: OTHER_TREASURY })
  })

  test('recipient null while no one is configured', async () => {
    const { secretKey } = await rig.newMerchant(null)
    const answer = await rig.call('POST', '/v1/invoices', {
      key: secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: 1 },
    })
    expect(answer.json.data.recipient).toBeNull()
  })

  test('tokenAddress, the token on the first chain before a payment', async () => {
    expect<string>((await rig.create()).tokenAddress).toBe(USDC_SEPOLIA)
  })

  test('tokenAddress, the token on targetNetwork after a payment', async () => {
    const invoice = await rig.create()
    await pay(rig, invoice, 1n)
    expect<string>((await read(rig, invoice)).tokenAddress).toBe(USDC_BASE_SEPOLIA)
  })

  test('tokenSymbol, the ticker', async () => {
    const invoice = await rig.create({ tokenSymbol: 'USDT' })
    expect<unknown>([invoice.tokenSymbol, invoice.tokenAddress]).toEqual(['USDT', USDT])
  })

  test('targetNetwork null until a payment, then the chain of the first one', async () => {
    const invoice = await rig.create()
    expect(invoice.targetNetwork).toBeNull()
    await pay(rig, invoice, 1n)
    await pay(rig, invoice, 1n, { networkId: 'sepolia' })
    expect((await read(rig, invoice)).targetNetwork).toBe('base-sepolia')
  })

  test.each([
    ['10', '10'],
    ['12.500', '12.5'],
    [0.000001, '0.000001'],
    ['999999999999.999999', '999999999999.999999'],
  ])('amountExpected for %p as the shortest decimal string %p', async (given, shown) => {
    expect((await rig.create({ amountExpected: given })).amountExpected).toBe(shown)
  })

  test('pendingAmount, what is in flight, and null when nothing is', async () => {
    const invoice = await rig.create()
    expect(invoice.pendingAmount).toBeNull()
    await pay(rig, invoice, 1_250_000n)
    await pay(rig, invoice, 1n)
    expect((await read(rig, invoice)).pendingAmount).toBe('1.250001')
    await confirm(rig, invoice)
    expect((await read(rig, invoice)).pendingAmount).toBeNull()
  })

  test('receivedAmount, "0" at first and then what is confirmed', async () => {
    const invoice = await rig.create()
    expect(invoice.receivedAmount).toBe('0')
    await pay(rig, invoice, 2_500_000n)
    expect((await read(rig, invoice)).receivedAmount).toBe('0')
    await confirm(rig, invoice)
    expect((await read(rig, invoice)).receivedAmount).toBe('2.5')
  })

  test('receivedAmount without payments that a reorganisation took away', async () => {
    const invoice = await paidInvoice(rig)
    await revert(rig, invoice)
    const now = await read(rig, invoice)
    expect([now.receivedAmount, now.status, now.paidAt]).toEqual(['0', 'pending', null])
  })

  test('platformFee, half a per cent by default, rounded in favour of the merchant', async () => {
    expect((await rig.create()).platformFee).toBe('0.05')
    expect((await rig.create({ amountExpected: '0.000399' })).platformFee).toBe('0.000001')
    expect((await rig.create({ amountExpected: '0.000199' })).platformFee).toBe('0')
  })

  test('platformFee no higher than the ceiling of its token', async () => {
    const capped = await openRig({
      variables: { FEE_BPS_USDC: '100', FEE_CEILING_USDC: '2', FEE_BPS_USDT: '0' },
    })
    expect((await capped.create({ amountExpected: '150' })).platformFee).toBe('1.5')
    expect((await capped.create({ amountExpected: '1000' })).platformFee).toBe('2')
    const free = await capped.create({ tokenSymbol: 'USDT', amountExpected: '1000' })
    expect(free.platformFee).toBe('0')
    await capped.close()
  })

  test('amountRemitted, "0" until settlement and then what was received minus the fee', async () => {
    const invoice = await paidInvoice(rig)
    expect(invoice.amountRemitted).toBe('0')
    await settle(rig, invoice)
    expect((await read(rig, invoice)).amountRemitted).toBe('9.95')
  })

  test('amountRemitted with the overpayment, on which no fee is charged', async () => {
    const invoice = await paidInvoice(rig, 13_000_000n)
    await settle(rig, invoice)
    expect((await read(rig, invoice)).amountRemitted).toBe('12.95')
  })

  test('overpaidAmount, "0" for the exact amount or less', async () => {
    expect((await rig.create()).overpaidAmount).toBe('0')
    expect((await paidInvoice(rig)).overpaidAmount).toBe('0')
  })

  test('overpaidAmount, what was received above amountExpected', async () => {
    expect((await paidInvoice(rig, 10_000_001n)).overpaidAmount).toBe('0.000001')
  })

  test('status pending, partial, paid and completed, by confirmed money only', async () => {
    const invoice = await rig.create()
    const status = async () => (await read(rig, invoice)).status
    await pay(rig, invoice, 9_999_999n)
    expect(await status()).toBe('pending')
    await confirm(rig, invoice)
    expect(await status()).toBe('partial')
    await pay(rig, invoice, 1n)
    await confirm(rig, invoice)
    expect(await status()).toBe('paid')
    await settle(rig, invoice)
    expect(await status()).toBe('completed')
  })

  test('expiresAt, in UTC, and null when none was set', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS)
    expiresAt.setMilliseconds(0)
    const zoned = `${new Date(expiresAt.getTime() + 2 * HOUR_MS).toISOString().slice(0, 19)}+02:00`
    expect((await rig.create({ expiresAt: zoned })).expiresAt).toBe(expiresAt.toISOString())
    expect((await rig.create()).expiresAt).toBeNull()
  })

  test('createdAt, the moment of its creation', async () => {
    const before = Date.now()
    const { createdAt, id } = await rig.create()
    expect(createdAt).toMatch(ISO_TIME)
    expect(new Date(createdAt).getTime()).toBeGreaterThanOrEqual(before)
    expect(new Date(createdAt).getTime()).toBeLessThanOrEqual(Date.now())
    expect((await read(rig, { id })).createdAt).toBe(createdAt)
  })

  test('paidAt null until it is paid, and the moment from then on', async () => {
    const invoice = await rig.create()
    await pay(rig, invoice, 10_000_000n)
    expect((await read(rig, invoice)).paidAt).toBeNull()
    await confirm(rig, invoice)
    expect((await read(rig, invoice)).paidAt).toMatch(ISO_TIME)
  })

  test('completedAt null until it is completed, and the moment from then on', async () => {
    const invoice = await paidInvoice(rig)
    expect(invoice.completedAt).toBeNull()
    await settle(rig, invoice)
    const completed = await read(rig, invoice)
    expect(completed.completedAt).toMatch(ISO_TIME)
    expect(completed.paidAt).toBe(invoice.paidAt)
  })

  test('metadata as they were given, and {} when none were', async () => {
    const metadata = { cart: 'c-77', nested: { list: [1, null, 'ü', false] } }
    expect((await rig.create({ metadata })).metadata).toEqual(metadata)
    const { id } = await rig.create({ metadata })
    expect((await read(rig, { id })).metadata).toEqual(metadata)
    expect((await rig.create()).metadata).toEqual({})
  })

  test('transactions, empty until a payment is detected, then all in that order', async () => {
    const invoice = await rig.create()
    expect(invoice.transactions).toEqual([])
    for (const amount of [3n, 1n, 2n]) await pay(rig, invoice, amount)
    const { transactions } = await read(rig, invoice)
    expect(transactions.map(({ amount }) => amount)).toEqual(['0.000003', '0.000001', '0.000002'])
  })
})
