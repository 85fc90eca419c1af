import { checksumAddress, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { PageJson } from '../../../../web/dashboard/audit/entries.ts'
import type { OrderJson, ReviewJson, SystemJson } from '../../../../web/dashboard/operator/api.ts'
import { before, DAY, hash, idOf, MERCHANT, NOW, PAYER, TREASURY } from './fixtures.ts'

/** What the API answers those who run a deployment. */

const relayer = { networkId: 'base-sepolia', address: PAYER, note: null, usedBy: 'chain-84532' }
const OTHER = checksumAddress(lowerCaseAddress(`0x${'b7'.repeat(20)}`))
const LOST = checksumAddress(lowerCaseAddress(`0x${'4e'.repeat(20)}`))
export const SYSTEM: SystemJson = {
  problems: ['base-sepolia: a relayer key is quarantined'],
  warnings: ['sepolia: the newest block is 4 minutes old'],
  chains: ['base-sepolia', 'sepolia'].map((networkId, n) => ({
    ...{ networkId, name: ['Base Sepolia', 'Sepolia'][n] ?? '', symbol: 'ETH' },
    ...{ head: '31415926', headSeenAt: before(4 * n), hasRpcError: n === 1 },
    ...{ indexedBlock: '31415926', projectedBlock: '31415920' },
    nodes: [
      { host: 'rpc-1.example', head: '31415926', fault: null },
      { host: 'rpc-2.example', head: null, fault: n === 1 ? 'timed out after 2 s' : null },
    ],
    hubs: [{ address: TREASURY, stopped: 0, proposals: n }],
  })),
  relayers: [
    {
      ...relayer,
      ...{ status: 'active', nextNonce: '1042', open: 3, balance: '2.5', isLow: false },
    },
    {
      ...{ ...relayer, address: OTHER },
      ...{ status: 'no_funds', nextNonce: '7', open: 0, balance: '0.0001', isLow: true },
    },
    {
      ...{ ...relayer, address: LOST, status: 'quarantined', nextNonce: '41', open: 1 },
      ...{ balance: '0.4', isLow: false, usedBy: null },
      note: 'account nonce 41 was used by another sender',
    },
  ],
  work: [
    { networkId: 'base-sepolia', kind: 'sweep', state: 'queued', count: 12, oldestAt: before(2) },
    { networkId: 'sepolia', kind: 'refund', state: 'review', count: 1, oldestAt: before(DAY) },
  ],
  alarms: [
    {
      ...{ networkId: 'base-sepolia', kind: 'quarantine', subject: LOST, since: before(55) },
      detail: 'account nonce 41 was used by another sender',
    },
  ],
  ...{ deliveries: 17, deliveryDueAt: before(1), events: 2 },
}
export const QUIET_SYSTEM: SystemJson = {
  ...{ ...SYSTEM, problems: [], warnings: [], relayers: [], work: [], alarms: [] },
  ...{ deliveries: 0, deliveryDueAt: null, events: 0 },
}

export const REVIEWS: readonly ReviewJson[] = [
  {
    ...{ id: idOf(110), networkId: 'sepolia', kind: 'refund', tries: 3, since: before(DAY) },
    ...{ error: 'the hub refused it three times', subject: hash('ab'), status: 'review' },
  },
]
export const ORDERS: readonly OrderJson[] = [true, false, null].map((isDone, n) => ({
  ...{ id: idOf(115 + n), networkId: 'base-sepolia', kind: 'revive', subject: LOST },
  ...{ orderedBy: 'Ada Lovelace <ada@pay.example>', createdAt: before(10 + n), isDone },
  ...{ endedAt: isDone === null ? null : NOW, answer: isDone === false ? 'it has no note' : null },
}))

export const MERCHANTS = {
  merchants: ['Tea & Sons of Greenwich', 'Kaffeerösterei am Hafen', 'Nobody yet'].map(
    (name, n) => ({
      ...{ id: n === 0 ? MERCHANT : idOf(120 + n), name, recipient: n === 2 ? null : TREASURY },
      ...{ members: [4, 2, 0][n] ?? 0, keyLastUsedAt: n === 2 ? null : before(3) },
      ...{ failingEndpoints: n === 1 ? 1 : 0, createdAt: before((400 - n) * DAY) },
    }),
  ),
  next: null,
}
export const LIMITS = {
  ...{ environment: 'sandbox', lowBalance: '0.05', gaslessPerMerchant: '10' },
  requests: {
    ...{ authenticated: 120, x402: 1_200, utility: 60, payers: 60, sessions: 30 },
    ...{
      unpaidPerDay: 1_000,
      claimsPerPayer: 20,
      gaslessUnpaidPerClient: 20,
      streamsPerClient: 10,
    },
    ...{ requests: 240, signIns: 10 },
  },
  chains: ['Base Sepolia', 'Sepolia'].map((name) => ({
    ...{ networkId: name, name, symbol: 'ETH', confirmations: 3, txFeeMax: '0.01', nodes: 2 },
  })),
}
export const OPERATORS = [
  { email: 'ada@pay.example', hasSecondFactor: true, createdAt: before(400 * DAY) },
  { email: 'grace@pay.example', hasSecondFactor: false, createdAt: before(DAY) },
]
export const CHANGES: PageJson = {
  entries: [
    {
      ...{ id: idOf(130), at: before(10), actor: 'operator', role: null, status: 200 },
      ...{ actorName: 'Ada Lovelace <ada@pay.example>', action: 'orderWork', objectId: null },
      ...{ address: '203.0.113.7', agent: null, traceId: idOf(141), before: null },
      after: { kind: 'revive', networkId: 'base-sepolia', subject: LOST },
    },
    {
      ...{ id: idOf(129), at: before(DAY), actor: 'operator', role: null, status: 200 },
      ...{ actorName: 'root on pay-1', action: 'changeApprovalPolicy', objectId: null },
      ...{ address: null, agent: null, traceId: null },
      ...{ before: { recipient: true }, after: { recipient: false } },
    },
  ],
  next: null,
}
