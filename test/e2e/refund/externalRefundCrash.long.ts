import { afterAll, beforeAll, expect, test } from 'bun:test'
import { formatAmount, parseAmount } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import type { DayJson } from '../../../core/invoice/report.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { waitUntil } from '../../../dev/processes/child.ts'
import { createKey } from '../../../store/access/apiKeys.ts'
import type { Database } from '../../../store/database/database.ts'
import { proveExternalRefunds } from '../../../workers/refund/external.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { type ApiProcess, killApi, startApi } from '../../support/servers/apiProcess.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import { redisPrefix, redisUrl } from '../../support/servers/run.ts'
import { newAddress } from '../../support/store/database.ts'
import { storePayment, storeSettlement } from '../../support/store/invoice.ts'

/**
 * Refunds that merchants have sent themselves, while the API or its connection to Postgres is killed in the
 * middle of recording one. Callers repeat themselves until they are answered, and each transfer counts once.
 */

/** What goes back: not a unit of it may be lost or counted twice. */
const EXCESS = 2_345_679n
const RECEIVED = 10_000_000n + EXCESS
const { decimals: DECIMALS } = TOKENS.USDC
const AMOUNT = formatAmount(EXCESS, DECIMALS)
/** The lock at which recording stops. */
const GATE = 4711
const TIMEOUT_MS = 30_000

let chain: HubChain
let database: Database
let rig: LedgerRig
let variables: Record<string, string>
let secretKey: string
/** An API that no one kills. */
let survivor: ApiProcess

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  database = await freshDatabase()
  rig = await ledgerRig(database, chain)
  secretKey = await createKey(database, 'sandbox', rig.merchantId, 'secret')
  variables = {
    ...{ REMIT_ENV: 'sandbox', HUB_ADDRESS: chain.hub, FEE_COLLECTOR: chain.collector, PORT: '0' },
    ...{ RPC_URL_BASE_SEPOLIA: chain.node.url, CONFIRMATIONS_BASE_SEPOLIA: '2' },
    ...{ REDIS_URL: await redisUrl(), REDIS_PREFIX: redisPrefix() },
    RATE_LIMIT_AUTHENTICATED: '1000000',
    DATABASE_URL: await roleUrl(databaseUrlOf(database), 'api'),
  }
  survivor = await startApi(variables)
}, 120_000)

afterAll(async () => {
  if (survivor) await killApi(survivor)
  await database?.end({ timeout: 1 })
  await chain?.node.stop()
})

test.each([
  ['the API between the refund and its event', 'event', 'api', false],
  ['the API while it commits', 'commit', 'api', true],
  ['its connection between the refund and its event', 'event', 'connection', false],
  ['its connection while it commits', 'commit', 'connection', false],
] as const)('killed: %s', async (_name, place, victim, isStored) => {
  const before = await reported()
  const [invoice, payer] = await overpaid()
  const txHash = await sendBack(payer)
  const killed = victim === 'api' ? await startApi(variables) : survivor
  const gate = await closeGate(place)
  const lost = record(killed, invoice, txHash).catch(() => null)
  await gate.isReached()
  const meanwhile = ask(invoice, txHash)
  await isLockedOut()
  await (victim === 'api' ? killApi(killed) : gate.cutConnection())
  await gate.open()
  expect((await lost)?.status).toBe(victim === 'api' ? undefined : 503)
  const again = [ask(invoice, txHash), ask(invoice, txHash)]
  const answers = await Promise.all([meanwhile, ...again])
  await gate.remove()
  expect(new Set(answers.map(({ refund }) => refund?.id)).size).toBe(1)
  const created = answers.filter(({ status }) => status === 201).length
  expect(created).toBeLessThanOrEqual(isStored ? 0 : 1)
  await expectCountedOnce(txHash, [invoice], before)
})

test('killed: its connection, while another invoice is to have the same transfer', async () => {
  const before = await reported()
  const [first, payer] = await overpaid()
  const [rival] = await overpaid(payer)
  const txHash = await sendBack(payer)
  const gate = await closeGate('event')
  const lost = record(survivor, first, txHash)
  await gate.isReached()
  const ofRival = ask(rival, txHash)
  await isLockedOut()
  await gate.cutConnection()
  await gate.open()
  expect((await lost).status).toBe(503)
  const answers = await Promise.all([ofRival, ask(first, txHash), ask(rival, txHash)])
  await gate.remove()
  expect(new Set(answers.flatMap(({ refund }) => refund?.id ?? [])).size).toBe(1)
  expect(answers.map(({ status }) => status)).toContain(409)
  await expectCountedOnce(txHash, [first, rival], before)
})

/** An invoice of 10 USDC that got more, all of it settled, and who paid it. */
async function overpaid(payer = newAddress()): Promise<[Invoice, Address]> {
  const invoice = await rig.invoice()
  const place = { networkId: chain.networkId, token: chain.usdc.address }
  const paid = { ...place, sender: payer, blockTime: new Date(0) }
  await storePayment(database, invoice.id, RECEIVED, paid)
  await storeSettlement(database, invoice.id, RECEIVED, place)
  return [invoice, payer]
}

