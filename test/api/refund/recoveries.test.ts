import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SettlementId } from '../../../core/base/ids.ts'
import { lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { SWEEPS } from '../../../store/invoice/sweeps.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { confirm, followChains, PAYER, pay, randomHash } from '../../support/api/ledger.ts'
import { type ApiRig, OTHER_TREASURY, openRig } from '../../support/api/rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({ variables: { MIN_SWEEP_USDC_SEPOLIA: '100' } })
  await followChains(rig)
})
afterAll(() => rig.close())

const USDT = '0x477e549693c65def39ee1e9d6af17490bd5fc0c5'

/** A merchant of the test's own, with the list of what is held of its money. */
async function ownMerchant(recipient: string | null = OTHER_TREASURY) {
  const { secretKey: key } = await rig.newMerchant(recipient)
  return {
    async create(body: Readonly<Record<string, unknown>> = {}): Promise<InvoiceJson> {
      const full = { tokenSymbol: 'USDC', amountExpected: '10', ...body }
      return (await rig.call('POST', '/v1/invoices', { key, body: full })).json.data
    },
    async held(query = ''): Promise<RecoveryJson[]> {
      const answer = await rig.call('GET', `/v1/recoveries${query}`, { key })
      expect(answer.status).toBe(200)
      return JSON.parse(answer.text).data
    },
    async pagination(query = '') {
      const answer = await rig.call('GET', `/v1/recoveries${query}`, { key })
      return JSON.parse(answer.text).metadata.pagination
    },
    refund: (invoice: InvoiceJson, body: Readonly<Record<string, unknown>>) =>
      rig.call('POST', `/v1/invoices/${invoice.id}/refunds`, {
        key,
        body: { address: PAYER, idempotencyKey: crypto.randomUUID(), ...body },
      }),
  }
}

async function foreign(invoice: InvoiceJson, networkId: string, amount: bigint): Promise<void> {
  await rig.database`
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
      kind, status, block_number, block_hash, block_time, confirmed_at)
    values (${Bun.randomUUIDv7()}, ${invoice.id}, ${networkId}, ${randomHash()}, 1, ${USDT},
      ${PAYER}, ${amount}, 'foreign', 'confirmed', 1, ${randomHash()}, now(), now())`
}

async function failSweeps(invoice: InvoiceJson, error: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await rig.database.begin(async (sql) => {
      const open = await sql<{ id: SettlementId }[]>`
        select id from settlement where invoice_id = ${invoice.id} and status = 'open'`
      const given = open.map(({ id }) => ({ id, reason: error }))
      await advance(sql, SWEEPS, 'failed', given)
      await advanceInvoice(sql, rig.config, invoice.id, new Date())
    })
  }
}

describe('money is held, and listed with what can be done,', () => {
  test('when it came late', async () => {
    const { create, held } = await ownMerchant()
    const invoice = await create({ expiresAt: new Date(Date.now() + 30_000).toISOString() })
    await pay(rig, invoice, 3_000_000n, { blockTime: new Date(Date.now() + 3_600_000) })
    expect(await held()).toEqual([])
    await confirm(rig, invoice)
    const [late] = await rig.database`select id from payment where invoice_id = ${invoice.id}`
    expect(await held()).toMatchObject([
      {
        invoiceId: invoice.id,
        invoiceRef: invoice.reference,
        transactionId: late?.id,
        reason: 'late',
        amount: '3',
        asset: 'USDC',
        actions: ['accept_transaction', 'refund'],
      },
    ])
  })

  test('in another token, and on another chain', async () => {
    const { create, held } = await ownMerchant()
    const invoice = await create({ chains: ['base-sepolia'] })
    await foreign(invoice, 'base-sepolia', 5n)
    await foreign(invoice, 'sepolia', 6n)
    const entries = (await held()).toSorted((a, b) => a.baseUnits.localeCompare(b.baseUnits))
    expect(entries).toMatchObject([
      { reason: 'wrong_token', baseUnits: '5', chain: 'base-sepolia', actions: ['refund'] },
      { reason: 'wrong_chain', baseUnits: '6', chain: 'sepolia', actions: ['refund'] },
    ])
  })

  test('while the rest of a partial payment can still come', async () => {
    const { create, held, pagination } = await ownMerchant()
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const invoice = await create({ expiresAt })
    await pay(rig, invoice, 3_000_000n)
    await confirm(rig, invoice)
    expect(await held()).toMatchObject([
      {
        ...{ reason: 'partial', amount: '3', transactionId: null, expiresAt },
        actions: ['wait', 'accept_partial', 'refund'],
      },
    ])
    expect(await pagination()).toMatchObject({ total: 1 })
    await pay(rig, invoice, 7_000_000n)
    await confirm(rig, invoice)
    expect(await held()).toEqual([])
  })

  test('when an invoice ended with less than was asked for', async () => {
    const { create, held } = await ownMerchant()
    const invoice = await create()
    await pay(rig, invoice, 3_000_000n, { blockTime: new Date(0) })
    await confirm(rig, invoice)
    await rig.database`
      update invoice set expires_at = created_at + interval '1 ms' where id = ${invoice.id}`
    expect(await held()).toMatchObject([
      { reason: 'underpaid', transactionId: null, actions: ['accept_partial', 'refund'] },
    ])
  })

  test('while no one is configured to receive it', async () => {
    const { create, held } = await ownMerchant(null)
    const invoice = await create()
    await pay(rig, invoice, 10_000_000n)
    await confirm(rig, invoice)
    expect(await held()).toMatchObject([
      { reason: 'no_recipient', amount: '10', actions: ['set_recipient', 'refund'] },
    ])
  })

  test('while it is not worth sending', async () => {
    const { create, held } = await ownMerchant()
    // An invoice of less would not list the chain at all.
    const invoice = await create({ amountExpected: '110' })
    const onSepolia = { networkId: 'sepolia', blockHash: randomHash() }
    await pay(rig, invoice, 100_000_000n)
    await pay(rig, invoice, 10_000_000n, onSepolia)
    await confirm(rig, invoice)
    expect(await held()).toMatchObject([{ reason: 'below_gas_threshold', chain: 'sepolia' }])
  })

  test('when the token blocks the recipient, or sending failed otherwise', async () => {
    const { create, held } = await ownMerchant()
    const [blocked, failed] = [await create(), await create({ recipient: OTHER_TREASURY })]
    for (const invoice of [blocked, failed]) {
      await pay(rig, invoice, 10_000_000n)
      await confirm(rig, invoice)
    }
    await failSweeps(blocked, 'Blacklistable: account is blacklisted')
    await failSweeps(failed, 'Pausable: paused')
    const byId = new Map((await held()).map((entry) => [entry.invoiceId, entry]))
    expect(byId.get(blocked.id)).toMatchObject({
      reason: 'blocked_recipient',
      error: 'Blacklistable: account is blacklisted',
      actions: ['set_recipient', 'refund'],
    })
    // The deposit address commits to the recipient that the invoice names.
    expect(byId.get(failed.id)).toMatchObject({
      reason: 'settlement_failed',
      actions: ['wait', 'refund'],
    })
  })
})

