import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getAddress } from 'viem'
import { type BaseUnits, parseAmount, sum } from '../../../core/base/money.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import type { InvoiceJson, TransactionJson } from '../../../core/invoice/present.ts'
import type { ObservedTransfer } from '../../../store/invoice/payments.ts'
import { ISO_TIME, UUID } from '../../support/api/answers.ts'
import {
  confirm,
  followChains,
  PAYER,
  pay,
  read,
  revert,
  settle,
} from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig
let invoice: InvoiceJson
let transfer: ObservedTransfer
let pending: TransactionJson
let confirmed: TransactionJson

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  invoice = await rig.create()
  transfer = await pay(rig, invoice, 2_500_000n)
  pending = await only(invoice)
  await confirm(rig, invoice)
  confirmed = await only(invoice)
})
afterAll(() => rig.close())

async function list(of: Pick<InvoiceJson, 'id'>): Promise<TransactionJson[]> {
  const answer = await rig.call('GET', `/v1/invoices/${of.id}/transactions`)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.text).data
}

async function only(of: Pick<InvoiceJson, 'id'>): Promise<TransactionJson> {
  const [first] = await list(of)
  if (!first) throw new Error('the invoice has no transaction')
  return first
}

function units(text: string): BaseUnits {
  const parsed = parseAmount(text, TOKENS.USDC.decimals)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.amount
}

describe('a transaction has', () => {
  test('id, a UUID that stays when it is confirmed', () => {
    expect(pending.id).toMatch(UUID)
    expect(confirmed.id).toBe(pending.id)
  })

  test('invoiceId, the invoice that was paid', () => {
    expect(confirmed.invoiceId).toBe(invoice.id)
  })

  test('invoiceRef, the reference of that invoice', () => {
    expect(confirmed.invoiceRef).toBe(invoice.reference)
  })

  test('merchantId, the owner of that invoice', () => {
    expect(confirmed.merchantId).toBe(rig.merchant.merchant.id)
  })

  test('txHash, the hash of the on-chain transaction', () => {
    expect(confirmed.txHash).toBe(transfer.txHash)
  })

  test('chain, the networkId', () => {
    expect(confirmed.chain).toBe('base-sepolia')
  })

  test('asset, the symbol of the token', () => {
    expect(confirmed.asset).toBe('USDC')
  })

  test('tokenAddress, the contract of the token, with checksum', () => {
    expect<string>(confirmed.tokenAddress).toBe('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
  })

  test('amount, a decimal string in major units', () => {
    expect(confirmed.amount).toBe('2.5')
  })

  test("fee, this payment's share of the platform fee", () => {
    expect(confirmed.fee).toBe('0.0125')
  })

  test('merchantAmount, the rest', () => {
    expect(confirmed.merchantAmount).toBe('2.4875')
  })

  test('status pending, confirmed or reverted', async () => {
    expect(pending.status).toBe('pending')
    expect(confirmed.status).toBe('confirmed')
    const other = await rig.create()
    await pay(rig, other, 1n)
    await revert(rig, other)
    expect((await only(other)).status).toBe('reverted')
  })

  test('type payment, or late_payment when it came after the expiry', async () => {
    expect(confirmed.type).toBe('payment')
    const expiresAt = new Date(Date.now() + 60_000)
    const late = await rig.create({ expiresAt: expiresAt.toISOString() })
    await pay(rig, late, 1n, { blockTime: new Date(expiresAt.getTime() + 1_000) })
    expect((await only(late)).type).toBe('late_payment')
  })

  test('blockNumber, an integer', () => {
    expect(confirmed.blockNumber).toBe(100)
  })

  test('confirmedAt, null until it is confirmed', () => {
    expect(pending.confirmedAt).toBeNull()
    expect(confirmed.confirmedAt).toMatch(ISO_TIME)
  })

  test('confirmedAt, never before createdAt, whichever clock was behind', async () => {
    const other = await rig.create()
    await pay(rig, other, 1n)
    await confirm(rig, other)
    await rig.database`
      update payment set confirmed_at = created_at - interval '2 seconds' where invoice_id = ${other.id}`
    const { confirmedAt, createdAt } = await only(other)
    expect(confirmedAt).toBe(createdAt)
  })

  test('createdAt, when it was first seen', () => {
    expect(confirmed.createdAt).toMatch(ISO_TIME)
    expect(confirmed.createdAt).toBe(pending.createdAt)
  })

  test('from, who sent the tokens, and logIndex, which log of the block it is', () => {
    expect<string>(confirmed.from).toBe(getAddress(PAYER))
    expect(confirmed.logIndex).toBe(4)
  })
})

describe("an invoice's transactions", () => {
  test('are listed in the order detected, all on one page', async () => {
    const busy = await rig.create()
    for (const amount of [3n, 1n, 2n]) await pay(rig, busy, amount)
    const answer = await rig.call('GET', `/v1/invoices/${busy.id}/transactions`)
    expect(answer.json).toMatchObject({
      success: true,
      data: [{ amount: '0.000003' }, { amount: '0.000001' }, { amount: '0.000002' }],
      metadata: { pagination: { page: 1, limit: 3, total: 3, totalPages: 1 } },
    })
    expect((await read(rig, busy)).transactions).toEqual(await list(busy))
  })

  test('are an empty list before a payment', async () => {
    const { id } = await rig.create()
    const answer = await rig.call('GET', `/v1/invoices/${id}/transactions`)
    expect(answer.json).toMatchObject({
      data: [],
      metadata: { pagination: { page: 1, total: 0, totalPages: 0 } },
    })
  })

  test('share the platform fee to the last unit once the invoice is completed', async () => {
    const shared = await rig.create({ amountExpected: '0.001' })
    for (const amount of [333n, 333n, 400n]) await pay(rig, shared, amount)
    await confirm(rig, shared)
    await settle(rig, shared)
    const { platformFee, amountRemitted } = await read(rig, shared)
    const rows = await list(shared)
    expect(platformFee).toBe('0.000005')
    expect(rows.map(({ fee }) => fee)).toEqual(['0.000001', '0.000001', '0.000003'])
    expect(sum(rows.map((row) => units(row.fee)))).toBe(units(platformFee))
    expect(sum(rows.map((row) => units(row.merchantAmount)))).toBe(units(amountRemitted))
  })

  test('leave out deposits that count for nothing', async () => {
    const narrow = await rig.create({ chains: ['base-sepolia'] })
    await pay(rig, narrow, 1n, { networkId: 'sepolia' })
    expect(await list(narrow)).toEqual([])
  })
})