/** Sends the excess to the payer and returns the transaction's hash. */
async function sendBack(to: Address): Promise<string> {
  await chain.mint([{ to, amount: EXCESS }])
  const [hash] = (await chain.client.getBlock()).transactions
  if (hash === undefined) throw new Error('nothing was sent')
  return hash
}

const call = (api: ApiProcess, path: string, body?: object) =>
  fetch(api.url + path, {
    headers: { 'x-service-key': secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })

const record = (api: ApiProcess, { id }: Invoice, txHash: string) =>
  call(api, `/v1/invoices/${id}/refunds/external`, {
    networkId: chain.networkId,
    txHash,
    amount: AMOUNT,
  })

interface Asked {
  readonly status: number
  /** Null for a refusal. */
  readonly refund: RefundJson | null
}

/** Asks until the service is able to answer. */
async function ask(invoice: Invoice, txHash: string): Promise<Asked> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const answer = await record(survivor, invoice, txHash)
    const { data: refund = null } = await answer.json()
    if (answer.status !== 503) return { status: answer.status, refund }
    if (Date.now() > end) throw new Error('the API did not come back')
    await Bun.sleep(50)
  }
}

/** Whoever records a refund stops here: before its event, or in the commit of both. */
async function closeGate(place: 'event' | 'commit') {
  const lock = await database.reserve()
  await lock`select pg_advisory_lock(${GATE})`
  const trigger =
    place === 'event'
      ? 'create trigger stop_here before insert on outbox for each row'
      : 'create constraint trigger stop_here after insert on external_refund initially deferred for each row'
  await database.unsafe(`
    create function stop_here() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(${GATE});
      return new;
    end $$;
    ${trigger} execute function stop_here()`)
  const waiting = database`
    from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.objid = ${GATE} and not l.granted`
  return {
    async isReached() {
      const isReached = async () => (await database`select 1 ${waiting}`).length > 0
      expect(await waitUntil(isReached, TIMEOUT_MS)).toBe(true)
    },
    async cutConnection() {
      await database`select pg_terminate_backend(l.pid) ${waiting}`
    },
    async open() {
      await lock`select pg_advisory_unlock(${GATE})`
      lock.release()
    },
    async remove() {
      await database`drop function stop_here cascade`
    },
  }
}

/** Until another party waits for what the one at the gate has locked. */
async function isLockedOut(): Promise<void> {
  const isWaiting = async () => {
    const rows = await database`
      select from pg_stat_activity a
      where a.datname = current_database() and exists (
        select from unnest(pg_blocking_pids(a.pid)) as blocker
        join pg_locks l on l.pid = blocker and l.objid = ${GATE} and not l.granted)`
    return rows.length > 0
  }
  expect(await waitUntil(isWaiting, TIMEOUT_MS)).toBe(true)
}

interface Reported {
  readonly refunds: number
  readonly units: bigint
}

/** How many refunds the merchant's reports count, and how much they gave back. */
async function reported(): Promise<Reported> {
  const answer = await call(survivor, '/v1/reports/daily')
  const { data }: { data: DayJson[] } = await answer.json()
  let [refunds, units] = [0, 0n]
  for (const day of data) {
    const amount = parseAmount(day.externallyRefundedAmount ?? '', DECIMALS)
    if (!amount.ok) throw new Error(amount.message)
    refunds += day.externalRefunds
    units += amount.amount
  }
  return { refunds, units }
}

/** Once the chain has confirmed it: one refund, its two events, and the excess of one invoice is gone. */
async function expectCountedOnce(
  txHash: string,
  invoices: readonly Invoice[],
  before: Reported,
): Promise<void> {
  await chain.mine(2)
  await rig.advance()
  await proveExternalRefunds(rig.projection, new Date())
  await proveExternalRefunds(rig.projection, new Date())
  const rows = await database`
    select status, amount from external_refund where tx_hash = ${txHash}`
  expect([...rows]).toEqual([{ status: 'confirmed', amount: EXCESS }])
  const events = await database<{ type: string }[]>`
    select type from outbox where data ->> 'txHash' = ${txHash} order by version`
  expect(events.map(({ type }) => type)).toEqual(['refund.created', 'refund.completed'])
  const refunded: string[] = []
  for (const { id } of invoices) {
    const answer = await call(survivor, `/v1/invoices/${id}`)
    const invoice: InvoiceJson = (await answer.json()).data
    refunded.push(invoice.refundedAmount)
  }
  const others = invoices.slice(1).map(() => '0')
  expect(refunded.toSorted()).toEqual([...others, AMOUNT])
  expect(await reported()).toEqual({ refunds: before.refunds + 1, units: before.units + EXCESS })
}
