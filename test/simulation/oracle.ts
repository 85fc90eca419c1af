import type postgres from 'postgres'
import { toEventSelector } from 'viem'
import type { InvoiceRecord, Records, RequestRecord } from './business.ts'
import { numberIn, type SimulatedChain, textIn } from './chain.ts'
import type { World } from './world.ts'

/**
 * What must hold at the end of a run. It reads the chain, what callers asked and were answered, the events that
 * receivers got, and the rows as what the product says of itself; of the product's code it uses nothing.
 */

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const USED = toEventSelector('AuthorizationUsed(address,bytes32)')

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
        where status = 'settled' and distribution_id is null
      union all select 'a refund is ' || status from refund where status in ('open', 'mined')
      union all select 'a settlement is ' || status from settlement where status in ('open', 'mined')
      union all select 'a payment is pending' from payment where status = 'pending'
      union all select 'an event waits' from outbox where position is null
      union all select 'a delivery is pending' from webhook_delivery where state = 'pending'
    ) left_over group by 1 order by 1`
  return [...rows.map(({ what, count }) => `${count} times: ${what}`), ...(await alarms(world))]
}

interface Transfer {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly hash: string
  readonly time: number
}

interface Truth {
  readonly transfers: readonly Transfer[]
  /** How often each authorization was carried out, by payer and nonce. */
  readonly used: ReadonlyMap<string, readonly string[]>
  balance(holder: string): Promise<bigint>
}

async function truthOf(chain: SimulatedChain): Promise<Truth> {
  const { usdc, node } = chain.hub
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: usdc.address }
  const { result } = await chain.ask({ method: 'eth_getLogs', params: [filter] })
  const transfers: Transfer[] = []
  const used = new Map<string, string[]>()
  const times = new Map<number, number>()
  for (const log of Array.isArray(result) ? result : []) {
    const { topics }: { topics: unknown } = Object(log)
    const [kind, first = '', second = ''] = (Array.isArray(topics) ? topics : []).map(String)
    const hash = textIn(log, 'transactionHash')
    if (kind === USED) {
      const name = nameOf(addressIn(first), second)
      used.set(name, [...(used.get(name) ?? []), hash])
    }
    if (kind !== TRANSFER) continue
    const number = numberIn(log, 'blockNumber')
    const time = times.get(number) ?? (await timeOf(chain, number))
    times.set(number, time)
    const amount = BigInt(textIn(log, 'data'))
    transfers.push({ from: addressIn(first), to: addressIn(second), amount, hash, time })
  }
  return {
    transfers,
    used,
    balance: async (holder) => {
      const data = `0x70a08231${holder.slice(2).padStart(64, '0')}`
      return BigInt(String(await node.rpc('eth_call', [{ to: usdc.address, data }, 'latest'])))
    },
  }
}

async function timeOf(chain: SimulatedChain, number: number): Promise<number> {
  const params = [`0x${number.toString(16)}`, false]
  return numberIn((await chain.ask({ method: 'eth_getBlockByNumber', params })).result, 'timestamp')
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40)}`
}

function nameOf(payer: string, nonce: string): string {
  return `${payer.toLowerCase()} ${nonce.toLowerCase()}`
}

/** Throws with all that does not hold. */
export async function judge(world: World, records: Records): Promise<void> {
  const truth = await truthOf(world.chain)
  const sql = world.database.admin
  const found: string[] = []
  const [{ count } = { count: '' }] = await sql<
    { count: string }[]
  >`select count(*)::text from invoice`
  if (Number(count) !== records.invoices.length) {
    found.push(`there are ${count} invoices, and ${records.invoices.length} were asked for`)
  }
  for (const record of records.invoices) found.push(...(await judgeInvoice(sql, truth, record)))
  for (const record of records.requests) found.push(...(await verifyRequest(sql, truth, record)))
  found.push(
    ...(await judgeMerchants(world, truth, records)),
    ...(await judgeEvents(world, records)),
  )
  if (found.length > 0) throw new Error(found.join('\n'))
}

interface Invoice {
  readonly status: string
  readonly received: string
  readonly expiresAt: string | null
  readonly paid: string
  readonly settled: string
  readonly refunded: string
}

