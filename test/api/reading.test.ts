import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { checksumAddress, lowerCaseAddress } from '../../core/evm.ts'
import type { InvoiceJson, TransactionJson } from '../../core/present.ts'
import { insertPayment, insertSettlement, PAYER, setStatus } from './ledgerRows.ts'
import { type ApiRig, openRig, TREASURY } from './rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 60_000)

afterAll(() => rig.close())

describe('each field of a transaction', () => {
  let invoice: InvoiceJson
  let transaction: TransactionJson | undefined
  let hash = ''

  beforeAll(async () => {
    const created = await rig.create({ amountExpected: '100' })
    hash = await insertPayment(rig.database, created.id, { amount: '60000000', fee: '300000' })
    const answer = await rig.call('GET', `/v1/invoices/${created.id}`)
    invoice = answer.json.data
    transaction = invoice.transactions[0]
  })

  test('id is a UUID', () => {
    expect(transaction?.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })
  test('invoiceId is the invoice', () => expect(transaction?.invoiceId).toBe(invoice.id))
  test('invoiceRef is its reference', () => {
    expect(transaction?.invoiceRef).toBe(invoice.reference)
  })
  test('merchantId is its merchant', () => {
    expect(transaction?.merchantId).toBe(invoice.merchantId)
  })
  test('txHash is the on-chain transaction', () => expect(String(transaction?.txHash)).toBe(hash))
  test('logIndex is the log', () => expect(transaction?.logIndex).toBeGreaterThan(0))
  test('chain is the networkId', () => expect(transaction?.chain).toBe('base-sepolia'))
  test('asset is the symbol', () => expect(transaction?.asset).toBe('USDC'))
  test('tokenAddress is the contract', () => {
    expect(transaction?.tokenAddress).toBe('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
  })
  test('from is the payer', () => {
    expect(transaction?.from).toBe(checksumAddress(lowerCaseAddress(PAYER)))
  })
  test('amount is a decimal', () => expect(transaction?.amount).toBe('60'))
  test('fee is the share of the platform fee', () => expect(transaction?.fee).toBe('0.3'))
  test('merchantAmount is the rest', () => expect(transaction?.merchantAmount).toBe('59.7'))
  test('status is confirmed', () => expect(transaction?.status).toBe('confirmed'))
  test('type is payment', () => expect(transaction?.type).toBe('payment'))
  test('blockNumber is an integer', () => expect(transaction?.blockNumber).toBe(1234))
  test('confirmedAt is a time', () => {
    expect(transaction?.confirmedAt).toBe('2026-05-01T10:00:05.000Z')
  })
  test('createdAt is a time', () => {
    expect(transaction?.createdAt).toBe('2026-05-01T10:00:02.000Z')
  })
})

describe('an invoice with payments', () => {
  let invoice: InvoiceJson
  const hashes: string[] = []

  beforeAll(async () => {
    const { id } = await rig.create({ amountExpected: '100' })
    const { database } = rig
    hashes.push(
      await insertPayment(database, id, { amount: '110000000', fee: '500000' }),
      await insertPayment(database, id, { amount: '1000000', status: 'pending' }),
      await insertPayment(database, id, { amount: '2000000', kind: 'late' }),
      await insertPayment(database, id, { amount: '3000000', status: 'reverted' }),
      await insertPayment(database, id, { amount: '4000000', kind: 'foreign', token: PAYER }),
    )
    hashes.push(await insertSettlement(database, id, '110000000', '500000', TREASURY.toLowerCase()))
    await setStatus(database, id, 'completed')
    await database`
      update invoice set received_amount = 110000000, pending_amount = 1000000,
        late_amount = 2000000, amount_remitted = 109500000, target_network = 'base-sepolia'
      where id = ${id}`
    invoice = (await rig.call('GET', `/v1/invoices/${id}`)).json.data
  })

  test('shows what was received, is pending, came late, was remitted and is too much', () => {
    expect(invoice).toMatchObject({
      receivedAmount: '110',
      pendingAmount: '1',
      lateAmount: '2',
      amountRemitted: '109.5',
      overpaidAmount: '10',
      status: 'completed',
      targetNetwork: 'base-sepolia',
      tokenAddress: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      paidAt: '2026-05-01T10:00:05.000Z',
      completedAt: '2026-05-01T10:00:10.000Z',
    })
  })

  test('lists its transactions in the order detected, with types and statuses', () => {
    const seen = invoice.transactions.map((t) => [
      t.txHash,
      t.type,
      t.status,
      t.confirmedAt !== null,
    ])
    expect(seen).toEqual([
      [hashes[0] ?? '', 'payment', 'confirmed', true],
      [hashes[1] ?? '', 'payment', 'pending', false],
      [hashes[2] ?? '', 'late_payment', 'confirmed', true],
      [hashes[3] ?? '', 'payment', 'reverted', false],
    ])
  })

  test('shows its settlement and the deposit that counts for nothing', () => {
    expect(invoice.settlements).toHaveLength(1)
    expect(invoice.settlements[0]).toMatchObject({
      txHash: hashes[5] ?? '',
      type: 'settlement',
      status: 'confirmed',
      recipient: TREASURY,
      amount: '110',
      fee: '0.5',
      merchantAmount: '109.5',
      blockNumber: 1240,
      confirmedAt: '2026-05-01T10:00:10.000Z',
    })
    expect(invoice.otherDeposits).toHaveLength(1)
    expect(invoice.otherDeposits[0]).toMatchObject({
      txHash: hashes[4] ?? '',
      asset: null,
      amount: null,
      baseUnits: '4000000',
    })
  })

  test('lists its transactions by themselves, in the list envelope, all on one page', async () => {
    const answer = await rig.call('GET', `/v1/invoices/${invoice.id}/transactions`)
    expect(JSON.parse(answer.text)).toEqual({
      success: true,
      data: invoice.transactions,
      metadata: { pagination: { page: 1, limit: 4, total: 4, totalPages: 1 } },
    })
  })

  test('without transactions lists nothing on no page', async () => {
    const { id } = await rig.create()
    const answer = await rig.call('GET', `/v1/invoices/${id}/transactions`)
    expect(answer.list).toEqual({
      success: true,
      data: [],
      metadata: { pagination: { page: 1, limit: 1, total: 0, totalPages: 0 } },
    })
  })

  test('is found by its id in capitals too', async () => {
    const answer = await rig.call('GET', `/v1/invoices/${invoice.id.toUpperCase()}`)
    expect(answer.json.data.id).toBe(invoice.id)
  })
})

describe('the list of invoices', () => {
  let lister: ApiRig
  const ids: string[] = []

  beforeAll(async () => {
    lister = await openRig()
    for (let i = 0; i < 25; i++) {
      // Three at a time share a moment, so that the id has to decide.
      lister.setClock(new Date(Date.UTC(2026, 0, 1, 0, Math.floor(i / 3))))
      ids.unshift((await lister.create({ externalRef: `order-${i}` })).id)
    }
    lister.setClock(null)
    const other = await lister.newMerchant()
    const body = { tokenSymbol: 'USDC', amountExpected: '1' }
    await lister.call('POST', '/v1/invoices', { key: other.secretKey, body })
  })

  afterAll(() => lister.close())

  async function list(query: string) {
    const answer = await lister.call('GET', `/v1/invoices${query}`)
    expect(answer.status).toBe(200)
    return {
      ids: answer.list.data.map((invoice) => invoice.id),
      ...answer.list.metadata.pagination,
    }
  }

  test('has the newest first, 20 on a page, and nobody else’s', async () => {
    const first = await list('')
    expect(first).toEqual({ ids: ids.slice(0, 20), page: 1, limit: 20, total: 25, totalPages: 2 })
    const second = await list('?page=2')
    expect(second).toEqual({ ids: ids.slice(20), page: 2, limit: 20, total: 25, totalPages: 2 })
  })

  test('pages of any size meet without a gap or a repetition', async () => {
    for (const limit of [1, 7, 25, 100]) {
      const pages = Math.ceil(25 / limit)
      const seen: string[] = []
      for (let page = 1; page <= pages; page++) {
        const part = await list(`?limit=${limit}&page=${page}`)
        expect([part.totalPages, part.total, part.limit]).toEqual([pages, 25, limit])
        seen.push(...part.ids)
      }
      expect(seen).toEqual(ids)
    }
  })

  test('skips by offset, and says on which page that is', async () => {
    expect(await list('?offset=3&limit=5')).toMatchObject({ ids: ids.slice(3, 8), page: 1 })
    expect(await list('?offset=10&limit=5')).toMatchObject({ ids: ids.slice(10, 15), page: 3 })
    expect(await list('?offset=0')).toMatchObject({ ids: ids.slice(0, 20), page: 1 })
  })

  test('is empty past its end, however far', async () => {
    expect(await list('?page=3')).toMatchObject({ ids: [], page: 3, total: 25, totalPages: 2 })
    expect(await list('?offset=1000000000000')).toMatchObject({ ids: [], total: 25 })
    expect(await list('?page=1000000000000&limit=100')).toMatchObject({ ids: [] })
  })

  test('of a merchant without invoices has no page', async () => {
    const other = await lister.newMerchant()
    const answer = await lister.call('GET', '/v1/invoices', { key: other.secretKey })
    expect(answer.list.metadata.pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0 })
  })

  test('filters by status', async () => {
    const [first = '', second = '', third = ''] = ids
    await setStatus(lister.database, first, 'partial')
    await setStatus(lister.database, second, 'paid')
    await setStatus(lister.database, third, 'completed')
    expect((await list('?status=partial')).ids).toEqual([first])
    expect((await list('?status=paid')).ids).toEqual([second])
    expect((await list('?status=completed')).ids).toEqual([third])
    expect((await list('?status=pending')).total).toBe(22)
  })

  test('filters by externalRef, of this merchant only', async () => {
    const other = await lister.newMerchant()
    const body = { tokenSymbol: 'USDC', amountExpected: '1', externalRef: 'order-7' }
    await lister.call('POST', '/v1/invoices', { key: other.secretKey, body })
    const found = await lister.call('GET', '/v1/invoices?externalRef=order-7')
    expect(found.list.data.map((invoice) => invoice.externalRef)).toEqual(['order-7'])
    expect(found.list.data[0]?.merchantId).toBe(lister.merchant.merchant.id)
    expect((await list('?externalRef=order-77')).ids).toEqual([])
    expect((await list(`?externalRef=${encodeURIComponent("' or 1=1 --")}`)).ids).toEqual([])
  })

  test('filters by reference', async () => {
    const { reference, id } = await lister.create({ externalRef: 'by reference' })
    expect((await list(`?reference=${reference}`)).ids).toEqual([id])
    expect((await list('?reference=ZZZZZZZZZZ')).ids).toEqual([])
    await lister.database`delete from watched where invoice_id = ${id}`
    await lister.database`delete from invoice where id = ${id}`
  })

  test('filters by createdFrom and createdTo, both included', async () => {
    expect((await list('?createdFrom=2026-01-01T00:08:00Z')).ids).toEqual(ids.slice(0, 1))
    expect((await list('?createdTo=2026-01-01T00:00:00Z')).ids).toEqual(ids.slice(22))
    const between = '?createdFrom=2026-01-01T00:01:00Z&createdTo=2026-01-01T00:02:00.000Z'
    expect((await list(between)).ids).toEqual(ids.slice(16, 22))
    expect((await list('?createdFrom=9999-12-31T23:59:59Z')).ids).toEqual([])
  })

  test('filters by expired', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const { id } = await lister.create({ externalRef: 'expiring', expiresAt })
    const paid = await lister.create({ externalRef: 'expiring and paid', expiresAt })
    await setStatus(lister.database, paid.id, 'paid')
    expect((await list('?expired=true')).ids).toEqual([])
    lister.setClock(new Date(Date.now() + 60_001))
    const expired = await lister.call('GET', '/v1/invoices?expired=true')
    expect(expired.list.data.map((invoice) => [invoice.id, invoice.expired])).toEqual([[id, true]])
    expect((await list('?expired=false&limit=100')).ids).not.toContain(id)
    expect((await list('?expired=false')).total).toBe(26)
    lister.setClock(null)
  })

  test('combines filters', async () => {
    expect((await list('?status=paid&externalRef=order-23')).ids).toEqual([ids[1] ?? ''])
    expect((await list('?status=partial&externalRef=order-23')).ids).toEqual([])
  })
})

