import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { BalanceJson } from '../../../core/invoice/balance.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { foldMovements } from '../../../store/invoice/list/movements.ts'
import { expectDetail } from '../../support/api/answers.ts'
import { confirm, followChains, PAYER, pay, randomHash, settle } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

const EXCHANGE = lowerCaseAddress('0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc')

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

async function ownMerchant() {
  const { secretKey: key } = await rig.newMerchant()
  return {
    key,
    async create(body: object = {}): Promise<InvoiceJson> {
      const full = { tokenSymbol: 'USDC', amountExpected: '10', ...body }
      return (await rig.call('POST', '/v1/invoices', { key, body: full })).json.data
    },
    async find(q: string): Promise<readonly string[]> {
      const answer = await rig.call('GET', `/v1/search?q=${encodeURIComponent(q)}`, { key })
      expect({ q, status: answer.status }).toEqual({ q, status: 200 })
      const found: { kind: string; externalRef: string }[] = JSON.parse(answer.text).data
      return found.map(({ kind, externalRef }) => `${kind} ${externalRef}`)
    },
    async balances(): Promise<readonly BalanceJson[]> {
      const answer = await rig.call('GET', '/v1/balances', { key })
      expect(answer.status).toBe(200)
      return JSON.parse(answer.text).data
    },
  }
}

describe('a search', () => {
  test('finds the merchant’s own invoices by each of their names, the best match first', async () => {
    const { create, find } = await ownMerchant()
    const one = await create({ externalRef: 'order-1' })
    const ten = await create({ externalRef: 'order-10' })
    const named = await create({ externalRef: one.reference.slice(0, 4).toLowerCase() })
    const { txHash } = await pay(rig, one, 1n, { sender: EXCHANGE })
    await pay(rig, ten, 1n, { sender: EXCHANGE, txHash })
    await pay(rig, ten, 2n, { sender: EXCHANGE })
    expect(await find('order-1')).toEqual(['external_ref order-1', 'external_ref order-10'])
    expect(await find('order-10')).toEqual(['external_ref order-10'])
    expect(await find('rder')).toEqual([])
    expect(await find(one.id.toUpperCase())).toEqual(['id order-1'])
    expect(await find(one.reference.toLowerCase())).toEqual(['reference order-1'])
    expect(await find(one.reference.slice(0, 4).toLowerCase())).toEqual([
      `external_ref ${named.externalRef}`,
      'reference order-1',
    ])
    expect(await find(one.reference.slice(0, 3))).not.toContain('reference order-1')
    expect(await find(txHash)).toEqual(['transaction order-10', 'transaction order-1'])
    expect(await find(one.addresses[0]?.address ?? '')).toEqual(['deposit_address order-1'])
    expect(await find(EXCHANGE)).toEqual(['payer order-10', 'payer order-1'])
    expect(await find(randomHash())).toEqual([])
    const other = await ownMerchant()
    const names = [
      'order-1',
      one.id,
      one.reference,
      txHash,
      EXCHANGE,
      one.addresses[0]?.address ?? '',
    ]
    for (const name of names)
      expect({ name, found: await other.find(name) }).toEqual({ name, found: [] })
  })

  test('finds at most 20', async () => {
    const { create, find } = await ownMerchant()
    for (let i = 0; i < 22; i++) await create({ externalRef: `batch ${10 + i}` })
    expect(await find('batch')).toHaveLength(20)
    expect(await find('batch 31')).toEqual(['external_ref batch 31'])
  })

  test('takes any text, and needs one', async () => {
    const { find, key } = await ownMerchant()
    for (const q of ["'; --", '%', '\u{10FFFF}', '😀', '0x', 'a'.repeat(255)]) {
      expect(await find(q)).toEqual([])
    }
    for (const query of ['', '?q=', `?q=${'a'.repeat(256)}`, '?q=%00']) {
      const answer = await rig.call('GET', `/v1/search${query}`, { key })
      expectDetail(answer, 'invalid query parameters', 'q')
    }
  })
})

describe('the balances', () => {
  const COLUMNS = [
    'incoming',
    'held',
    'settling',
    'refunding',
    'settled',
    'fees',
    'refunded',
  ] as const

  test('say of all money that came where it is, before and after changes are added up', async () => {
    const { create, balances, key } = await ownMerchant()
    expect(await balances()).toEqual([])
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const [settled, due, partial, seen, late] = [
      await create(),
      await create(),
      // What comes on a chain that it doesn't list counts for nothing, and is held.
      await create({ chains: ['base-sepolia'] }),
      await create(),
      await create({ expiresAt }),
    ]
    for (const invoice of [settled, due]) {
      await pay(rig, invoice, 10_000_000n)
      await confirm(rig, invoice)
    }
    await settle(rig, settled)
    await pay(rig, partial, 3_000_000n)
    await pay(rig, partial, 500_000n, { networkId: 'sepolia' })
    await confirm(rig, partial)
    await pay(rig, seen, 2_000_000n)
    await pay(rig, late, 7_000_000n, { blockTime: new Date(Date.now() + 120_000) })
    await confirm(rig, late)
    const refund = await rig.call('POST', `/v1/invoices/${partial.id}/refunds`, {
      key,
      body: { amount: '1', address: PAYER, idempotencyKey: 'some' },
    })
    expect(refund.status).toBe(201)
    const expected = [
      { chain: 'base-sepolia', asset: 'USDC', incoming: '2', held: '9', refunding: '1' },
      { chain: 'sepolia', asset: 'USDC', held: '0.5', inFlight: '0' },
    ]
    const first = await balances()
    expect(first).toMatchObject(expected)
    const [base] = first
    expect(COLUMNS.reduce((sum, column) => sum + Number(base?.[column]), 0)).toBeCloseTo(32, 6)
    expect(Number(base?.settled) + Number(base?.fees)).toBe(10)
    expect(base?.settling).toBe('10')
    expect(base?.inFlight).toBe('13')
    while ((await foldMovements(rig.database)) > 0);
    expect(await balances()).toEqual(first)
  })
})