async function judgeInvoice(
  sql: postgres.Sql,
  truth: Truth,
  record: InvoiceRecord,
): Promise<string[]> {
  const [row] = await sql<Invoice[]>`
    select i.status::text, i.received_amount::text as received,
      extract(epoch from i.expires_at)::text as "expiresAt",
      (select coalesce(sum(amount), 0)::text from payment
        where invoice_id = i.id and status = 'confirmed') as paid,
      (select coalesce(sum(amount - fee_owed), 0)::text from settlement
        where invoice_id = i.id and status = 'confirmed') as settled,
      (select coalesce(sum(amount), 0)::text from refund
        where invoice_id = i.id and status = 'confirmed') as refunded
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
  const inTime = sum(into.filter(({ time }) => time <= expiresAt))
  const status = inTime >= record.amount ? 'completed' : inTime > 0n ? 'partial' : 'pending'
  if (row.status !== status) problems.push(`is ${row.status} instead of ${status}`)
  if (BigInt(row.received) !== inTime)
    problems.push(`says it received ${row.received}, and did ${inTime}`)
  for (const { key, amount } of record.refunds) {
    const rows = await sql<{ status: string; units: string }[]>`
      select status, amount::text as units from refund
      where invoice_id = ${record.id} and idempotency_key = ${key}`
    const [refund] = rows
    if (rows.length !== 1 || refund?.status !== 'confirmed') {
      problems.push(`has its refund of ${amount} ${rows.length} times, ${refund?.status}`)
    }
  }
  return problems.map((problem) => `${name} ${problem}`)
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, { amount }) => total + amount, 0n)
}

async function verifyRequest(
  sql: postgres.Sql,
  truth: Truth,
  record: RequestRecord,
): Promise<string[]> {
  const used = truth.used.get(nameOf(record.payer, record.nonce)) ?? []
  const rows = await sql<{ status: string; hash: string | null }[]>`
    select status, tx_hash::text as hash from x402_payment
    where payer = ${record.payer} and authorization_nonce = ${record.nonce}`
  const problems: string[] = []
  if (used.length > 1) problems.push(`was carried out ${used.length} times`)
  const successes = record.answers.filter(({ success }) => success)
  if (successes.length > 1) problems.push(`has ${successes.length} successes`)
  if (successes.length > 0 && used.length === 0)
    problems.push('was answered as settled, and moved nothing')
  const [row] = rows
  if (used.length > 0 && row?.status !== 'settled')
    problems.push(`moved money and is ${row?.status}`)
  if (used.length === 0 && row?.status === 'settled') problems.push('is settled and moved nothing')
  if (row?.status === 'settled' && row.hash !== used[0])
    problems.push(`is settled by ${row.hash}, not by ${used[0]}`)
  for (const { transaction } of successes) {
    if (!used.includes(transaction)) problems.push(`was answered with ${transaction}, not ${used}`)
  }
  const last = record.answers.at(-1)
  if (last === undefined || last.error === 'settlement_pending') problems.push('has no answer')
  return problems.map((problem) => `paid request ${record.nonce} of ${record.value} ${problem}`)
}

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
  const [fees] = await sql<{ fees: string }[]>`
    select ((select coalesce(sum(fee - fee_owed), 0) from settlement where status = 'confirmed')
      + (select coalesce(sum(fee), 0) from x402_distribution))::text as fees`
  const held = await truth.balance(world.chain.hub.collector)
  if (held !== BigInt(fees?.fees ?? 0))
    problems.push(`the operator holds ${held}, and ${fees?.fees} by the books`)
  return problems
}

/** Events say what the rows say, and receivers have them all. */
async function judgeEvents(world: World, records: Records): Promise<string[]> {
  const sql = world.database.admin
  const problems: string[] = []
  const ahead = await sql<{ id: string; version: number; told: number }[]>`
    select i.id::text, i.version, max(o.version) as told
    from invoice i join outbox o on o.object_id = i.id group by i.id
    having min(o.version) <> 1 or max(o.version) > i.version order by 1`
  for (const { id, version, told } of ahead) {
    problems.push(`invoice ${id} has version ${version}, and an event of version ${told}`)
  }
  const ids = new Map<string, string>()
  for (const { id, body } of world.received) {
    const before = ids.get(id)
    if (before !== undefined && before !== body)
      problems.push(`event ${id} was sent with two bodies`)
    ids.set(id, body)
  }
  for (const { id: merchantId } of records.merchants) {
    const events = await sql<{ id: string }[]>`
      select id::text from outbox where merchant_id = ${merchantId} and endpoint_id is null`
    const hosts = new Set(world.received.map(({ host }) => host))
    for (const host of hosts) {
      const got = new Set(world.received.filter((one) => one.host === host).map(({ id }) => id))
      const missed = events.filter(({ id }) => !got.has(id))
      if (missed.length > 0)
        problems.push(`${host} has missed ${missed.length} events of ${merchantId}`)
    }
  }
  const stale = await sql<{ id: string; status: string; told: string }[]>`
    select i.id::text, i.status::text, last.status as told from invoice i
    cross join lateral (
      select data->>'status' as status from outbox where object_id = i.id order by version desc limit 1
    ) last where last.status is distinct from i.status::text`
  for (const { id, status, told } of stale)
    problems.push(`invoice ${id} is ${status}, its last event says ${told}`)
  return problems
}

/** What operators are warned of: it ends once nothing goes wrong any more. */
async function alarms(world: World): Promise<string[]> {
  const now: Date = new Date(world.kernel.now)
  const rows = await world.database.admin<{ kind: string; subject: string; detail: string }[]>`
    select kind, subject, detail from worker_alarm where until > ${now.toISOString()}`
  return rows.map(({ kind, subject, detail }) => `alarm ${kind} of ${subject}: ${detail}`)
}
