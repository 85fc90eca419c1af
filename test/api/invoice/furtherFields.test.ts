import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { ISO_TIME } from '../../support/api/answers.ts'
import { confirm, followChains, paidInvoice, pay, read, settle } from '../../support/api/ledger.ts'
import { type ApiRig, openRig, TREASURY } from '../../support/api/rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

const HOUR_MS = 3_600_000

function inAnHour(): Date {
  return new Date(Date.now() + HOUR_MS)
}

/** An invoice that expires in an hour and gets this much two hours from now. */
async function paidLate(amount: bigint): Promise<InvoiceJson> {
  const invoice = await rig.create({ expiresAt: inAnHour().toISOString() })
  await pay(rig, invoice, amount, { blockTime: new Date(Date.now() + 2 * HOUR_MS) })
  await confirm(rig, invoice)
  return read(rig, invoice)
}

describe('beyond the specification an invoice has', () => {
  test('expired, true when its time is over and it is not paid', async () => {
    const invoice = await rig.create({ expiresAt: inAnHour().toISOString() })
    expect(invoice.expired).toBe(false)
    rig.setClock(new Date(Date.now() + 2 * HOUR_MS))
    expect((await read(rig, invoice)).expired).toBe(true)
    rig.setClock(null)
  })

  test('lateAmount, what came after its time and does not count as received', async () => {
    const invoice = await paidLate(10_000_000n)
    expect([invoice.lateAmount, invoice.receivedAmount, invoice.status]).toEqual([
      '10',
      '0',
      'pending',
    ])
  })

  test('settlementState no_recipient while its money is held for want of one', async () => {
    const { secretKey } = await rig.newMerchant(null)
    const body = { tokenSymbol: 'USDC', amountExpected: 10 }
    const created = await rig.call('POST', '/v1/invoices', { key: secretKey, body })
    const { id } = created.json.data
    expect(created.json.data.settlementState).toBe('none')
    await pay(rig, { id }, 10_000_000n)
    await confirm(rig, { id })
    const held = await rig.call('GET', `/v1/invoices/${id}`, { key: secretKey })
    expect(held.json.data).toMatchObject({ status: 'paid', settlementState: 'no_recipient' })
  })

  test('settlementError null while nothing went wrong', async () => {
    expect((await paidInvoice(rig)).settlementError).toBeNull()
  })

  test('closedAt null until it is ended by hand', async () => {
    const invoice = await rig.create()
    expect(invoice.closedAt).toBeNull()
    const answer = await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
    expect(answer.json.data.closedAt).toMatch(ISO_TIME)
  })

  test('settlements, of type settlement, which are not among its transactions', async () => {
    const invoice = await paidInvoice(rig)
    const txHash = await settle(rig, invoice)
    const { settlements, transactions } = await read(rig, invoice)
    expect(settlements).toMatchObject([
      {
        invoiceId: invoice.id,
        invoiceRef: invoice.reference,
        merchantId: invoice.merchantId,
        type: 'settlement',
        status: 'confirmed',
        chain: 'base-sepolia',
        asset: 'USDC',
        recipient: TREASURY,
        amount: '10',
        fee: '0.05',
        merchantAmount: '9.95',
        txHash,
        blockNumber: 200,
      },
    ])
    expect(transactions.map(({ type }) => type)).toEqual(['payment'])
  })

  test('otherDeposits, tokens that count for nothing', async () => {
    const invoice = await rig.create({ chains: ['base-sepolia'] })
    await pay(rig, invoice, 3_000_000n, { networkId: 'sepolia' })
    const now = await read(rig, invoice)
    expect(now.otherDeposits).toMatchObject([
      { chain: 'sepolia', asset: 'USDC', amount: '3', baseUnits: '3000000', status: 'pending' },
    ])
    expect([now.transactions, now.pendingAmount, now.targetNetwork]).toEqual([[], null, null])
  })
})
