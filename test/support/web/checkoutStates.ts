import type { Address, Hex } from '../../../core/chain/evm.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type {
  CheckoutPayment,
  CheckoutView,
  HashLookup,
  NetworkChoice,
  PayableAddress,
  PayerAuthorization,
  PayerTransfer,
} from '../../../core/checkout/view.ts'

/** Checkout sessions in every state, at one moment, as the API shows them. */

export const NOW = '2026-03-02T14:10:00.000Z'
const CREATED = '2026-03-02T14:00:00.000Z'
const EXPIRES = '2026-03-02T14:30:00.000Z'
export const DEPOSIT = lowerCaseAddress('0x5a0b54d5dc17e0aadc383d2db43b0a0d3e029c4c')
export const HASHES: readonly Hex[] = ['a1', 'b2', 'c3', 'd4', 'e5'].map(
  (byte): Hex => `0x${byte.repeat(2)}${'3f9c1be0'.repeat(7)}${byte.repeat(2)}`,
)

const USDC_ON: Readonly<Record<string, Omit<PayableAddress, 'networkId' | 'address'>>> = {
  base: {
    name: 'Base',
    chainId: 8453,
    coinSymbol: 'ETH',
    publicRpc: 'https://mainnet.base.org',
    tokenAddress: lowerCaseAddress('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
    explorer: 'https://basescan.org',
    signature: null,
  },
  polygon: {
    name: 'Polygon',
    chainId: 137,
    coinSymbol: 'POL',
    publicRpc: 'https://polygon-rpc.com',
    tokenAddress: lowerCaseAddress('0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'),
    explorer: 'https://polygonscan.com',
    signature: null,
  },
  ethereum: {
    name: 'Ethereum',
    chainId: 1,
    coinSymbol: 'ETH',
    publicRpc: 'https://ethereum-rpc.publicnode.com',
    tokenAddress: lowerCaseAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
    explorer: 'https://etherscan.io',
    signature: null,
  },
}

const NETWORKS: readonly NetworkChoice[] = [
  { networkId: 'base', name: 'Base', health: 'ok', usualSeconds: 24, usualFeeUsd: '0.006' },
  {
    networkId: 'polygon',
    name: 'Polygon',
    health: 'slow',
    usualSeconds: 128,
    usualFeeUsd: '0.003',
  },
  { networkId: 'ethereum', name: 'Ethereum', health: 'ok', usualSeconds: 156, usualFeeUsd: '0.58' },
]

export function addressOn(networkId: string, address: Address = DEPOSIT): PayableAddress {
  const network = USDC_ON[networkId]
  if (network === undefined) throw new Error(`no fixture of ${networkId}`)
  return { networkId, address, ...network }
}

export function transfer(change: Partial<PayerTransfer> = {}): PayerTransfer {
  const hash = change.hash ?? HASHES[0] ?? '0x'
  return {
    networkId: 'base',
    networkName: 'Base',
    tokenSymbol: 'USDC',
    amount: '49.9',
    returning: '0',
    returned: '0',
    hash,
    sender: lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
    explorerUrl: `https://basescan.org/tx/${hash}`,
    status: 'confirmed',
    kind: 'counted',
    confirmations: 12,
    confirmationsNeeded: 12,
    at: '2026-03-02T14:09:30.000Z',
    ...change,
  }
}

/** Where 49.9 USDC can be paid by signature. */
export const SIGNABLE: PayableAddress = {
  ...addressOn('base'),
  signature: { name: 'USD Coin', version: '2', value: '49900000', maxSeconds: 300 },
}

/** A signature that is in a transaction. */
export function authorization(change: Partial<PayerAuthorization> = {}): PayerAuthorization {
  return {
    status: 'sent',
    method: 'signature',
    networkId: 'base',
    payer: lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
    amount: '49.9',
    transaction: HASHES[0] ?? '0x',
    reason: null,
    at: '2026-03-02T14:09:50.000Z',
    ...change,
  }
}

export function lookup(verdict: HashLookup['verdict'], index = 0): HashLookup {
  const isNowhere = verdict === 'unknown' || verdict === 'looking'
  return {
    hash: HASHES[index] ?? '0x',
    verdict,
    networkName: isNowhere ? null : 'Base',
    at: '2026-03-02T14:09:50.000Z',
  }
}

const PAYMENT: CheckoutPayment = {
  reference: 'INV-7K2M9Q',
  tokenSymbol: 'USDC',
  decimals: 6,
  expected: '49.9',
  received: '0',
  pending: '0',
  due: '49.9',
  overpaid: '0',
  late: '0',
  addresses: [addressOn('base')],
  transfers: [],
  paidAt: null,
  completedAt: null,
}

const CHOOSING: CheckoutView = {
  id: 'cs_3q2-7wAAECAwQFBgcICQoLDA',
  version: 1,
  state: 'choosing',
  merchant: {
    name: 'Northwind Coffee',
    logoUrl: null,
    accent: '#7c3aed',
    supportEmail: 'help@northwind.example',
    supportUrl: null,
  },
  description: 'Order 1042 · 2 bags of Yirgacheffe',
  fiat: { currency: 'EUR', amount: '46.13' },
  tokens: [
    { tokenSymbol: 'USDC', tokenName: 'USD Coin', amount: '49.9', networks: NETWORKS },
    { tokenSymbol: 'USDT', tokenName: 'Tether USD', amount: '49.9', networks: NETWORKS.slice(1) },
  ],
  payment: null,
  earlier: [],
  lookups: [],
  authorization: null,
  refundAddress: null,
  returnUrl: 'https://northwind.example/orders/1042',
  chosenNetwork: null,
  x402Url: null,
  canStartAgain: false,
  createdAt: CREATED,
  expiresAt: EXPIRES,
  now: NOW,
}

/** The session with what differs, in its payment too. */
export function session(
  change: Partial<CheckoutView>,
  payment?: Partial<CheckoutPayment>,
): CheckoutView {
  return {
    ...CHOOSING,
    ...change,
    payment: payment === undefined ? (change.payment ?? null) : { ...PAYMENT, ...payment },
  }
}

const PENDING = { status: 'pending', confirmations: 5 } as const
const ENOUGH = { received: '49.9', due: '0', transfers: [transfer()] } as const
const DONE = { paidAt: '2026-03-02T14:09:54.000Z' } as const

/** One of everything that a payer may come to see. */
export const STATES = {
  choosing: session({}),
  oneChoice: session({
    tokens: [
      {
        tokenSymbol: 'USDC',
        tokenName: 'USD Coin',
        amount: '49.9',
        networks: NETWORKS.slice(0, 1),
      },
    ],
  }),
  choosingNetwork: session(
    { state: 'waiting' },
    { addresses: [addressOn('base'), addressOn('polygon'), addressOn('ethereum')] },
  ),
  waiting: session({ state: 'waiting' }, {}),
  lastQuarter: session({ state: 'waiting', now: '2026-03-02T14:24:10.000Z' }, {}),
  signed: session({ state: 'waiting', authorization: authorization() }, { addresses: [SIGNABLE] }),
  unsent: session(
    {
      state: 'waiting',
      authorization: authorization({
        status: 'expired',
        transaction: null,
        reason: 'payment_expired',
      }),
    },
    { addresses: [SIGNABLE] },
  ),
  seen: session(
    { state: 'seen' },
    { pending: '49.9', due: '0', transfers: [transfer({ ...PENDING })] },
  ),
  partial: session(
    { state: 'partial' },
    { received: '30', due: '19.9', transfers: [transfer({ amount: '30' })] },
  ),
  paid: session({ state: 'paid' }, { ...ENOUGH, ...DONE }),
  overpaid: session(
    { state: 'paid' },
    {
      received: '60',
      due: '0',
      overpaid: '10.1',
      transfers: [transfer({ amount: '60' })],
      ...DONE,
    },
  ),
  completed: session(
    { state: 'completed' },
    { ...ENOUGH, ...DONE, completedAt: '2026-03-02T14:10:20.000Z' },
  ),
  expired: session({ state: 'expired', now: '2026-03-02T14:40:00.000Z' }, {}),
  expiredAgain: session(
    { state: 'expired', now: '2026-03-02T14:40:00.000Z', canStartAgain: true },
    {},
  ),
  late: session(
    {
      state: 'expired',
      now: '2026-03-02T14:40:00.000Z',
      refundAddress: lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
    },
    { late: '49.9', transfers: [transfer({ kind: 'late', at: '2026-03-02T14:36:00.000Z' })] },
  ),
  wrongToken: session(
    { state: 'waiting' },
    { transfers: [transfer({ kind: 'other', tokenSymbol: 'USDT' })] },
  ),
  wrongNetwork: session(
    { state: 'waiting' },
    {
      transfers: [
        transfer({
          kind: 'other',
          networkName: 'Polygon',
          networkId: 'polygon',
          status: 'pending',
        }),
      ],
    },
  ),
  returning: session(
    { state: 'expired', now: '2026-03-02T14:40:00.000Z' },
    { transfers: [transfer({ kind: 'late', at: '2026-03-02T14:36:00.000Z', returning: '49.9' })] },
  ),
  returned: session(
    { state: 'expired', now: '2026-03-02T14:50:00.000Z' },
    { transfers: [transfer({ kind: 'late', at: '2026-03-02T14:36:00.000Z', returned: '49.9' })] },
  ),
  tolerated: session(
    { state: 'completed' },
    {
      ...DONE,
      received: '49.7',
      due: '0',
      transfers: [transfer({ amount: '49.7' })],
      completedAt: '2026-03-02T14:10:20.000Z',
    },
  ),
  yen: session({ state: 'waiting', fiat: { currency: 'JPY', amount: '7480' } }, {}),
  lookups: session(
    {
      state: 'waiting',
      lookups: [lookup('not_mined'), lookup('other_network', 1), lookup('unknown', 2)],
      earlier: [transfer({ hash: HASHES[3] ?? '0x', kind: 'other', amount: '12' })],
    },
    {},
  ),
  huge: session(
    {
      state: 'waiting',
      merchant: {
        name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
        logoUrl: null,
        accent: '#ffee00',
        supportEmail: null,
        supportUrl: 'https://support.example/contact',
      },
      description:
        'Annual maintenance, spare parts and insurance of the whole fleet, as agreed on the 3rd of February',
      fiat: { currency: 'EUR', amount: '924537037036.11' },
    },
    { expected: '999999999999.123456', due: '999999999999.123456' },
  ),
} as const satisfies Record<string, CheckoutView>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES).filter((name): name is StateName => name in STATES)