describe('what is offered is what the API carries out,', () => {
  test('and of money that a bridge has minted no refund is offered, with the reason', async () => {
    const { create, held, refund } = await ownMerchant()
    const invoice = await create({ expiresAt: new Date(Date.now() + 30_000).toISOString() })
    const afterwards = { blockTime: new Date(Date.now() + 3_600_000) }
    await pay(rig, invoice, 3_000_000n, { sender: ZERO_ADDRESS, ...afterwards })
    await confirm(rig, invoice)
    const [entry] = await held()
    expect(entry).toMatchObject({
      ...{ actions: ['accept_transaction'], refundTo: [] },
      refused: [{ action: 'refund', code: 'invalid_recipient' }],
    })
    expect(entry?.refused[0]?.about).toContain(ZERO_ADDRESS)
    for (const address of [ZERO_ADDRESS, PAYER]) {
      const answer = await refund(invoice, {
        ...{ amount: '1', address, transactionId: entry?.transactionId },
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
  })

  test('and of several payers each gets what came from there', async () => {
    const { create, held, refund } = await ownMerchant()
    const invoice = await create()
    const other = lowerCaseAddress('0x00000000000000000000000000000000000000e1')
    await pay(rig, invoice, 3_000_000n)
    await pay(rig, invoice, 2_000_000n, { sender: other })
    await confirm(rig, invoice)
    const targets = (await held()).flatMap(({ refundTo }) => refundTo)
    expect(targets.map(({ amount }) => amount).toSorted()).toEqual(['2', '3'])
    for (const { address, amount } of targets) {
      expect((await refund(invoice, { address, amount })).status).toBe(201)
    }
  })

  test('and no late payment is offered to accept of which a part went back', async () => {
    const { create, held, refund } = await ownMerchant()
    const invoice = await create({ expiresAt: new Date(Date.now() + 30_000).toISOString() })
    await pay(rig, invoice, 3_000_000n, { blockTime: new Date(Date.now() + 3_600_000) })
    await confirm(rig, invoice)
    const [entry] = await held()
    const transactionId = entry?.transactionId
    expect((await refund(invoice, { amount: '1', transactionId })).status).toBe(201)
    expect(await held()).toMatchObject([
      { actions: ['refund'], refused: [{ code: 'transaction_refunded' }] },
    ])
  })
})

test('what refunds have taken is no longer held', async () => {
  const { create, held, refund } = await ownMerchant(null)
  const invoice = await create()
  await pay(rig, invoice, 10_000_000n)
  await confirm(rig, invoice)
  expect((await refund(invoice, { amount: '4' })).status).toBe(201)
  expect(await held()).toMatchObject([{ reason: 'partial', amount: '6' }])
  expect((await refund(invoice, { amount: '6' })).status).toBe(201)
  expect(await held()).toEqual([])
})

test('the list is paged, and no one sees the money of others', async () => {
  const [one, other] = [await ownMerchant(), await ownMerchant()]
  const invoice = await one.create()
  for (let i = 1n; i <= 3n; i += 1n) await foreign(invoice, 'sepolia', i)
  expect(await one.held('?limit=2')).toHaveLength(2)
  expect(await one.held('?limit=2&page=2')).toHaveLength(1)
  expect(await one.held('?limit=2&page=3')).toEqual([])
  expect(await one.pagination('?limit=2&page=3')).toEqual({
    page: 3,
    limit: 2,
    total: 3,
    totalPages: 2,
  })
  expect(await other.held()).toEqual([])
  expect(await other.pagination()).toMatchObject({ total: 0, totalPages: 0 })
  const wrong = await rig.call('GET', '/v1/recoveries?limt=2')
  expect([wrong.status, wrong.json.error]).toEqual([400, 'invalid query parameters'])
})
