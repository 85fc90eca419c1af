import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { setRefundsAny } from '../../../store/access/merchants.ts'
import {
  confirm,
  followChains,
  PAYER,
  paidInvoice,
  pay,
  randomHash,
  read,
} from '../../support/api/ledger.ts'
import {
  type Answer,
  type ApiRig,
  HUB,
  OTHER_TREASURY,
  openRig,
  TREASURY,
} from '../../support/api/rig.ts'

let rig: ApiRig
let made = 0
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

const UNKNOWN_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'
const USDT = '0x477e549693c65def39ee1e9d6af17490bd5fc0c5'
const CHECKSUMMED_PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** An invoice of 10 USDC that is partly paid, so that nothing is settled. */
async function unsettled(amount = 6_000_000n): Promise<InvoiceJson> {
  const invoice = await rig.create()
  await pay(rig, invoice, amount)
  await confirm(rig, invoice)
  return read(rig, invoice)
}

function ask(id: string, body: Readonly<Record<string, unknown>>, key?: string): Promise<Answer> {
  made += 1
  const full = { address: PAYER, idempotencyKey: `key-${made}`, ...body }
  const path = `/v1/invoices/${id}/refunds`
  return rig.call('POST', path, { body: full, ...(key === undefined ? {} : { key }) })
}

function refundIn(answer: Answer): RefundJson {
  expect(answer.status).toBeOneOf([200, 201])
  return JSON.parse(answer.text).data
}

function refusal({ status, json }: Answer): unknown[] {
  return [status, json.error, json.details?.[0]?.path]
}

describe('a refund', () => {
  test('is answered as it was promised, and rings at its chain', async () => {
    const invoice = await unsettled()
    const answer = await ask(invoice.id, { amount: '2.5', idempotencyKey: 'order-7' })
    expect(answer.status).toBe(201)
    expect(refundIn(answer)).toMatchObject({
      invoiceId: invoice.id,
      invoiceRef: invoice.reference,
      type: 'refund',
      status: 'open',
      amount: '2.5',
      baseUnits: '2500000',
      asset: 'USDC',
      chain: 'base-sepolia',
      address: CHECKSUMMED_PAYER,
      idempotencyKey: 'order-7',
      transactionId: null,
      txHash: null,
      confirmedAt: null,
    })
    expect(rig.bells.at(-1)).toEqual({
      networkIds: ['base-sepolia'],
      message: { type: 'advance_invoice', invoiceId: invoice.id },
    })
    const now = await read(rig, invoice)
    expect(now.refunds).toEqual([refundIn(answer)])
    expect(now).toMatchObject({ status: 'partial', receivedAmount: '6', refundedAmount: '0' })
    expect(now.transactions).toMatchObject([{ refundingAmount: '2.5', merchantAmount: '3.4825' }])
  })

  test('is listed, in the order asked for', async () => {
    const invoice = await unsettled()
    for (const amount of ['1', '2']) await ask(invoice.id, { amount })
    const answer = await rig.call('GET', `/v1/invoices/${invoice.id}/refunds`)
    expect(answer.status).toBe(200)
    const { data, metadata } = JSON.parse(answer.text)
    expect(data).toMatchObject([{ amount: '1' }, { amount: '2' }])
    expect(metadata.pagination).toEqual({ page: 1, limit: 2, total: 2, totalPages: 1 })
  })

  test('is told with all its fields', async () => {
    const refund = refundIn(await ask((await unsettled()).id, { amount: '1' }))
    const [event] = await rig.database`
      select type, version, merchant_id, data from outbox where object_id = ${refund.id}`
    expect(event).toMatchObject({
      type: 'refund.created',
      merchantId: rig.merchant.merchant.id,
      data: { ...refund, environment: 'sandbox', version: event?.version },
    })
  })

  test('with the same idempotencyKey is the same', async () => {
    const { id } = await unsettled()
    const body = { amount: '1', idempotencyKey: 'same' }
    const first = refundIn(await ask(id, body))
    const again = await ask(id, { ...body, amount: 1, address: CHECKSUMMED_PAYER })
    expect([again.status, refundIn(again)]).toEqual([200, first])
    expect(refusal(await ask(id, { ...body, amount: '2' }))).toEqual([
      409,
      'idempotencyKey conflict',
      'amount',
    ])
    const conflict = await ask(id, { ...body, amount: '2' })
    expect(conflict.json.details?.[0]?.message).toContain(first.id)
    const other = await unsettled()
    expect(refundIn(await ask(other.id, body)).id).not.toBe(first.id)
  })

  test('of a late payment stops its acceptance', async () => {
    const expiresAt = new Date(Date.now() + 30_000)
    const invoice = await rig.create({ expiresAt: expiresAt.toISOString() })
    await pay(rig, invoice, 3_000_000n, { blockTime: new Date(expiresAt.getTime() + 60_000) })
    await confirm(rig, invoice)
    const late = (await read(rig, invoice)).transactions[0]?.id ?? ''
    expect(refusal(await ask(invoice.id, { amount: '3' }))).toEqual([
      409,
      'refund not possible',
      '',
    ])
    expect(refundIn(await ask(invoice.id, { amount: '1', transactionId: late }))).toMatchObject({
      transactionId: late,
    })
    const path = `/v1/invoices/${invoice.id}/transactions/${late}/accept`
    expect((await rig.call('POST', path)).json.error).toBe('transaction refunded')
  })

  test('of another token is in that token', async () => {
    const invoice = await rig.create()
    await rig.database`
      insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
        kind, status, block_number, block_hash, block_time, confirmed_at)
      values (${Bun.randomUUIDv7()}, ${invoice.id}, 'sepolia', ${randomHash()}, 1, ${USDT},
        ${PAYER}, 7000000, 'foreign', 'confirmed', 1, ${randomHash()}, now(), now())`
    const [deposit] = (await read(rig, invoice)).otherDeposits
    const answer = await ask(invoice.id, { amount: '7', transactionId: deposit?.id ?? '' })
    expect(refundIn(answer)).toMatchObject({ asset: 'USDT', amount: '7', chain: 'sepolia' })
    expect((await read(rig, invoice)).otherDeposits).toMatchObject([
      { refundingBaseUnits: '7000000' },
    ])
    expect(await read(rig, invoice)).toMatchObject({ refundedAmount: '0', status: 'pending' })
  })
})

