import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiRig, OTHER_TREASURY, openRig, TREASURY } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

const IN_AN_HOUR = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000).toISOString()

describe('creating an invoice', () => {
  test('answers 201 with the success envelope', async () => {
    const answer = await rig.call('POST', '/v1/invoices', {
      body: { tokenSymbol: 'USDC', amountExpected: '1' },
    })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.json)).toEqual(['success', 'data'])
    expect(answer.json.success).toBe(true)
  })

  test('stores the address to watch and the event, before it answers', async () => {
    const invoice = await rig.create({ externalRef: 'stored' })
    const address = invoice.addresses[0]?.address.toLowerCase() ?? ''
    const watched = await rig.database`select * from watched where address = ${address}`
    expect(watched).toHaveLength(1)
    expect(watched[0]).toMatchObject({ kind: 'deposit', invoiceId: invoice.id })
    const events = await rig.database`select * from outbox where object_id = ${invoice.id}`
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ type: 'invoice.created', version: 1 })
    // The page, on which the party that knows it acts as the payer, is for the merchant's own answers only.
    const told = {
      ...invoice,
      checkoutUrl: undefined,
      x402Url: undefined,
      environment: 'sandbox',
      version: 1,
    }
    expect(events[0]?.data).toEqual(told)
  })

  test('without a recipient shows the one of the merchant, and null when there is none', async () => {
    expect<unknown>((await rig.create()).recipient).toEqual({ chainType: 'evm', address: TREASURY })
    const poor = await rig.newMerchant(null)
    const answer = await rig.call('POST', '/v1/invoices', {
      key: poor.secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: '1' },
    })
    expect(answer.json.data.recipient).toBeNull()
  })

  test('takes an amount as number and as string', async () => {
    for (const [given, shown] of [
      [100, '100'],
      [0.000001, '0.000001'],
      ['0.1', '0.1'],
      ['7.500000', '7.5'],
      ['999999999999.999999', '999999999999.999999'],
      [123456789.123456, '123456789.123456'],
    ] as const) {
      expect((await rig.create({ amountExpected: given })).amountExpected).toBe(shown)
    }
  })

  test('keeps the chains it is asked for, each once, in the order of the registry', async () => {
    const chains = ['base-sepolia', 'sepolia', 'base-sepolia']
    const invoice = await rig.create({ chains })
    expect(invoice.addresses.map((a) => a.networkId)).toEqual(['sepolia', 'base-sepolia'])
    const one = await rig.create({ chains: ['base-sepolia'] })
    expect(one.addresses.map((a) => a.networkId)).toEqual(['base-sepolia'])
    const all = await rig.create({ chains: [] })
    expect(all.addresses).toHaveLength(2)
  })

  test('takes a recipient in lower case and with its checksum', async () => {
    const lower = await rig.create({ recipient: OTHER_TREASURY.toLowerCase() })
    expect<string | undefined>(lower.recipient?.address).toBe(OTHER_TREASURY)
  })

  test('keeps metadata to the last byte that fits, regardless of what they are', async () => {
    const metadata = { text: 'x'.repeat(8192 - '{"text":""}'.length) }
    expect((await rig.create({ metadata })).metadata).toEqual(metadata)
    const odd = { '': 0, __proto__x: [[]], 'key with "quotes"': '\\u0000', deep: { a: { b: [] } } }
    const invoice = await rig.create({ metadata: odd })
    expect(invoice.metadata).toEqual(odd)
    const read = await rig.call('GET', `/v1/invoices/${invoice.id}`)
    expect(read.json.data.metadata).toEqual(odd)
  })

  test('takes an expiry with any zone, to the millisecond', async () => {
    const body = { expiresAt: IN_AN_HOUR.replace('.000Z', '+00:00') }
    expect((await rig.create(body)).expiresAt).toBe(IN_AN_HOUR)
  })

  test('takes an externalRef of 255 characters, regardless of what they weigh', async () => {
    const externalRef = '𝄞'.repeat(255)
    expect((await rig.create({ externalRef })).externalRef).toBe(externalRef)
  })
})

