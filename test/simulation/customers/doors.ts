import type { Hex } from '../../../core/chain/evm.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import type { Process } from '../kernel.ts'
import type { World } from '../world.ts'
import { type Answer, insist } from './callers.ts'
import type { Door, SignedAnswer } from './records.ts'

/** The two doors for a signature: the checkout page, and the URL for clients of x402. */

export interface Demand {
  readonly value: bigint
  /** Unix seconds; null for never. */
  readonly expiresAt: bigint | null
}

/** What the page, or the URL of x402, asks a payer to sign now. */
export async function demandOf(
  world: World,
  actor: Process,
  session: string,
  door: Door,
): Promise<Demand | 'nothing'> {
  if (door === 'x402') {
    const { headers } = await insist(world, actor, 'GET', `/x402/invoices/${session}`)
    const required = headers.get('payment-required')
    if (required === null) return 'nothing'
    const [{ amount, maxTimeoutSeconds }] = Object(decoded(required)).accepts
    const nowS = Math.floor(Date.now() / 1_000)
    return { value: BigInt(amount), expiresAt: BigInt(nowS + maxTimeoutSeconds) }
  }
  const { json } = await insist(world, actor, 'GET', `/v1/checkout/sessions/${session}`)
  const { payment, expiresAt } = Object(json).data
  const terms = payment?.addresses?.[0]?.signature ?? null
  if (terms === null) return 'nothing'
  const end = Math.floor(Date.parse(String(expiresAt)) / 1_000)
  return { value: BigInt(terms.value), expiresAt: Number.isNaN(end) ? null : BigInt(end) }
}

function decoded(header: string): unknown {
  return JSON.parse(Buffer.from(header, 'base64').toString())
}

export interface Signature {
  readonly authorization: Authorization
  readonly signature: Hex
}

type Send = (
  world: World,
  actor: Process,
  session: string,
  signed: Signature,
) => Promise<SignedAnswer>

async function sendOnPage(
  world: World,
  actor: Process,
  session: string,
  { authorization, signature }: Signature,
): Promise<SignedAnswer> {
  const { to: _, ...terms } = asTexts(authorization)
  const body = { networkId: 'base-sepolia', ...terms, signature }
  const path = `/v1/checkout/sessions/${session}/authorizations`
  const { status, json } = await insist(world, actor, 'POST', path, { body })
  const { data, code } = Object(json)
  if (status !== 200) return { type: 'refused', transaction: '', reason: String(code) }
  const { status: state, transaction, reason } = Object(data)
  const about = { transaction: String(transaction ?? ''), reason: String(reason ?? state) }
  if (state === 'settled') return { type: 'paid', ...about }
  return { type: state === 'received' || state === 'sent' ? 'pending' : 'refused', ...about }
}

async function sendToUrl(
  world: World,
  actor: Process,
  session: string,
  { authorization, signature }: Signature,
): Promise<SignedAnswer> {
  const { usdc, node } = world.chain.hub
  const accepted = {
    ...{ scheme: 'exact', network: `eip155:${node.chainId}`, asset: usdc.address },
    ...{ amount: `${authorization.value}`, payTo: authorization.to, maxTimeoutSeconds: 60 },
    extra: { name: usdc.eip712?.name, version: usdc.eip712?.version },
  }
  const payload = { signature, authorization: asTexts(authorization) }
  const payment = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload }))
  const headers = { 'payment-signature': payment.toString('base64') }
  const answer = await insist(world, actor, 'GET', `/x402/invoices/${session}`, { headers })
  return answerOf(answer)
}

function answerOf({ status, json }: Answer): SignedAnswer {
  const { transaction, error } = Object(json)
  const about = { transaction: String(transaction ?? ''), reason: String(error ?? '') }
  if (status === 200) return { type: 'paid', ...about }
  return { type: error === 'settlement_pending' ? 'pending' : 'refused', ...about }
}

function asTexts({ from, to, value, validAfter, validBefore, nonce }: Authorization) {
  return {
    ...{ from, to, value: `${value}`, nonce },
    ...{ validAfter: `${validAfter}`, validBefore: `${validBefore}` },
  }
}

/** Sends what was signed, once. */
export const SENT: Readonly<Record<Door, Send>> = { signature: sendOnPage, x402: sendToUrl }
