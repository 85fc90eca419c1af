import type postgres from 'postgres'
import type { Records, RefundRecord } from '../customers/records.ts'
import type { Truth } from './truth.ts'

/** What must hold of refunds: each that was promised is paid once, to the one who had paid, and no other. */

export function refundedOf({ refunds }: { readonly refunds: readonly RefundRecord[] }): bigint {
  return refunds.reduce((total, { amount }) => total + unitsOf(amount), 0n)
}

/** Base units of an amount of a token with six decimals. */
export function unitsOf(amount: string | null): bigint {
  const [whole = '', rest = ''] = (amount ?? '0').split('.')
  return BigInt(whole + rest.padEnd(6, '0'))
}

export async function judgeRefunds(
  sql: postgres.Sql,
  truth: Truth,
  { invoices, requests }: Records,
): Promise<string[]> {
  const owed = new Map<string, bigint>()
  const problems: string[] = []
  const judge = async (from: string, to: string, refunds: readonly RefundRecord[]) => {
    const way = `${from} to ${to}`.toLowerCase()
    for (const refund of refunds) {
      const { problem, isOwed } = await judgeOne(sql, truth, refund)
      if (problem !== null) problems.push(`refund ${refund.id} of ${refund.amount} ${problem}`)
      if (isOwed) owed.set(way, (owed.get(way) ?? 0n) + unitsOf(refund.amount))
    }
    if (!owed.has(way)) owed.set(way, 0n)
  }
  for (const { deposit, payer, refunds } of invoices) await judge(deposit, payer.address, refunds)
  for (const { merchant, payer, refunds } of requests)
    await judge(merchant.forwarder, payer, refunds)
  for (const [way, amount] of owed) {
    const moved = truth.transfers.filter(({ from, to }) => `${from} to ${to}` === way)
    const sum = moved.reduce((total, transfer) => total + transfer.amount, 0n)
    if (sum !== amount) problems.push(`${sum} went back from ${way}, and ${amount} was promised`)
  }
  return problems
}

interface Row {
  readonly status: string
  readonly units: string
  readonly hash: string | null
  /**
   * It is of a paid request whose money a payout has taken that was signed before it was asked for, or in a commit that
   * a failover has lost.
   */
  readonly isPaidOut: boolean
}

async function judgeOne(sql: postgres.Sql, truth: Truth, { id, amount }: RefundRecord) {
  const [row] = await sql<Row[]>`
    select r.status, r.amount::text as units, r.tx_hash::text as hash,
      exists (
        select from x402_payment p join x402_distribution d on d.id = p.distribution_id
        left join relayer_attempt a on a.hash = d.tx_hash left join relayer_tx t on t.id = a.tx_id
        where p.id = r.x402_payment_id and p.refunded = 0
          and (t.id is null or t.created_at <= r.created_at)) as "isPaidOut"
    from refund r where r.id = ${id}`
  if (row?.status === 'failed' && row.isPaidOut) return { problem: null, isOwed: false }
  if (row?.status !== 'confirmed') return { problem: `is ${row?.status}`, isOwed: true }
  const isPaid = truth.transfers.some(
    ({ hash, amount: moved }) => hash === row.hash && moved === unitsOf(amount),
  )
  const isRight = BigInt(row.units) === unitsOf(amount) && isPaid
  return { problem: isRight ? null : `says ${row.units} by ${row.hash}`, isOwed: true }
}
