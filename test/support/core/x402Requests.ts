import { asEndpointId, asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import { perToken } from '../../../core/chain/tokens.ts'
import type { ActiveChain } from '../../../core/config/chains.ts'
import type { Facts } from '../../../core/x402/facts.ts'
import type { Authorization, PaymentRequest } from '../../../core/x402/terms.ts'

/** Ready-made x402 requests for tests of the core. */

export const CHAINS: readonly ActiveChain[] = ALL_CHAINS.filter(
  ({ environment }) => environment === 'sandbox',
).map((chain) => ({
  ...chain,
  rpcUrls: ['http://127.0.0.1:8545'],
  wsUrl: null,
  provider: {
    ...{ logRange: 10_000, logResults: 10_000, batch: 100, callsPerSecond: 0 },
    responseBytes: 67_108_864,
  },
  startBlock: 0,
  settlementConfirmations: chain.confirmations,
  rpcTimeoutMs: 5_000,
  headPolling: 'fast',
  areCallsBilled: false,
  x402Confirmations: 1,
  minSweep: perToken(() => baseUnits(0n)),
}))

export const BASE_SEPOLIA = chainNamed('base-sepolia')
export const SEPOLIA = chainNamed('sepolia')

export const USDC = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
export const PAYER = lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
export const PAY_TO = lowerCaseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
export const MERCHANT_ID = asMerchantId('0198c1dd-11e4-7000-8000-9b6f7c2d1a30')
export const ENDPOINT_ID = asEndpointId('0198c1de-7a2f-7000-8000-5d2cb1a7e0f4')
export const NONCE: Hex = `0x${'ab'.repeat(32)}`
export const SIGNATURE: Hex = `0x${'12'.repeat(64)}1b`

function chainNamed(networkId: string): ActiveChain {
  const chain = CHAINS.find((one) => one.networkId === networkId)
  if (!chain) throw new Error(`the registry has no ${networkId}`)
  return chain
}

/** As they stand in JSON: all strings. */
export const AUTHORIZATION_JSON = {
  from: PAYER,
  to: PAY_TO,
  value: '10000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: NONCE,
}

export const PAYLOAD = { signature: SIGNATURE, authorization: AUTHORIZATION_JSON }

export const V1_REQUIREMENTS = {
  scheme: 'exact',
  network: 'base-sepolia',
  maxAmountRequired: '10000',
  resource: 'https://merchant.example/report',
  description: 'a report',
  mimeType: 'application/json',
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  asset: USDC,
  extra: { name: 'USDC', version: '2' },
}

export const V2_REQUIREMENTS = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '10000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  asset: USDC,
  extra: { name: 'USDC', version: '2', merchantId: MERCHANT_ID, endpointId: ENDPOINT_ID },
}

export function v1Body() {
  const { scheme, network } = V1_REQUIREMENTS
  return {
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme, network, payload: PAYLOAD },
    paymentRequirements: V1_REQUIREMENTS,
  }
}

export function v2Body() {
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://merchant.example/report' },
      accepted: V2_REQUIREMENTS,
      payload: PAYLOAD,
    },
    paymentRequirements: V2_REQUIREMENTS,
  }
}

/** The plain dialect: the payload is the text of the X-PAYMENT header. */
export function remitBody(payment: unknown) {
  return {
    x402Version: 2,
    paymentPayload: header(payment),
    paymentRequirements: V2_REQUIREMENTS,
  }
}

export function header(payment: unknown): string {
  return new TextEncoder().encode(JSON.stringify(payment)).toBase64()
}

export const AUTHORIZATION: Authorization = {
  from: PAYER,
  to: PAY_TO,
  value: 10_000n,
  validAfter: 0n,
  validBefore: 1_900_000_000n,
  nonce: NONCE,
}

export function aRequest(change: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    dialect: 'v2',
    network: 'eip155:84532',
    chain: BASE_SEPOLIA,
    scheme: 'exact',
    authorization: AUTHORIZATION,
    permit: null,
    signature: SIGNATURE,
    requirements: {
      amount: baseUnits(10_000n),
      asset: USDC,
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      name: 'USDC',
      version: '2',
      merchantId: MERCHANT_ID,
      endpointId: ENDPOINT_ID,
    },
    resource: 'https://merchant.example/report',
    echo: null,
    ...change,
  }
}

/** What a chain says of a payer with a key and a little money. */
export function someFacts(change: Partial<Facts> = {}): Facts {
  return {
    blockNumber: 100n,
    blockTime: 1_800_000_000n,
    balance: 10_000n,
    isUsed: false,
    payerCodeHash: null,
    tokenHasCode: true,
    isPayerBlacklisted: false,
    isPayeeBlacklisted: false,
    isPaused: false,
    trial: { ok: true, gas: 60_000n },
    ...change,
  }
}
