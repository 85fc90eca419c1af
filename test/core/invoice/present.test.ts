import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import {
  type InvoiceRows,
  presentChain,
  presentInvoice,
  presentPayment,
  presentSettlement,
} from '../../../core/invoice/present.ts'
import { anInvoice, aPayment, aSettlement, NOW } from '../../support/core/invoiceRows.ts'

const SANDBOX = chainsOf('sandbox')
const TREASURY = lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')

function rows(change: Partial<InvoiceRows> = {}): InvoiceRows {
  return {
    invoice: anInvoice(),
    payments: [],
    settlements: [],
    refunds: [],
    externalRefunds: [],
    merchantRecipient: null,
    ...change,
  }
}

function present(change: Partial<InvoiceRows> = {}, now = NOW) {
  return presentInvoice(rows(change), SANDBOX, now)
}

describe('an invoice is shown', () => {
  test('with every field of the specification', () => {
    const specified = [
      ...['id', 'merchantId', 'externalRef', 'reference', 'addresses', 'recipient'],
      ...['tokenAddress', 'tokenSymbol', 'targetNetwork', 'amountExpected', 'pendingAmount'],
      ...['receivedAmount', 'platformFee', 'amountRemitted', 'overpaidAmount', 'status'],
      ...['expiresAt', 'createdAt', 'paidAt', 'completedAt', 'metadata', 'transactions'],
    ]
    expect(Object.keys(present())).toEqual(expect.arrayContaining(specified))
  })

  test('as text that JSON keeps: the same after a round trip', () => {
    const full = present({
      invoice: anInvoice({ expiresAt: NOW, closedAt: NOW, paidAt: NOW, completedAt: NOW }),
      payments: [aPayment(1n), aPayment(2n, { kind: 'foreign' })],
      settlements: [aSettlement(10n, 1n)],
    })
    expect(JSON.parse(JSON.stringify(full))).toEqual(full)
  })

  test('without rounds that were planned again, which are no failures', () => {
    const settlements = [
      aSettlement(10n, 1n, { status: 'failed', replanned: true }),
      aSettlement(10n, 1n, { status: 'failed', round: 2 }),
      aSettlement(10n, 1n, { round: 3 }),
    ]
    expect(present({ settlements }).settlements.map(({ id }) => id)).toEqual(
      settlements.slice(1).map(({ id }) => id),
    )
  })

  test('with the recipient that it names before the one of the merchant', () => {
    const own = anInvoice({
      recipient: lowerCaseAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'),
    })
    expect<object | null>(present({ invoice: own, merchantRecipient: TREASURY }).recipient).toEqual(
      {
        chainType: 'evm',
        address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      },
    )
    expect<object | null>(present({ merchantRecipient: TREASURY }).recipient).toEqual({
      chainType: 'evm',
      address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    })
    expect(present().recipient).toBeNull()
  })

  test('with the overpayment above amountExpected', () => {
    const invoice = anInvoice({ receivedAmount: baseUnits(1_250_000n) })
    expect(present({ invoice }).overpaidAmount).toBe('0.25')
  })

  test('expired after its deadline only, and never once it is paid', () => {
    const invoice = anInvoice({ expiresAt: NOW })
    const later = new Date(NOW.getTime() + 1)
    expect(present({ invoice }, NOW).expired).toBe(false)
    expect(present({ invoice }, later).expired).toBe(true)
    expect(present({ invoice: { ...invoice, status: 'paid' } }, later).expired).toBe(false)
    expect(present({ invoice: anInvoice({ closedAt: NOW }) }, later).expired).toBe(true)
  })

  test('with the tokens of the chain that was paid first', () => {
    const invoice = anInvoice({ targetNetwork: 'base-sepolia' })
    expect<string>(present().tokenAddress).toBe('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238')
    expect<string>(present({ invoice }).tokenAddress).toBe(
      '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    )
  })

  test('with payments that count for nothing apart from the others', () => {
    const unknown = lowerCaseAddress('0x00000000000000000000000000000000000000ee')
    const payments = [
      aPayment(1n),
      aPayment(2n, { kind: 'foreign', networkId: 'polygon-amoy' }),
      aPayment(3n, { kind: 'foreign', token: unknown }),
    ]
    const { transactions, otherDeposits } = present({ payments })
    expect(transactions.map(({ amount }) => amount)).toEqual(['0.000001'])
    expect(otherDeposits).toMatchObject([
      { asset: null, amount: null, baseUnits: '2', chain: 'polygon-amoy' },
      { asset: null, amount: null, baseUnits: '3', chain: 'sepolia' },
    ])
  })

  test('not at all when the registry lacks its chain, which is a fault of ours', () => {
    expect(() => present({ invoice: anInvoice({ chains: ['atlantis'] }) })).toThrow('atlantis')
    expect(() => present({ invoice: anInvoice({ chains: [] }) })).toThrow('no chain')
  })
})

describe('a payment is shown', () => {
  test('with its share of the fee and the rest', () => {
    const payment = aPayment(1_000_000n, { fee: baseUnits(5_000n) })
    expect(presentPayment(anInvoice(), payment)).toMatchObject({
      amount: '1',
      fee: '0.005',
      merchantAmount: '0.995',
      type: 'payment',
    })
  })

  test('with how it was sent', () => {
    expect(presentPayment(anInvoice(), aPayment(1n))).toMatchObject({ method: 'transfer' })
    const signed = aPayment(1n, { method: 'x402' })
    expect(presentPayment(anInvoice(), signed)).toMatchObject({ method: 'x402' })
  })

  test('as late_payment when it is late', () => {
    const payment = aPayment(1n, { kind: 'late', status: 'pending', confirmedAt: null })
    expect(presentPayment(anInvoice(), payment)).toMatchObject({
      type: 'late_payment',
      status: 'pending',
      confirmedAt: null,
    })
  })
})

test('a settlement is shown as a transaction of type settlement', () => {
  const open = aSettlement(10n, 1n, { status: 'open', txHash: null, blockNumber: null })
  expect(presentSettlement(anInvoice(), open)).toMatchObject({
    type: 'settlement',
    status: 'open',
    txHash: null,
    blockNumber: null,
    amount: '0.00001',
    fee: '0.000001',
    merchantAmount: '0.000009',
  })
})

test('a chain is shown with id, name, chainId and isTestnet', () => {
  const [first] = SANDBOX
  const [live] = chainsOf('live')
  if (!first || !live) throw new Error('the registry is empty')
  expect(presentChain(first)).toEqual({
    id: 'sepolia',
    name: 'Sepolia',
    chainId: 11_155_111,
    isTestnet: true,
  })
  expect(presentChain(live).isTestnet).toBe(false)
})
