import type postgres from 'postgres'
import { numberIn } from '../chain.ts'
import {
  type InvoiceRecord,
  LATE_WAYS,
  type Records,
  type RequestRecord,
} from '../customers/records.ts'
import { CONFIRMATIONS, FEE_BPS } from '../variables.ts'
import type { World } from '../world.ts'
import { depthAt, judgeDepths } from './depths.ts'
import { isRising, judgeEvents } from './events.ts'
import { judgePlaces } from './places.ts'
import { judgeRefunds, refundedOf } from './refunds.ts'
import { HASH, judgeSigned } from './signed.ts'
import { nameOf, type Transfer, type Truth, truthOf } from './truth.ts'

/**
 * What must hold at the end of a run. It reads the chain, what callers asked and were answered, the events that
 * receivers got, and the rows as what the product says of itself; of the product's code it uses nothing.
 */

/** What is left while a receiver is not asked again. */
export const DELIVERY = 'a delivery is pending'

/** What is still to be done, in words. */
export async function unfinished(world: World): Promise<string[]> {
  const sql = world.database.admin
  const rows = await sql<{ what: string; count: string }[]>`
    select what, count(*)::text as count from (
      select 'work of kind ' || kind || ' is ' || state as what from work_item
        where state in ('queued', 'assigned', 'review', 'held')
      union all select 'a transaction is ' || state from relayer_tx where state = 'signed'
      union all select 'a paid request is pending' from x402_payment where status = 'pending'
      union all select 'a paid request is not paid out' from x402_payment
        where status = 'settled' and distribution_id is null and refunded < amount
      union all select 'a signature for an invoice is pending' from invoice_authorization
        where status = 'pending'
      union all select 'a refund is ' || status from refund where status in ('open', 'mined')
      union all select 'a settlement is ' || status from settlement where status in ('open', 'mined')
      union all select 'a payment is pending' from payment where status = 'pending'
      union all select 'an invoice is paid and not settled' from invoice where status = 'paid'
      union all select 'an event waits' from outbox where position is null
      union all select ${DELIVERY} from webhook_delivery where state = 'pending'
    ) left_over group by 1 order by 1`
  const left = rows.map(({ what, count }) => `${count} times: ${what}`)
  return [...left, ...(await unbooked(world)), ...(await alarms(world))]
}

/** What payers have sent and no block has, or blocks with it that are not in the books. */
async function unbooked({ chain, sent, database }: World): Promise<string[]> {
  let newest = 0
  for (const hash of sent.keys()) {
    const call = { method: 'eth_getTransactionReceipt', params: [hash] }
    const { result } = await chain.ask(call)
    if (result === null) return ['a transaction of a payer is not mined']
    newest = Math.max(newest, numberIn(result, 'blockNumber'))
  }
  const [state] = await database.admin<{ block: string }[]>`
    select projected_block::text as block from chain_state`
  return Number(state?.block ?? 0) < newest ? [`block ${newest} is not in the books`] : []
}

/** How often a process may ask for the same logs within a block, in all its turns. */
const REPEATS = 20

/** Throws with all that does not hold. */
export async function judge(world: World, records: Records): Promise<void> {
  const truth = await truthOf(world.chain)
  const sql = world.database.admin
  const found: string[] = []
  const [{ count } = { count: '' }] = await sql<{ count: string }[]>`
    select count(*)::text from invoice where external_ref <> all(${records.expired})`
  if (Number(count) !== records.invoices.length) {
    found.push(`there are ${count} invoices, and ${records.invoices.length} were asked for`)
  }
  for (const record of records.invoices) found.push(...(await judgeInvoice(sql, truth, record)))
  for (const record of records.requests) found.push(...(await verifyRequest(world, truth, record)))
  found.push(
    ...(await judgeMerchants(world, truth, records)),
    ...(await judgeRefunds(sql, truth, records)),
    ...(await judgeSigned(world, truth, records)),
    ...(await judgeEvents(world, records)),
    ...(await judgeDepths(world)),
    ...(await judgePlaces(sql, truth, world.chain)),
  )
  const [sent] = await sql<{ renewed: string; refused: string }[]>`
    select (select count(*)::text from relayer_attempt where seq > 1) as renewed,
      (select count(*)::text from settlement where status = 'failed') as refused`
  world.counts['renewed attempts'] = Number(sent?.renewed)
  world.counts['refused sweeps'] = Number(sent?.refused)
  const overtaken = await sql<{ address: string; worker: string }[]>`
    select distinct address, worker from sim.overtaken order by address, worker`
  for (const { address, worker } of overtaken)
    found.push(`the key ${address} was leased while the term of ${worker} lasted`)
  for (const hash of world.unstored) found.push(`transaction ${hash} was sent and not stored`)
  const { question, times } = world.chain.repeated
  if (times > REPEATS) found.push(`asked ${times} times within a block: ${question}`)
  if (found.length > 0) throw new Error(found.join('\n'))
}