describe('ending an invoice', () => {
  test('closes it now, tells the actors, and shows it as expired', async () => {
    const { id } = await rig.create({ chains: ['base-sepolia'] })
    rig.bells.splice(0)
    const before = Date.now()
    const answer = await rig.call('POST', `/v1/invoices/${id}/expire`)
    expect(answer.status).toBe(200)
    const closedAt = Date.parse(answer.json.data.closedAt ?? '')
    expect(closedAt).toBeGreaterThanOrEqual(before)
    expect(closedAt).toBeLessThanOrEqual(Date.now())
    expect(rig.bells).toEqual([
      { networkIds: ['base-sepolia'], message: { type: 'advance_invoice', invoiceId: id } },
    ])
    await Bun.sleep(2)
    const later = await rig.call('GET', `/v1/invoices/${id}`)
    expect(later.json.data).toMatchObject({ status: 'pending', expired: true })
  })

  test('again changes nothing, and takes an empty object for a body', async () => {
    const { id } = await rig.create()
    const first = await rig.call('POST', `/v1/invoices/${id}/expire`)
    await Bun.sleep(2)
    const second = await rig.call('POST', `/v1/invoices/${id}/expire`, { body: {} })
    expect(second.status).toBe(200)
    expect(second.json.data.closedAt).toBe(first.json.data.closedAt)
    const [row] = await rig.database`select version from invoice where id = ${id}`
    expect(row).toEqual({ version: 2 })
  })

  test('works for one that is paid in part', async () => {
    const { id } = await rig.create()
    await setStatus(rig.database, id, 'partial')
    const answer = await rig.call('POST', `/v1/invoices/${id}/expire`)
    expect([answer.status, answer.json.data.status]).toEqual([200, 'partial'])
  })

  test('refuses a body with a field, which would be ignored otherwise', async () => {
    const { id } = await rig.create()
    const answer = await rig.call('POST', `/v1/invoices/${id}/expire`, { body: { at: 'noon' } })
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid request body'])
    const untouched = await rig.call('GET', `/v1/invoices/${id}`)
    expect(untouched.json.data.closedAt).toBeNull()
  })
})

describe('the public lists', () => {
  test('of chains has id, name, chainId and isTestnet, without envelope and key', async () => {
    const answer = await rig.call('GET', '/v1/utils/chains', { key: null })
    expect(JSON.parse(answer.text)).toEqual([
      { id: 'sepolia', name: 'Sepolia', chainId: 11155111, isTestnet: true },
      { id: 'base-sepolia', name: 'Base Sepolia', chainId: 84532, isTestnet: true },
    ])
  })

  test('of tokens has symbol, name, decimals and where they are', async () => {
    const answer = await rig.call('GET', '/v1/utils/tokens', { key: null })
    const tokens = JSON.parse(answer.text)
    expect(tokens[0]).toEqual({
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      chains: [
        { networkId: 'sepolia', address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' },
        { networkId: 'base-sepolia', address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
      ],
    })
    expect(tokens[1]).toMatchObject({ symbol: 'USDT', name: 'Tether USD', decimals: 6 })
  })
})
