import type { PrivateKeyAccount } from 'viem/accounts'
import type { Hex } from '../../../core/chain/evm.ts'
import type { Process } from '../kernel.ts'
import type { World } from '../world.ts'
import { type Answer, insist } from './callers.ts'
import { type InvoiceRecord, LATE_WAYS, type RefundRecord, type RequestRecord } from './records.ts'

/** How merchants give money back, while it is where it can be given back from. */

const TRIES = 9

/**
 * What a payer paid late, too much, or not enough, once its merchant sees all payments confirmed. Those whose payer did
 * something else instead never come.
 */
export async function giveBack(
  world: World,
  actor: Process,
  record: InvoiceRecord,
  payer: PrivateKeyAccount,
  payments: readonly Hex[],
): Promise<void> {
  const { random } = actor
  const { key } = record.merchant
  const path = `/v1/invoices/${record.id}`
  const idempotencyKey = `refund-${random.between(0, 1e9)}`
  for (let tries = 0; tries < TRIES; tries += 1) {
    await Bun.sleep(random.between(1_500, 4_500))
    const { json } = await insist(world, actor, 'GET', path, { key })
    const { data } = Object(json)
    record.seen.push(String(data?.status))
    const wanted = whatIsBackOf(record, data)
    const confirmed = statusesOf(data).filter((status) => status === 'confirmed').length
    if (wanted === null && confirmed >= payments.filter((hash) => world.sent.has(hash)).length)
      return
    if (wanted === null) continue
    const body = { ...wanted, address: payer.address, idempotencyKey }
    // Of what was paid too much another refund would take from what was not.
    const isAll = record.way === 'partly' || LATE_WAYS.has(record.way)
    const isOver = await ask(world, actor, { key, path, body, refunds: record.refunds, isAll })
    if (isOver) return
  }
}

function statusesOf(invoice: unknown): string[] {
  const { transactions } = Object(invoice)
  const list: unknown[] = Array.isArray(transactions) ? transactions : []
  return list.map((one) => String(Object(one).status))
}

function whatIsBackOf({ way }: InvoiceRecord, invoice: unknown) {
  const { overpaidAmount, receivedAmount, transactions } = Object(invoice)
  if (LATE_WAYS.has(way)) {
    const list: unknown[] = Array.isArray(transactions) ? transactions : []
    const late = list
      .map(Object)
      .find(({ status, type }) => status === 'confirmed' && type === 'late_payment')
    return late === undefined ? null : { amount: late.amount, transactionId: late.id }
  }
  const amount = String((way === 'partly' ? receivedAmount : overpaidAmount) ?? '0')
  return Number(amount) === 0 ? null : { amount }
}

/** What a payer of a request paid, while the forwarder holds it. */
export async function giveBackPaid(
  world: World,
  actor: Process,
  record: RequestRecord,
  paymentId: string,
): Promise<void> {
  const { random } = actor
  const { key } = record.merchant
  // Some when it is about to be paid out.
  if (random.isLikely(0.5)) await Bun.sleep(random.between(8_000, 22_000))
  const path = `/v1/x402/payments/${paymentId}`
  const body = {
    amount: (Number(record.value) / 1e6).toFixed(6),
    idempotencyKey: `refund-${random.between(0, 1e9)}`,
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    await Bun.sleep(random.between(1_000, 3_000))
    const wanted = { key, path, body, refunds: record.refunds, isAll: true }
    if (await ask(world, actor, wanted)) return
  }
}

interface Wanted {
  readonly key: string
  readonly path: string
  readonly body: { readonly amount: string; readonly idempotencyKey: string }
  readonly refunds: RefundRecord[]
  /** Nothing is left to be given back after it. */
  readonly isAll: boolean
}

/** Asks for a refund, some callers for a second one at once; true when one is accepted or none ever will be. */
async function ask(world: World, actor: Process, wanted: Wanted): Promise<boolean> {
  const { body, isAll } = wanted
  const rival = { ...body, idempotencyKey: `${body.idempotencyKey}-again` }
  const bodies = isAll && actor.random.isLikely(0.3) ? [body, rival] : [body]
  const asked = bodies.map((one) => askFor(world, actor, { ...wanted, body: one }))
  return (await Promise.all(asked)).includes(true)
}

/** Some callers ask twice with one key, at once or later. */
async function askFor(world: World, actor: Process, wanted: Wanted): Promise<boolean> {
  const { key, path, body, refunds } = wanted
  const send = () => insist(world, actor, 'POST', `${path}/refunds`, { key, body })
  const [first, twin] = await Promise.all([send(), actor.random.isLikely(0.2) ? send() : null])
  const answer = isAccepted(first) ? first : (twin ?? first)
  if (!isAccepted(answer)) {
    const code = String(Object(answer.json).code)
    world.count(`refused: ${code}`)
    return code === 'refund_settled'
  }
  const id = idOf(answer)
  refunds.push({ id, amount: body.amount })
  world.count(path.includes('x402') ? 'x402 refunds' : 'refunds')
  if (twin === null && actor.random.isLikely(0.5)) return true
  const again = twin ?? (await send())
  // One of two at once may have come before it could be accepted.
  const isRight = twin === null ? again.status === 200 : true
  if (!isRight || (isAccepted(again) && idOf(again) !== id))
    throw new Error(`a refund asked for again was answered with ${again.status}`)
  return true
}

function isAccepted({ status }: Answer): boolean {
  return status === 201 || status === 200
}

function idOf({ json }: Answer): string {
  return String(Object(json).data?.id)
}