interface Invoice {
  readonly status: string
  readonly received: string
  readonly expiresAt: string | null
  readonly paid: string
  readonly settled: string
  readonly fees: string
  readonly refunded: string
  readonly saidRefunded: string
  /** What the invoice itself says, as its merchant sees it. */
  readonly remitted: string
  readonly late: string
  readonly pending: string
}

async function judgeInvoice(
  sql: postgres.Sql,
  truth: Truth,
  record: InvoiceRecord,
): Promise<string[]> {
  const [row] = await sql<Invoice[]>`
    select i.status::text, i.received_amount::text as received,
      extract(epoch from least(i.expires_at, i.closed_at))::text as "expiresAt",
      (select coalesce(sum(amount), 0)::text from payment
        where invoice_id = i.id and status = 'confirmed') as paid,
      (select coalesce(sum(amount - fee_owed), 0)::text from settlement
        where invoice_id = i.id and status = 'confirmed') as settled,
      (select coalesce(sum(fee), 0)::text from settlement
        where invoice_id = i.id and status = 'confirmed') as fees,
      (select coalesce(sum(amount), 0)::text from refund
        where invoice_id = i.id and status = 'confirmed') as refunded,
      i.refunded_amount::text as "saidRefunded", i.amount_remitted::text as remitted,
      i.late_amount::text as late, i.pending_amount::text as pending
    from invoice i where id = ${record.id}`
  const name = `invoice ${record.id} (${record.way})`
  if (row === undefined) return [`${name} was created and is not there`]
  const problems: string[] = []
  const into = truth.transfers.filter(({ to }) => to === record.deposit)
  const out = truth.transfers.filter(({ from }) => from === record.deposit)
  const paid = sum(into)
  if (BigInt(row.paid) !== paid) problems.push(`has ${row.paid} in its books and got ${paid}`)
  const spent = BigInt(row.settled) + BigInt(row.refunded)
  if (spent !== sum(out))
    problems.push(`has spent ${spent} by its books and ${sum(out)} on the chain`)
  const held = await truth.balance(record.deposit)
  if (held !== paid - spent) problems.push(`holds ${held} instead of ${paid - spent}`)
  const expiresAt = row.expiresAt === null ? Number.POSITIVE_INFINITY : Number(row.expiresAt)
  const counted = into.filter(({ time }) => time <= expiresAt)
  const inTime = sum(counted)
  const kept = inTime - (LATE_WAYS.has(record.way) ? 0n : refundedOf(record))
  const status = kept >= record.amount ? 'completed' : kept > 0n ? 'partial' : 'pending'
  if (row.status !== status) problems.push(`is ${row.status} instead of ${status}`)
  if (BigInt(row.received) !== inTime)
    problems.push(`says it received ${row.received}, and did ${inTime}`)
  const remitted = sum(out.filter(({ to }) => to === record.merchant.recipient))
  const figures = [
    ['remitted', row.remitted, remitted],
    ['late', row.late, paid - inTime],
    ['pending', row.pending, 0n],
    ['refunded', row.saidRefunded, refundedOf(record)],
  ] as const
  for (const [figure, said, is] of figures) {
    if (BigInt(said) !== is) problems.push(`says that ${said} is ${figure}, and ${is} is`)
  }
  const fee = BigInt(row.settled) === 0n ? 0n : feeOf(record.amount, counted)
  if (BigInt(row.fees) !== fee) problems.push(`was charged ${row.fees} instead of ${fee}`)
  if (BigInt(row.settled) > inTime)
    problems.push(`has settled ${row.settled} of ${inTime} that count`)
  if (!isRising(record.seen, record)) problems.push(`was shown as ${record.seen.join(', then ')}`)
  return problems.map((problem) => `${name} ${problem}`)
}

/** The fee of a paid invoice is due once; each part of one that is not has its share. */
function feeOf(amount: bigint, counted: readonly Transfer[]): bigint {
  const fee = (amount * FEE_BPS) / 10_000n
  if (sum(counted) >= amount) return fee
  return counted.reduce((total, part) => total + (part.amount * fee) / amount, 0n)
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, { amount }) => total + amount, 0n)
}

