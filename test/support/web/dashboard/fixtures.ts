import { checksumAddress, lowerCaseAddress, ZERO_ADDRESS } from '../../../../core/chain/evm.ts'
import type { ListedSettlementJson } from '../../../../core/invoice/listedSettlement.ts'
import type { RecoveryJson } from '../../../../core/invoice/recovery.ts'
import type { DayJson } from '../../../../core/invoice/report.ts'
import type { PayoutDayJson, PayoutJson } from '../../../../core/x402/payout.ts'
import type { LinkJson } from '../../../../web/dashboard/invoices/OneLink.tsx'
import type { Me } from '../../../../web/dashboard/session/me.ts'
import type { Overview } from '../../../../web/dashboard/session/overview.ts'

/** What the API answers for pictures of the dashboard's pages: at one moment, with long names and amounts. */

export const NOW = '2026-03-02T14:10:00.000Z'
export const MERCHANT = '0198c5b4-7f1e-7000-8000-000000000001'
export const INVOICE = '0198c5b4-7f1e-7000-8000-0000000000aa'
export const USDC = checksumAddress(lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e'))
export const TREASURY = checksumAddress(
  lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
)
export const PAYER = checksumAddress(lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65'))
export const hash = (byte: string) => `0x${byte.repeat(32)}`
export const before = (minutes: number) =>
  new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
export const idOf = (n: number) => `0198c5b4-7f1e-7000-8000-${String(n).padStart(12, '0')}`
export const DAY = 1_440

export const ME: Me = {
  person: {
    ...{ id: idOf(7), name: 'Ada Lovelace', email: 'ada@teas-and-more.example' },
    hasSecondFactor: true,
  },
  sessionId: idOf(30),
  merchants: [{ merchantId: MERCHANT, merchantName: 'Tea & Sons of Greenwich', role: 'owner' }],
}

const payment = {
  id: idOf(31),
  invoiceId: INVOICE,
  invoiceRef: 'K7QX2M9PTA',
  merchantId: MERCHANT,
  txHash: hash('a1'),
  logIndex: 4,
  chain: 'base-sepolia',
  asset: 'USDC',
  tokenAddress: USDC,
  from: PAYER,
  amount: '1250',
  fee: '6.25',
  merchantAmount: '1243.75',
  refundedAmount: '0',
  refundingAmount: '0',
  status: 'confirmed',
  type: 'payment',
  acceptedAt: null,
  method: 'transfer',
  blockNumber: 1_000,
  confirmedAt: before(54),
  createdAt: before(55),
}

/** One that was paid in time, settled, and paid once more afterwards. */
export const ONE = {
  id: INVOICE,
  merchantId: MERCHANT,
  externalRef: 'order-1042',
  reference: 'K7QX2M9PTA',
  addresses: ['base-sepolia', 'sepolia'].map((networkId) => ({
    networkId,
    network: networkId === 'sepolia' ? 'Sepolia' : 'Base Sepolia',
    networkName: networkId === 'sepolia' ? 'Sepolia' : 'Base Sepolia',
    networkSymbol: 'ETH',
    address: '0x5A0b54D5dc17e0AadC383d2db43B0a0D3E029c4c',
    tokenAddress: USDC,
  })),
  recipient: { chainType: 'evm', address: TREASURY },
  tokenAddress: USDC,
  tokenSymbol: 'USDC',
  targetNetwork: 'base-sepolia',
  amountExpected: '1250',
  fiat: null,
  acceptedAmount: null,
  pendingAmount: null,
  receivedAmount: '1250',
  lateAmount: '75.5',
  refundedAmount: '0',
  platformFee: '6.25',
  amountRemitted: '1243.75',
  overpaidAmount: '0',
  settledOverpayment: null,
  underpaymentTolerance: '0',
  toleratedAmount: '0',
  status: 'completed',
  expired: false,
  settlementState: 'settled',
  settlementError: null,
  expiresAt: before(30),
  closedAt: null,
  payerRefundAddress: null,
  createdAt: before(60),
  paidAt: before(54),
  completedAt: before(52),
  metadata: { cart: 'c-77', campaign: 'Spring' },
  transactions: [
    payment,
    {
      ...payment,
      ...{ id: idOf(32), txHash: hash('b2'), amount: '75.5', fee: '0', merchantAmount: '75.5' },
      ...{ type: 'late_payment', confirmedAt: before(19), createdAt: before(20) },
    },
  ],
  settlements: [
    {
      ...payment,
      ...{ id: idOf(33), txHash: hash('c3'), type: 'settlement', recipient: TREASURY },
      ...{ confirmedAt: before(52), createdAt: before(54) },
    },
  ],
  refunds: [],
  otherDeposits: [],
  checkoutUrl: 'https://pay.example/checkout/cs_3f9a1c20be',
}

/** A page of the list, in every status. */
export const INVOICES = Array.from({ length: 12 }, (_, n) => ({
  ...ONE,
  id: idOf(100 + n),
  reference: `K7QX2M9P${'ABCDEFGHJKLM'[n]}${n % 10}`,
  externalRef:
    n === 3
      ? 'a-very-long-reference-of-a-shop-that-numbers-by-warehouse-0001042'
      : `order-${1_042 - n}`,
  status: ['pending', 'partial', 'paid', 'completed'][n % 4],
  expired: n === 4,
  amountExpected: n === 5 ? '123456789012.345678' : String(12.5 * (n + 1)),
  receivedAmount: n % 4 === 0 ? '0' : String(12.5 * (n + 1)),
  createdAt: before(60 * (n + 1) ** 2),
}))

const PRICED = [
  ['Three months of tea', '12.5', null, ['USDC', 'USDT']],
  [
    'A place at the table at the harvest festival of the tea garden, with a very long name',
    '45',
    'EUR',
    ['USDC'],
  ],
  [null, '123456789012.345678', null, ['USDT']],
] as const
/** What links ask for, by the path of each price. */
export const PRICES = PRICED.map(([description, amount, currency, tokens], n) => ({
  ...{ id: idOf(400 + n), amount, currency, tokens, description, active: true },
}))
export const LINKS: readonly LinkJson[] = PRICED.map((_, n) => ({
  ...Object({ id: idOf(410 + n), price: idOf(400 + n) }),
  url: `http://localhost:3000/pay/${'Zk3vQ8m1Xr2Lw9TbYc4dEf'.slice(n)}${'abc'.slice(0, n)}`,
  ...{ usesLimit: n === 1 ? 40 : null, uses: [128, 40, 0][n] ?? 0, active: n !== 2 },
  ...{ endsAt: n === 1 ? before(-DAY * 3) : null, open: n === 0 },
  ...{ createdAt: before(DAY * (n + 1)), updatedAt: before(DAY * (n + 1)) },
}))

const held: RecoveryJson = {
  ...{ invoiceRef: 'K7QX2M9PTA', externalRef: 'order-1042', chain: 'base-sepolia', asset: 'USDC' },
  ...{ tokenAddress: USDC, from: PAYER, amount: '75.5', baseUnits: '75500000', reason: 'late' },
  ...{ about: '', expiresAt: null, error: null, actions: ['accept_transaction', 'refund'] },
  ...Object({ invoiceId: INVOICE, transactionId: idOf(32) }),
  ...{ refundTo: [{ address: PAYER, amount: '75.5' }], refused: [] },
  since: before(20),
}
export const HELD: readonly RecoveryJson[] = [
  held,
  {
    ...held,
    ...{ invoiceRef: 'PX4M9PTAK7', externalRef: null, amount: '4', baseUnits: '4000000' },
    ...Object({ transactionId: null, from: null, invoiceId: idOf(102) }),
    ...{ reason: 'partial', actions: ['wait', 'accept_partial', 'refund'] },
    refundTo: [{ address: PAYER, amount: '4' }],
    ...{ expiresAt: new Date(Date.parse(NOW) + 3_600_000).toISOString(), since: before(200) },
  },
  {
    ...held,
    ...{ invoiceRef: 'M9PTAK7QX2', externalRef: null, amount: '310', baseUnits: '310000000' },
    ...Object({ transactionId: null, from: null, invoiceId: idOf(103) }),
    ...{ reason: 'blocked_recipient', actions: ['set_recipient', 'refund'] },
    refundTo: [{ address: PAYER, amount: '310' }],
    ...{ error: 'Blacklistable: account is blacklisted', since: before(3 * DAY) },
  },
  {
    ...held,
    ...{ invoiceRef: 'TAK7QX2M9P', amount: '18', baseUnits: '18000000', from: ZERO_ADDRESS },
    ...Object({ transactionId: idOf(34), invoiceId: idOf(104) }),
    ...{ actions: ['accept_transaction'], refundTo: [], since: before(4 * DAY) },
    refused: [{ action: 'refund', code: 'invalid_recipient', about: '' }],
  },
]

const AMOUNTS = [3, 5, 4, 8, 12, 0, 0, 9, 11, 10, 14, 16, 0, 2, 13, 15, 12, 18, 21, 4, 0, 17, 19]
export const DAYS: readonly DayJson[] = AMOUNTS.flatMap((amount, n) =>
  amount === 0
    ? []
    : [
        {
          ...{ day: before((AMOUNTS.length - 1 - n) * DAY).slice(0, 10), chain: 'base-sepolia' },
          ...{ asset: 'USDC', tokenAddress: USDC, payments: amount },
          ...{ receivedAmount: String(amount * 125.5), lateAmount: n === 4 ? '20' : '0' },
          ...{
            settlements: amount,
            amountRemitted: String(amount * 125),
            fees: String(amount / 2),
          },
          ...{ refunds: n === 9 ? 1 : 0, refundedAmount: n === 9 ? '12.5' : '0' },
          ...{
            externalRefunds: 0,
            externallyRefundedAmount: '0',
            x402Payments: n % 5 === 0 ? 42 : 0,
          },
          ...{ x402Refunds: 0, x402RefundedAmount: '0' },
          ...{ x402ReceivedAmount: n % 5 === 0 ? '42' : '0', x402Payouts: n % 5 === 0 ? 1 : 0 },
          ...{
            x402AmountRemitted: n % 5 === 0 ? '41.58' : '0',
            x402DirectAmount: '0',
            x402FeesOwed: '0',
            x402Fees: n % 5 === 0 ? '0.42' : '0',
          },
        },
      ],
)
export const PAYOUT_DAYS: readonly PayoutDayJson[] = [9, 6, 3, 1].map((days, n) => ({
  ...{ day: before(days * DAY).slice(0, 10), chain: 'base-sepolia', asset: 'USDC', payouts: 1 },
  ...{ amountRemitted: String(41.58 + n * 10), fees: String(0.42 + n / 10) },
}))

export const OVERVIEW: Overview = {
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-03-03T00:00:00.000Z',
  hasRecipient: true,
  days: DAYS,
  balances: [
    {
      ...{ chain: 'base-sepolia', asset: 'USDC', tokenAddress: USDC, held: '389.5' },
      ...{ inFlight: '150', incoming: '25', settling: '125', refunding: '0' },
      ...{ settled: '28375', fees: '113.5', refunded: '12.5', externallyRefunded: '0' },
    },
  ],
  held: HELD,
  hasMoreHeld: true,
  open: { pending: 18, partial: 2, paid: 4, completed: 231, created: 263 },
  failedRefunds: [
    { id: idOf(51), invoiceId: idOf(104), invoiceRef: 'TAK7QX2M9P', createdAt: before(2 * DAY) },
  ],
  overpaid: [
    {
      ...{ id: idOf(105), reference: 'M9PTAK7QX2', tokenSymbol: 'USDC', amount: '2.5' },
      paidAt: before(5 * 60),
    },
  ],
  brokenEndpoints: [
    {
      ...{ id: idOf(52), url: 'https://shop.example/hooks/remit', active: true },
      since: before(3 * DAY),
    },
  ],
  x402: {
    days: PAYOUT_DAYS,
    waiting: [{ chain: 'base-sepolia', asset: 'USDC', payments: 321, amount: '3.21' }],
  },
  settleTimes: INVOICES.map(({ id, reference }, n) => ({
    ...{ invoiceId: id, invoiceRef: reference, seconds: 11 + ((n * 7) % 12) + (n === 4 ? 47 : 0) },
  })),
  networks: [
    ...[{ id: 'base-sepolia', name: 'Base Sepolia', state: 'well', block: 31_415_926 } as const],
    ...[{ id: 'sepolia', name: 'Sepolia', state: 'slow', block: 10_042_000 } as const],
  ].map((network) => ({ ...network, seenAt: NOW })),
}

export const SETTLEMENTS: readonly ListedSettlementJson[] = INVOICES.slice(0, 8).map(
  ({ id, reference }, n) => ({
    ...Object({ id: idOf(200 + n), invoiceId: id }),
    ...{
      invoiceRef: reference,
      externalRef: null,
      chain: n % 3 === 0 ? 'sepolia' : 'base-sepolia',
    },
    ...{ asset: 'USDC', tokenAddress: USDC, recipient: TREASURY, amount: String(125 * (n + 1)) },
    ...{ fee: String(0.625 * (n + 1)), merchantAmount: String(124.375 * (n + 1)) },
    ...{ status: (['open', 'mined', 'confirmed', 'failed', 'confirmed'] as const)[Math.min(n, 4)] },
    ...{ txHash: n === 0 ? null : hash(`d${n}`), error: n === 3 ? 'Paused' : null },
    ...{ createdAt: before(30 * (n + 1)), confirmedAt: n > 3 ? before(28 * (n + 1)) : null },
  }),
)
export const PAYOUTS: readonly PayoutJson[] = PAYOUT_DAYS.toReversed().map((day, n) => ({
  ...Object({ id: idOf(300 + n) }),
  ...{ chain: 'base-sepolia', asset: 'USDC', tokenAddress: USDC, recipient: TREASURY },
  ...{ payments: 4_200 + n, amount: String(42 + n * 10), fee: day.fees },
  ...{ merchantAmount: day.amountRemitted, txHash: hash(`e${n}`), blockNumber: 31_000_000 + n },
  createdAt: before([1, 3, 6, 9][n] ?? 1 * DAY),
}))

export const NOTHING: Overview = {
  ...OVERVIEW,
  ...{ days: [], balances: [], held: [], hasMoreHeld: false, failedRefunds: [] },
  ...{
    brokenEndpoints: [],
    overpaid: [],
    open: { pending: 0, partial: 0, paid: 0, completed: 0, created: 0 },
  },
  x402: { days: [], waiting: [] },
  settleTimes: [],
}
