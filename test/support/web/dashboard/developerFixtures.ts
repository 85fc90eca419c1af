import { EVENT_TYPE_NAMES } from '../../../../core/events/eventTypes.ts'
import type { AttemptJson, DeliveryJson } from '../../../../core/webhook/delivery.ts'
import type { WebhookEndpointJson } from '../../../../core/webhook/endpoint.ts'
import type { DeliveryDayJson } from '../../../../web/dashboard/developers/DeliveryChart.tsx'
import type { EventJson } from '../../../../web/dashboard/developers/EventsPage.tsx'
import type { KeyJson } from '../../../../web/dashboard/developers/keyJson.ts'
import type { Own } from '../../../../web/dashboard/developers/snippets.ts'
import type { SandboxJson } from '../../../../web/dashboard/sandbox/sandboxJson.ts'
import type { Figures } from '../../../../web/dashboard/x402/figures.ts'
import type { EndpointJson } from '../../../../web/dashboard/x402/OneEndpoint.tsx'
import {
  before,
  DAY,
  hash,
  INVOICE,
  idOf,
  MERCHANT,
  NOW,
  PAYER,
  TREASURY,
  USDC,
} from './fixtures.ts'

/** What the API answers of keys, webhooks, requests, x402 and the sandbox. */

export const KEYS: readonly KeyJson[] = [
  ['Web shop', 'secret', '7Qx2', ['read', 'invoices'], 40, 2, null] as const,
  ['Default', 'secret', 'c4Ty', null, 400, 1, null] as const,
  ['Default', 'publishable', 'mB9t', null, 400, 1, null] as const,
  ['Default', 'secret', 'a0Zk', null, 400, 41 * DAY, 40] as const,
].map(([name, kind, hint, scopes, made, used, revoked], i) => ({
  ...{ id: idOf(140 + i), name, kind, hint, scopes },
  key: kind === 'publishable' ? `pk_test_${'Q7'.repeat(19)}x${hint}` : null,
  ...{ createdAt: before(made * DAY), lastUsedAt: before(used) },
  revokedAt: revoked === null ? null : before(revoked * DAY),
}))

export const OWN: Own = {
  ...{ apiUrl: 'https://pay.example', merchantId: MERCHANT, networks: ['base-sepolia'] },
  ...{ invoiceId: INVOICE, webhookEndpointId: idOf(52), x402EndpointId: idOf(61) },
}

const endpoint = {
  ...Object({ id: idOf(52), merchantId: MERCHANT }),
  ...{ url: 'https://teas-and-more.example/hooks/remit', description: 'Orders' },
  ...Object({ eventTypes: ['*'] }),
  ...{ active: true, disabledReason: null, disabledAt: null, failingSince: null },
  ...{ provenAt: before(3), previousSecretUntil: null },
  ...{ createdAt: before(90 * DAY), updatedAt: before(2 * DAY) },
}
export const ENDPOINTS: readonly WebhookEndpointJson[] = [
  endpoint,
  {
    ...endpoint,
    ...Object({ id: idOf(53) }),
    url: 'https://warehouse.teas-and-more.example/integrations/payments/webhook/incoming?tenant=greenwich',
    ...{ description: '', failingSince: before(3 * DAY), provenAt: before(4 * DAY) },
  },
]

export const EVENTS: readonly EventJson[] = ['invoice.late_payment', 'invoice.completed'].map(
  (type, n) => ({
    ...{ id: idOf(70 + n), type, timestamp: before(20 + 32 * n) },
    data: { id: INVOICE, status: 'completed', reference: 'K7QX2M9PTA' },
  }),
)

export const DELIVERY_DAYS: readonly DeliveryDayJson[] = Array.from({ length: 30 }, (_, n) => ({
  day: before((29 - n) * DAY).slice(0, 10),
  deliveries: 40 + ((n * 13) % 25),
  failed: n > 26 ? 8 * (n - 26) : n % 9 === 4 ? 2 : 0,
}))
export const DELIVERIES: readonly DeliveryJson[] = (
  ['succeeded', 'failed', 'pending'] as const
).map((state, n) => ({
  ...Object({ id: idOf(80 + n), endpointId: idOf(52), eventId: idOf(70) }),
  ...{ eventType: 'invoice.late_payment', state, attemptCount: [1, 8, 2][n] ?? 1 },
  ...{ lastStatus: [200, 500, null][n] ?? null, lastError: n === 2 ? 'timed out' : null },
  ...{ nextAttemptAt: n === 2 ? NOW : null, createdAt: before(20 + n), finishedAt: null },
}))
export const ATTEMPTS: { readonly attempts: readonly AttemptJson[] } = {
  attempts: [
    { ...{ number: 1, at: before(20), latencyMs: 41, status: 200 }, error: null, answer: 'ok' },
  ],
}