async function verifyRequest(world: World, truth: Truth, record: RequestRecord): Promise<string[]> {
  const { chain, x402Confirmations } = world
  const sql = world.database.admin
  const used = truth.used.get(nameOf(record.payer, record.nonce)) ?? []
  const rows = await sql<{ status: string; hash: string | null }[]>`
    select status, tx_hash::text as hash from x402_payment
    where payer = ${record.payer} and authorization_nonce = ${record.nonce}`
  const problems: string[] = []
  if (used.length > 1) problems.push(`was carried out ${used.length} times`)
  const successes = record.answers.filter(({ success }) => success)
  const kept = successes.filter((answer) => !wasStopped(answer))
  if (kept.length > 1) problems.push(`has ${kept.length} successes`)
  const [row] = rows
  if (used.length > 0 && row?.status !== 'settled')
    problems.push(`moved money and is ${row?.status}`)
  if (used.length === 0 && row?.status === 'settled') problems.push('is settled and moved nothing')
  if (row?.status === 'settled' && row.hash !== used[0])
    problems.push(`is settled by ${row.hash}, not by ${used[0]}`)
  for (const { transaction, at } of successes) {
    // An answer before its block is deep is what the chain shows at that moment.
    const wasSo = x402Confirmations < CONFIRMATIONS && chain.replaced.has(transaction)
    if (!used.includes(transaction) && !wasSo)
      problems.push(`was answered with ${transaction}, not ${used}`)
    const block = truth.blocks.get(transaction)?.number ?? 0
    // Before it is deep it may have been in another block.
    if (x402Confirmations === CONFIRMATIONS && depthAt(world, block, at) < CONFIRMATIONS)
      problems.push(`was answered with ${transaction} in block ${block} before that was deep`)
  }
  for (const { error, transaction } of record.answers) {
    if (error === 'settlement_pending' && !HASH.test(transaction))
      problems.push('was pending without a hash')
  }
  const last = record.answers.at(-1)
  if (last === undefined || last.error === 'settlement_pending') problems.push('has no answer')
  return problems.map((problem) => `paid request ${record.nonce} of ${record.value} ${problem}`)
}

/** Its process died or stood still before it could write down that it had answered: another caller is told as well. */
function wasStopped({ at, from: { stoppedAt } }: RequestRecord['answers'][number]): boolean {
  return stoppedAt !== null && stoppedAt >= at - ANSWER_MS && stoppedAt <= at + NOTE_MS
}

/** How long an answer is on its way at most, and how long it takes to write down that it was given, in ms. */
const ANSWER_MS = 20
const NOTE_MS = 1_000

/** A forwarder keeps a unit, so that the token's next transfer to it costs less. */
const KEPT_BY_FORWARDER = 1n

/** Where the money is: with merchants, with the operator, and nowhere else. */
async function judgeMerchants(world: World, truth: Truth, records: Records): Promise<string[]> {
  const sql = world.database.admin
  const problems: string[] = []
  for (const { id, recipient, forwarder } of records.merchants) {
    const [row] = await sql<{ settled: string; remitted: string }[]>`
      select
        (select coalesce(sum(amount - fee), 0)::text from settlement
          where merchant_id = ${id} and status = 'confirmed') as settled,
        (select coalesce(sum(remitted), 0)::text from x402_distribution
          where merchant_id = ${id}) as remitted`
    const booked = BigInt(row?.settled ?? 0) + BigInt(row?.remitted ?? 0)
    const held = await truth.balance(recipient)
    if (held !== booked) problems.push(`merchant ${id} holds ${held}, and ${booked} by the books`)
    const rest = await truth.balance(forwarder)
    if (rest > KEPT_BY_FORWARDER) problems.push(`the forwarder of ${id} still holds ${rest}`)
  }
  const wrong = await sql<{ merchantId: string; paid: string; due: string }[]>`
    select * from (select merchant_id::text as "merchantId", sum(fee)::text as paid,
        floor(sum(remitted + fee) * ${Number(FEE_BPS)} / 10000)::text as due,
        count(*) as payouts, sum(fee_held) as held
      from x402_distribution group by 1) by_merchant
    where paid::numeric > due::numeric
      or paid::numeric + held + payouts < due::numeric order by 1`
  for (const { merchantId, paid, due } of wrong)
    problems.push(`merchant ${merchantId} paid ${paid} for paid requests instead of ${due}`)
  const [fees] = await sql<{ fees: string }[]>`
    select ((select coalesce(sum(fee - fee_owed), 0) from settlement where status = 'confirmed')
      + (select coalesce(sum(fee), 0) from x402_distribution))::text as fees`
  const held = await truth.balance(world.chain.hub.collector)
  if (held !== BigInt(fees?.fees ?? 0))
    problems.push(`the operator holds ${held}, and ${fees?.fees} by the books`)
  return problems
}

/** What operators are warned of: it ends once nothing goes wrong any more. */
async function alarms(world: World): Promise<string[]> {
  const now: Date = new Date(world.kernel.now)
  const rows = await world.database.admin<{ kind: string; subject: string; detail: string }[]>`
    select kind, subject, detail from worker_alarm where until > ${now.toISOString()}`
  return rows.map(({ kind, subject, detail }) => `alarm ${kind} of ${subject}: ${detail}`)
}