describe('an externalRef that was used before', () => {
  const body = {
    tokenSymbol: 'USDC',
    amountExpected: '20',
    recipient: OTHER_TREASURY,
    expiresAt: IN_AN_HOUR,
    metadata: { a: { x: 1, y: [1, 2] }, b: 2 },
    chains: ['base-sepolia', 'sepolia'],
  }

  test('with the same parameters answers 200 with the original, however they are written', async () => {
    const original = await rig.create({ ...body, externalRef: 'same' })
    const again = await rig.call('POST', '/v1/invoices', {
      body: {
        externalRef: 'same',
        metadata: { b: 2.0, a: { y: [1, 2], x: 1 } },
        chains: ['sepolia', 'base-sepolia', 'sepolia'],
        expiresAt: IN_AN_HOUR.replace('Z', '+00:00'),
        recipient: OTHER_TREASURY.toLowerCase(),
        amountExpected: 20,
        tokenSymbol: 'USDC',
      },
    })
    expect(again.status).toBe(200)
    expect(again.json.data).toEqual(original)
    const rows = await rig.database`select from invoice where external_ref = 'same'`
    expect(rows).toHaveLength(1)
  })

  test('answers with the invoice as it stands now', async () => {
    const original = await rig.create({ externalRef: 'stands' })
    await rig.database`update invoice set status = 'paid' where id = ${original.id}`
    const again = await rig.call('POST', '/v1/invoices', {
      body: { tokenSymbol: 'USDC', amountExpected: '10', externalRef: 'stands' },
    })
    expect(again.status).toBe(200)
    expect(again.json.data.status).toBe('paid')
  })

  const differences: [string, Record<string, unknown>][] = [
    ['token', { tokenSymbol: 'USDT' }],
    ['amount', { amountExpected: '20.000001' }],
    ['chains', { chains: ['base-sepolia'] }],
    ['recipient', { recipient: TREASURY }],
    ['recipient left out', { recipient: undefined }],
    ['expiry', { expiresAt: new Date(Date.parse(IN_AN_HOUR) + 1).toISOString() }],
    ['expiry left out', { expiresAt: undefined }],
    ['metadata', { metadata: { a: { x: 1, y: [2, 1] }, b: 2 } }],
    ['metadata left out', { metadata: undefined }],
  ]
  for (const [what, difference] of differences) {
    test(`with another ${what} answers 409`, async () => {
      const externalRef = `other ${what}`
      await rig.create({ ...body, externalRef })
      const answer = await rig.call('POST', '/v1/invoices', {
        body: { ...body, externalRef, ...difference },
      })
      expect(answer.status).toBe(409)
      expect(answer.json.error).toBe('externalRef conflict')
    })
  }

  test('by another merchant is no one else’s business', async () => {
    await rig.create({ externalRef: 'mine' })
    const other = await rig.newMerchant()
    const answer = await rig.call('POST', '/v1/invoices', {
      key: other.secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: '99', externalRef: 'mine' },
    })
    expect(answer.status).toBe(201)
  })

  test('makes one invoice of many creates at the same moment', async () => {
    const request = { tokenSymbol: 'USDC', amountExpected: '5', externalRef: 'race' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => rig.call('POST', '/v1/invoices', { body: request })),
    )
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1)
    expect(answers.filter((a) => a.status === 200)).toHaveLength(19)
    expect(new Set(answers.map((a) => a.json.data.id)).size).toBe(1)
    const id = answers[0]?.json.data.id ?? ''
    const watched = await rig.database`select from watched where invoice_id = ${id}`
    const events = await rig.database`select from outbox where object_id = ${id}`
    expect([watched.length, events.length]).toEqual([1, 1])
  })

  test('still answers 200 when the expiry that was fine then is past now', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const original = await rig.create({ externalRef: 'past', expiresAt })
    rig.setClock(new Date(Date.now() + 120_000))
    try {
      const repeat = { tokenSymbol: 'USDC', amountExpected: '10', externalRef: 'past', expiresAt }
      const again = await rig.call('POST', '/v1/invoices', { body: repeat })
      expect(again.status).toBe(200)
      const closed = { expired: true, x402Url: null }
      expect(again.json.data).toEqual({ ...original, ...closed })
      const fresh = await rig.call('POST', '/v1/invoices', {
        body: { ...repeat, externalRef: 'past and new' },
      })
      expect(fresh.status).toBe(400)
    } finally {
      rig.setClock(null)
    }
  })
})
