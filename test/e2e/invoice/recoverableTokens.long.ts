import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '../../../cli/books/reconcile.ts'
import type { Report } from '../../../cli/books/report.ts'
import { setRefundsAny } from '../../../store/access/merchants.ts'
import { type AstrayRig, astrayRig, DAI, depositOf, SHELL } from '../../support/invoice/astray.ts'
import { newAddress } from '../../support/invoice/refunds.ts'

/** Tokens that no invoice can ask for: what was sent of them is shown, goes back, and adds up. */

const UNIT = 10n ** 18n

let rig: AstrayRig

/** What a comparison finds after the operator has taken every token from the list. */
function compareUnlisted(): Promise<Report> {
  const { database, config } = rig.ledger
  const chains = config.chains.map((chain) => ({ ...chain, recoverable: [] }))
  return reconcile({ database, config: { ...config, chains }, only: null, now: new Date() })
}

beforeAll(async () => {
  rig = await astrayRig()
}, 120_000)
afterAll(() => rig?.close())

describe('a token that the operator lists', () => {
  test('is recorded at hand-in, shown with symbol and amount, and comes back to the unit', async () => {
    const { payer, ledger, api } = rig
    const invoice = await api.create({ chains: ['base-sepolia'] })
    const before = await rig.balance(DAI, payer.address)
    const txHash = await rig.send(DAI, invoice, 12n * UNIT + 1n)
    // No one has submitted it: it is not the ledger's, and no difference.
    await ledger.book()
    expect(await rig.differences()).toEqual([])

    const found = await rig.submit(invoice, txHash)
    const shown = { asset: 'DAI', amount: '12.000000000000000001' }
    expect(found).toMatchObject({ status: 'mined', transfers: [{ ...shown, outcome: 'recorded' }] })
    expect(await rig.submit(invoice, txHash)).toMatchObject({ transfers: [{ outcome: 'known' }] })
    await ledger.book()
    const paymentId = found.transfers[0]?.transactionId ?? ''
    expect(await rig.data('GET', `/v1/invoices/${invoice.id}`)).toMatchObject({
      status: 'pending',
      receivedAmount: '0',
      transactions: [],
      otherDeposits: [{ ...shown, id: paymentId, status: 'confirmed', from: expect.anything() }],
    })
    expect(await rig.data('GET', '/v1/recoveries')).toMatchObject([
      { ...shown, transactionId: paymentId, reason: 'wrong_token', actions: ['refund'] },
    ])
    expect(await rig.differences()).toEqual([])

    const some = await rig.refund(invoice, '2.000000000000000001', paymentId, payer.address)
    expect([some.status, some.json.data]).toMatchObject([201, { asset: 'DAI', status: 'open' }])
    const rest = await rig.refund(invoice, '10', paymentId, payer.address)
    expect((await compareUnlisted()).differences).toMatchObject([
      { kind: 'unknown_token', token: DAI, ledger: 12n * UNIT + 1n },
    ])
    await ledger.settle()
    expect((await compareUnlisted()).differences).toEqual([])
    expect(await rig.balance(DAI, payer.address)).toBe(before)
    expect(await rig.balance(DAI, depositOf(invoice))).toBe(0n)
    const told = await ledger.database`
      select type, data->>'asset' as asset, data->>'amount' as amount from outbox
      where object_id = ${rest.json.data.id} order by version`
    expect([...told]).toEqual([
      { type: 'refund.created', asset: 'DAI', amount: '10' },
      { type: 'refund.completed', asset: 'DAI', amount: '10' },
    ])
    expect(await rig.differences()).toEqual([])
    expect(await rig.data('GET', '/v1/recoveries')).toEqual([])
    const csv = await api.call('GET', '/v1/reports/transactions.csv')
    expect(csv.text).toContain('DAI')
    expect(csv.text).toContain('12.000000000000000001')
  }, 120_000)

  test('is a difference when a deposit holds less of it than was submitted', async () => {
    const invoice = await rig.api.create({ chains: ['base-sepolia'] })
    await rig.submit(invoice, await rig.send(DAI, invoice, 5n * UNIT))
    await rig.ledger.book()
    const report = await rig.ledger.compareAfter(
      (sql) => sql`update payment set amount = amount + 1 where token = ${DAI}`,
    )
    expect(report.differences).toContainEqual(
      expect.objectContaining({ kind: 'deposit_holds_less', token: DAI, chain: 5n * UNIT }),
    )
  }, 120_000)

  test('is a difference when more went back than was submitted', async () => {
    const report = await rig.ledger.compareAfter(
      (sql) => sql`update payment set status = 'reverted', confirmed_at = null where refunded > 0`,
    )
    expect(report.differences).toMatchObject([{ token: DAI, ledger: -12n * UNIT - 1n, chain: 0n }])
  }, 120_000)

  test('hides nothing else of its chain when it no longer tells who holds it', async () => {
    const { ledger, chain, payer } = rig
    const [relayer = payer.key] = chain.relayerKeys
    const report = await ledger.compareAfterChain(async () => {
      await ledger.send(relayer, { to: payer.address })
      // A contract that refuses every call.
      await chain.node.rpc('anvil_setCode', [DAI, '0x5f5ffd'])
    })
    expect(report.differences).toMatchObject([
      { kind: 'token_unreadable', token: DAI },
      { kind: 'relayer_nonce' },
    ])
  }, 120_000)

  test('is offered to no one, and no invoice can ask for it', async () => {
    const { api } = rig
    const tokens = await api.call('GET', '/v1/utils/tokens', { key: null })
    expect(tokens.text).not.toContain('DAI')
    const asked = await api.call('POST', '/v1/invoices', {
      body: { tokenSymbol: 'DAI', amountExpected: '1' },
    })
    expect([asked.status, asked.json.error]).toEqual([400, 'no supported chains for token'])
  })

  test('goes to its sender only, like any other refund', async () => {
    const { api, ledger } = rig
    const invoice = await api.create({ chains: ['base-sepolia'] })
    const { transfers } = await rig.submit(invoice, await rig.send(DAI, invoice, UNIT))
    await ledger.book()
    const paymentId = transfers[0]?.transactionId ?? ''
    const [too, other] = ['1.000000000000000001', newAddress()]
    expect((await rig.refund(invoice, too, paymentId, rig.payer.address)).status).toBe(409)
    expect((await rig.refund(invoice, '1', paymentId, other)).json.error).toBe(
      'refund address not allowed',
    )
    await setRefundsAny(ledger.database, api.merchant.merchant.id, true)
    expect((await rig.refund(invoice, '1', paymentId, other)).status).toBe(201)
    await ledger.settle()
    expect(await rig.balance(DAI, other)).toBe(UNIT)
    await setRefundsAny(ledger.database, api.merchant.merchant.id, false)
    expect(await rig.differences()).toEqual([])
  }, 120_000)
})

test('a token that no one lists stays unsupported', async () => {
  const invoice = await rig.api.create({ chains: ['base-sepolia'] })
  const found = await rig.submit(invoice, await rig.send(SHELL, invoice, UNIT))
  expect(found.transfers).toMatchObject([
    { outcome: 'unsupported_token', transactionId: null, asset: null, amount: null },
  ])
  expect(await rig.data('GET', `/v1/invoices/${invoice.id}`)).toMatchObject({ otherDeposits: [] })
})
