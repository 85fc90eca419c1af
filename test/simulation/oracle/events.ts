import type { InvoiceRecord, Records } from '../customers/records.ts'
import { RECEIVERS, type World } from '../world.ts'
import { unitsOf } from './refunds.ts'

/** What must hold of events: they tell every change once, in order, and receivers have them all. */

/** An event, with its place in the order in which events were written. */
interface Told {
  readonly id: string
  readonly merchantId: string
  readonly objectId: string
  readonly version: number
  readonly said: number
  readonly type: string
  readonly status: string | null
  readonly received: string | null
}

const STATUSES = ['pending', 'partial', 'paid', 'completed']

/** What was paid is never unpaid. What is not paid may have been given back. */
export function isRising(
  statuses: readonly (string | null)[],
  { refunds }: Pick<InvoiceRecord, 'refunds'>,
): boolean {
  const least = refunds.length > 0 ? STATUSES.indexOf('partial') : 0
  const ranks = statuses.map((status) => Math.max(least, STATUSES.indexOf(status ?? '')))
  return ranks.every((rank, i) => rank >= (ranks[i - 1] ?? 0))
}

export async function judgeEvents(world: World, records: Records): Promise<string[]> {
  const events = await world.database.admin<Told[]>`
    select o.id::text, o.merchant_id::text as "merchantId", o.object_id::text as "objectId",
      o.type, o.version, (o.data->>'version')::int as said, o.data->>'status' as status,
      o.data->>'receivedAmount' as received
    from outbox o join sim.told on told.id = o.id where o.endpoint_id is null order by told.place`
  const byObject = Map.groupBy(events, ({ objectId }) => objectId)
  return [
    ...[...byObject].flatMap(([name, ofObject]) => judgeOrder(name, ofObject)),
    ...(await judgeRows(world, records, byObject)),
    ...judgeReceived(world, records, events),
  ]
}

/** Not every change of a row has an event, so versions may leave some out; they never repeat or go back. */
function judgeOrder(name: string, events: readonly Told[]): string[] {
  const problems: string[] = []
  for (const [i, { version, said }] of events.entries()) {
    const before = events[i - 1]?.version ?? 0
    if (version <= before) problems.push(`has an event of version ${version} after ${before}`)
    if (said !== version) problems.push(`says version ${said} in an event of version ${version}`)
  }
  return problems.map((problem) => `object ${name} ${problem}`)
}

interface Row {
  readonly id: string
  readonly version: number
  readonly status: string
  readonly received: string | null
}

/** The last event says what the row says. */
async function judgeRows(
  world: World,
  records: Records,
  byObject: ReadonlyMap<string, readonly Told[]>,
): Promise<string[]> {
  const rows = await world.database.admin<Row[]>`
    select id::text, version, status::text, received_amount::text as received from invoice
    union all select id::text, version, status::text, null from refund
    union all select id::text, version, status::text, null from x402_payment
    order by 1`
  const invoices = new Map(records.invoices.map((record) => [record.id, record]))
  const problems: string[] = []
  for (const { id, version, status, received } of rows) {
    const events = byObject.get(id) ?? []
    const last = events.at(-1)
    const invoice = invoices.get(id)
    if (invoice !== undefined && events[0]?.version !== 1) problems.push(`${id} has no first event`)
    if (last === undefined) continue
    if (last.version > version)
      problems.push(`${id} has version ${version}, and an event of version ${last.version}`)
    // What its merchant gives back of an invoice is told by events of the refund.
    const isGivenBack = status === 'pending' && (invoice?.refunds.length ?? 0) > 0
    if (last.status !== status && !isGivenBack)
      problems.push(`${id} is ${status}, its last event says ${last.status}`)
    if (received !== null && unitsOf(last.received) !== BigInt(received))
      problems.push(`${id} has received ${received}, its last event says ${last.received}`)
    // By then no payment that came in time can appear any more.
    const expired = events.find(({ type }) => type === 'invoice.expired')
    if (expired !== undefined && unitsOf(expired.received) !== BigInt(received ?? 0))
      problems.push(`${id} had expired with ${expired.received}, and has received ${received}`)
    const told = events.map((event) => event.status)
    if (invoice !== undefined && !isRising(told, invoice))
      problems.push(`${id} was told as ${told.join(', then ')}`)
  }
  return problems
}

/** A receiver has each event once it has answered so, always with one body. */
function judgeReceived(world: World, { merchants }: Records, events: readonly Told[]): string[] {
  const problems: string[] = []
  const bodies = new Map<string, string>()
  for (const { id, body } of world.received) {
    const before = bodies.get(id)
    if (before !== undefined && before !== body)
      problems.push(`event ${id} was sent with two bodies`)
    bodies.set(id, body)
  }
  for (const host of RECEIVERS) {
    const answered = world.received.filter((one) => one.host === host && one.isAnswered)
    const got = new Set(answered.map(({ id }) => id))
    for (const { id } of merchants) {
      const missed = events.filter(
        ({ merchantId, id: event }) => merchantId === id && !got.has(event),
      )
      if (missed.length > 0) problems.push(`${host} has missed ${missed.length} events of ${id}`)
    }
  }
  return problems
}
