import type { Pagination } from '../../../api/request/responses.ts'
import { asX402PaymentId, type X402PaymentId } from '../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { EndpointJson } from '../../../core/x402/endpoint.ts'
import type { X402PaymentJson, X402StatusJson } from '../../../core/x402/presentPayment.ts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { randomHash } from './ledger.ts'
import type { Answer, ApiRig, CallOptions } from './rig.ts'

/** Calls of the pay-per-request endpoints, with their answers read. */

export const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const SEPOLIA_USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
export const PAYER = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
export const UNKNOWN_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'

export interface Registered {
  readonly data: EndpointJson
  readonly payment_requirements: RequirementsJson | null
}

export interface FoundRequirements {
  readonly x402Version: number
  readonly requirements: RequirementsJson
  readonly accepts: readonly RequirementsJson[]
}

export interface ListOf<T> {
  readonly data: readonly T[]
  readonly metadata: { readonly pagination: Pagination }
}

/** A body that can be registered; the test says what differs. */
export function body(change: Readonly<Record<string, unknown>> = {}) {
  return {
    endpointUrl: `https://shop.example/${crypto.randomUUID()}`,
    description: 'A report',
    asset: 'USDC',
    network: 'eip155:84532',
    amountUsd: 0.01,
    ...change,
  }
}

export function post(rig: ApiRig, sent: unknown, options: CallOptions = {}): Promise<Answer> {
  return rig.call('POST', '/v1/x402/endpoints', { ...options, body: sent })
}

/** Registers an endpoint that isn't there yet. */
export async function register(
  rig: ApiRig,
  change: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<EndpointJson> {
  const answer = await post(rig, body(change), options)
  if (answer.status !== 201) throw new Error(`registration answered ${answer.text}`)
  return registered(answer).data
}

export function registered(answer: Answer): Registered {
  return JSON.parse(answer.text)
}

export function endpointOf(answer: Answer): EndpointJson {
  return registered(answer).data
}

export function endpointsOf(answer: Answer): ListOf<EndpointJson> {
  return JSON.parse(answer.text)
}

export function requirementsOf(answer: Answer): FoundRequirements {
  const { data }: { data: FoundRequirements } = JSON.parse(answer.text)
  return data
}

export function paymentOf(answer: Answer): X402PaymentJson {
  const { data }: { data: X402PaymentJson } = JSON.parse(answer.text)
  return data
}

export function paymentsOf(answer: Answer): ListOf<X402PaymentJson> {
  return JSON.parse(answer.text)
}

/** Of an unknown nonce there is no more than the status. */
export type FoundStatus = Partial<Omit<X402StatusJson, 'status'>> & { readonly status: string }

export function statusOf(answer: Answer): FoundStatus {
  const { data }: { data: FoundStatus } = JSON.parse(answer.text)
  return data
}

export interface PaymentChange {
  readonly nonce?: string
  readonly payer?: string
  readonly network?: string
  readonly asset?: string
  readonly amount?: string
  readonly status?: 'pending' | 'settled' | 'failed'
  readonly createdAt?: Date
}

/** A payment for an endpoint, as the facilitator would have stored it. Returns its id. */
export async function insertPayment(
  rig: ApiRig,
  endpoint: EndpointJson,
  change: PaymentChange = {},
): Promise<X402PaymentId> {
  const id = asX402PaymentId(Bun.randomUUIDv7())
  const status = change.status ?? 'pending'
  const isSettled = status === 'settled'
  await rig.database`
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet, status,
      reason, tx_hash, log_index, block_number, block_hash, claimed_block, created_at, settled_at)
    values (${id}, ${endpoint.merchantId}, ${endpoint.id}, ${change.network ?? endpoint.networkId},
      ${change.asset ?? endpoint.assetAddress.toLowerCase()}, ${change.payer ?? PAYER},
      ${change.nonce ?? randomHash()}, ${endpoint.payTo.toLowerCase()},
      ${change.amount ?? endpoint.amount}, 0, 1790000000, '0x00', false, ${status},
      ${status === 'failed' ? 'payment_expired' : null}, ${isSettled ? randomHash() : null},
      ${isSettled ? 3 : null}, ${isSettled ? 7 : null}, ${isSettled ? randomHash() : null}, 1,
      ${change.createdAt ?? new Date()}, ${isSettled ? new Date('2026-08-01T12:00:02Z') : null})`
  return id
}
