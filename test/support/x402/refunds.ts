import { expect } from 'bun:test'
import type { X402PaymentId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { eventually } from '../servers/devStack.ts'
import { compare, presentTo } from './books.ts'
import type { Shop, X402Stack } from './stack.ts'

/** Refunds of x402 payments, asked for over HTTP by the merchant. */

export interface PaidX402 {
  readonly id: X402PaymentId
  readonly payer: Address
  readonly value: bigint
}

/** A payment to the merchant that is settled and confirmed; the payer has nothing left. In base units. */
export async function paid(stack: X402Stack, shop: Shop, value: bigint): Promise<PaidX402> {
  const presented = await presentTo(stack, shop, value)
  const { success, paymentId, error } = await stack.settle(presented.body)
  if (!success || paymentId === undefined) throw new Error(`a payment was refused: ${error}`)
  await eventually(
    () =>
      stack.database`select from x402_payment where id = ${paymentId} and confirmed_at is not null`,
    (rows) => rows.length === 1,
  )
  return { id: paymentId, payer: presented.authorization.from, value }
}

export interface RefundAnswer {
  readonly status: number
  readonly data: RefundJson
  readonly code?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

export async function askBack(
  stack: X402Stack,
  shop: Shop,
  payment: Pick<PaidX402, 'id'>,
  body: Record<string, unknown>,
): Promise<RefundAnswer> {
  const response = await stack.fetch(`/v1/x402/payments/${payment.id}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': shop.secretKey },
    body: JSON.stringify({ idempotencyKey: crypto.randomUUID(), ...body }),
  })
  return { status: response.status, ...(await response.json()) }
}

/** A refund that was asked for, at its end. */
export async function refundEnd(
  { database }: X402Stack,
  refundId: string,
  status: 'confirmed' | 'failed' = 'confirmed',
): Promise<void> {
  await eventually(
    () => database<{ status: string; error: string | null }[]>`
      select status, error from refund where id = ${refundId}`,
    ([row]) => row?.status === status,
    30_000,
  )
}

/** Ledger and chain differ by nothing, once the ledger has come as far. */
export async function expectNoDifference(stack: X402Stack): Promise<void> {
  const { differences } = await eventually(
    () => compare(stack),
    (found) => found.differences.every(({ kind }) => kind !== 'ledger_behind'),
    30_000,
  )
  expect(differences).toEqual([])
}