export const REQUESTS = {
  requests: [
    ['GET', `/v1/invoices/${INVOICE}`, 200, null] as const,
    ['POST', '/v1/invoices', 201, null] as const,
    ['POST', '/v1/invoices', 400, 'invalid_request_body'] as const,
    ['GET', '/v1/webhooks/deliveries', 429, 'rate_limit_exceeded'] as const,
  ].map(([method, path, status, reason], n) => ({
    ...{ traceId: idOf(90 + n), at: before(n), method, path, status, reason },
    ...{ ms: 3 + n, keyHint: '7Qx2' },
  })),
  next: null,
}

const x402Endpoint = {
  ...{ id: idOf(61), endpointUrl: 'https://api.teas-and-more.example/forecast' },
  ...{ description: 'The harvest of the next week', networkId: 'base-sepolia', asset: 'USDC' },
  ...{ amountUsd: '0.01', amount: '10000', active: true },
  payment_requirements: { scheme: 'exact', network: 'base-sepolia', maxTimeoutSeconds: 60 },
}
export const X402_ENDPOINTS: readonly EndpointJson[] = [
  x402Endpoint,
  {
    ...x402Endpoint,
    ...{ id: idOf(62), endpointUrl: 'https://api.teas-and-more.example/reports/daily' },
    ...{ description: '', amountUsd: '0.25', amount: '250000', active: false },
  },
]
const figures = { networkId: 'base-sepolia', tokenSymbol: 'USDC' }
export const FIGURES: Figures = {
  ...{ days: 30, isCut: false },
  endpoints: [
    {
      ...{ ...figures, endpointId: idOf(61), settled: 4_210, revenue: '42.1', pending: 3 },
      ...{ failed: 12, failures: [{ reason: 'payment_expired', count: 12 }] },
    },
  ],
  refusals: [
    { reason: 'insufficient_funds', count: 31 },
    { reason: 'invalid_exact_evm_payload_signature', count: 2 },
  ],
  payers: [PAYER, TREASURY].map((payer, n) => ({
    ...{ ...figures, payer, settled: 3_000 - n * 1_790, paid: n === 0 ? '30' : '12.1' },
  })),
}
export const NO_FIGURES: Figures = { ...FIGURES, endpoints: [], refusals: [], payers: [] }

export const X402_PAYMENTS = (['settled', 'pending', 'failed'] as const).map((status, n) => ({
  ...{ id: idOf(95 + n), status, error: status === 'failed' ? 'payment_expired' : null },
  ...{ network: 'eip155:84532', networkId: 'base-sepolia', asset: USDC, tokenSymbol: 'USDC' },
  ...{ payer: PAYER, payTo: TREASURY, amount: '0.01' },
  ...{ transaction: status === 'settled' ? hash('f1') : null, createdAt: before(n + 1) },
  ...{ confirmedAt: status === 'settled' ? before(n + 1) : null, distributionId: null },
  ...{ direct: false, refundedAmount: n === 0 ? '0.004' : '0.00', refundingAmount: '0.00' },
  ...{ refundableAmount: n === 0 ? '0.006' : null, refundRefused: null },
}))

const SCENARIOS = ['exact', 'partial', 'over', 'late', 'wrong-token', 'wrong-chain', 'two-chains']
export const SANDBOX: SandboxJson = {
  chains: ['base-sepolia', 'sepolia'].map((networkId, n) => ({
    ...{ networkId, name: ['Base Sepolia', 'Sepolia'][n] ?? '', time: NOW, block: '1042' },
    tokens: ['USDC', 'USDT'],
  })),
  scenarios: SCENARIOS.map((name) => ({ name, about: '' })),
  eventTypes: EVENT_TYPE_NAMES,
}
export const NO_SANDBOX: SandboxJson = { ...SANDBOX, chains: [] }