describe('a refund is refused', () => {
  test('of what is being settled', async () => {
    const invoice = await paidInvoice(rig)
    expect(refusal(await ask(invoice.id, { amount: '0.000001' }))).toEqual([
      409,
      'refund not possible',
      'amount',
    ])
  })

  test('of what was settled, and says to whom', async () => {
    const invoice = await paidInvoice(rig)
    await rig.database`
      update settlement set status = 'mined', tx_hash = ${randomHash()}, block_number = 1
      where invoice_id = ${invoice.id}`
    const answer = await ask(invoice.id, { amount: '0.5' })
    expect(refusal(answer)).toEqual([409, 'refund from your treasury', 'amount'])
    expect(answer.json).toMatchObject({ code: 'refund_settled' })
    const [settlement] = (await read(rig, invoice)).settlements
    expect(answer.json.details?.[0]?.message).toBe(
      `0.5 USDC was settled to ${settlement?.recipient}, refund it from your treasury`,
    )
  })

  test('of more than is there', async () => {
    const { id } = await unsettled()
    await ask(id, { amount: '5' })
    const answer = await ask(id, { amount: '1.000001' })
    expect(refusal(answer)).toEqual([409, 'refund not possible', 'amount'])
    expect(answer.json.details?.[0]?.message).toContain('at most 1:')
  })

  test('to a stranger, unless the operator allows it', async () => {
    const { merchant, secretKey } = await rig.newMerchant()
    const created = await rig.call('POST', '/v1/invoices', {
      key: secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: '10' },
    })
    const { id } = created.json.data
    await pay(rig, { id }, 6_000_000n)
    await confirm(rig, { id })
    const body = { amount: '1', address: OTHER_TREASURY }
    const refused = [403, 'refund address not allowed', 'address']
    expect(refusal(await ask(id, body, secretKey))).toEqual(refused)
    await setRefundsAny(rig.database, merchant.id, true)
    expect<unknown>(refundIn(await ask(id, body, secretKey)).address).toBe(OTHER_TREASURY)
    await setRefundsAny(rig.database, merchant.id, false)
    expect(refusal(await ask(id, body, secretKey))).toEqual(refused)
  })

  test('to no one, the hub, a token and an address of ours', async () => {
    const { id, addresses } = await unsettled()
    const { merchant } = rig.merchant
    await setRefundsAny(rig.database, merchant.id, true)
    const ours = addresses[0]?.address ?? ''
    for (const address of [`0x${'0'.repeat(40)}`, HUB, USDT, ours, TREASURY.replace('7', '8')]) {
      const answer = await ask(id, { amount: '1', address })
      expect(refusal(answer)).toEqual([400, 'invalid recipient address', 'address'])
    }
    await setRefundsAny(rig.database, merchant.id, false)
  })

  test.each([
    ['without an amount', { amount: undefined }, 'amount'],
    ['of nothing', { amount: '0' }, 'amount'],
    ['of a negative amount', { amount: -1 }, 'amount'],
    ['with too many decimals', { amount: '1.0000001' }, 'amount'],
    ['without a key', { idempotencyKey: undefined }, 'idempotencyKey'],
    ['with an empty key', { idempotencyKey: '' }, 'idempotencyKey'],
    ['with a longer key', { idempotencyKey: 'x'.repeat(256) }, 'idempotencyKey'],
    ['with NUL in the key', { idempotencyKey: 'a\0' }, 'idempotencyKey'],
    ['with an id that is none', { transactionId: 'seven' }, 'transactionId'],
    ['with an unknown field', { reason: 'because' }, 'reason'],
  ])('%s', async (_, change, path) => {
    const { id } = await unsettled()
    expect(refusal(await ask(id, { amount: '1', ...change }))).toEqual([
      400,
      'invalid request body',
      path,
    ])
  })

  test('of unknown transactions, and of what belongs to others', async () => {
    const { id } = await unsettled()
    const unknown = await ask(id, { amount: '1', transactionId: UNKNOWN_ID })
    expect(refusal(unknown)).toEqual([404, 'transaction not found', undefined])
    const { secretKey } = await rig.newMerchant()
    const foreign = await ask(id, { amount: '1' }, secretKey)
    expect(refusal(foreign)).toEqual([404, 'invoice not found', undefined])
    const list = await rig.call('GET', `/v1/invoices/${id}/refunds`, { key: secretKey })
    expect(list.json.error).toBe('invoice not found')
    expect((await ask('seven', { amount: '1' })).json.error).toBe('invalid invoice id')
  })
})
