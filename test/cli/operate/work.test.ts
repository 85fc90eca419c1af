import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { X402PaymentId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { raiseAlarm } from '../../../store/turns/alarms.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { type Ran, remit } from '../../support/cli/run.ts'
import { copyLedger } from '../../support/invoice/ledgerCopy.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { dueSweeps, expectSweptOnce, states } from '../../support/relayer/sweeps.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import { storeItem } from '../../support/store/relayer.ts'

/** What an operator decides about work that needs review. */

let rig: RelayerRig
let database: Database

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 3 })
  database = await rig.ownDatabase()
}, 120_000)

afterAll(() => rig?.close())

function work(...args: readonly string[]): Promise<Ran> {
  return workWith({}, ...args)
}

function workWith(own: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
  const variables = rig.chain.variables(own)
  return remit({ ...variables, DATABASE_URL: databaseUrlOf(database) }, 'work', ...args)
}

async function stateOf(id: bigint): Promise<string> {
  const [row] = await database<{ state: string }[]>`
    select state from work_item where id = ${id}`
  return row?.state ?? 'missing'
}

/** The item of the newest sweep or payment, which waits for a person from now on. */
async function reviewed(kind: 'sweep' | 'x402'): Promise<bigint> {
  const [row] = await database<{ id: bigint }[]>`
    update work_item set state = 'review', tx_id = null, result = '{"error":"it keeps reverting"}'
    where id = (select max(id) from work_item where kind = ${kind}) returning id`
  if (!row) throw new Error(`there is no ${kind}`)
  return row.id
}

async function reviewedSweep(status: 'open' | 'failed' | 'confirmed'): Promise<bigint> {
  const [sweep] = await dueSweeps(database, rig.chain, 1, { pays: 'recipient' })
  await database`update settlement set status = ${status} where id = ${sweep?.settlementId ?? null}`
  return reviewed('sweep')
}

async function reviewedPayment(): Promise<{ item: bigint; payment: X402PaymentId }> {
  await dueSettles(database, rig.chain, await newForwarder(database, rig.chain), 1)
  const item = await reviewed('x402')
  const [row] = await database<{ id: X402PaymentId }[]>`
    select id from x402_payment order by id desc limit 1`
  if (!row) throw new Error('there is no payment')
  return { item, payment: row.id }
}

describe('work that needs review', () => {
  test('is listed with its reason, and with what workers have put aside', async () => {
    const id = await reviewedSweep('open')
    const source = { networkId: 'base-sepolia', workerId: 'one', forMs: 60_000 }
    const alarm = { subject: 'decide work item 7', detail: 'too many blocks', since: new Date() }
    await raiseAlarm(database, source, { kind: 'aside', ...alarm })
    const { code, out } = await work('list')
    expect(code).toBe(0)
    expect(out).toContain(`${id}`)
    expect(out).toContain('it keeps reverting')
    expect(out).toContain('too many blocks')
    const { reviews } = (await work('list', '--chain', 'polygon', '--json')).json()
    expect(reviews).toEqual([])
  })

  test('is every sweep of a chain that an operator holds, and nothing else', async () => {
    const open = await reviewedSweep('open')
    const { item } = await reviewedPayment()
    for (const id of [open, item]) expect((await work('retry', `${id}`)).code).toBe(0)
    expect((await work('hold')).err).toContain('a chain is required')
    const held = await work('hold', '--chain', rig.chain.networkId, '--json')
    expect(held.json()).toMatchObject({ chain: rig.chain.networkId })
    expect([await stateOf(open), await stateOf(item)]).toEqual(['review', 'queued'])
    expect((await work('hold', '--chain', 'polygon', '--json')).json()).toMatchObject({ sweeps: 0 })
    expect((await work('retry', `${open}`)).code).toBe(0)
  })

  test('is sent again while the ledger expects it, and not otherwise', async () => {
    const [open, failed] = [await reviewedSweep('open'), await reviewedSweep('failed')]
    expect((await work('retry', `${open}`)).code).toBe(0)
    expect(await stateOf(open)).toBe('queued')
    expect((await work('retry', `${open}`)).err).toContain('does not need review')
    const refused = await work('retry', `${failed}`)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain("which is failed: it can't be retried")
    expect(await stateOf(failed)).toBe('review')
    const { item } = await reviewedPayment()
    expect((await work('retry', `${item}`)).code).toBe(0)
    expect(await stateOf(item)).toBe('queued')
  })

  test('is ended when its money was planned again, and not while it may move or has moved', async () => {
    const failed = await reviewedSweep('failed')
    expect((await work('fail', `${failed}`)).code).toBe(0)
    expect(await stateOf(failed)).toBe('failed')
    for (const status of ['open', 'confirmed'] as const) {
      const id = await reviewedSweep(status)
      const refused = await work('fail', `${id}`)
      expect(refused).toMatchObject({ code: 1 })
      expect(refused.err).toContain('there is no proof that no money moved')
      expect(await stateOf(id)).toBe('review')
    }
    const entry = await storeItem(database, 'configure', {}, { state: 'review' })
    expect((await work('fail', `${entry}`)).code).toBe(0)
  })

  test('is ended as a payment only when the chain says that it was not made', async () => {
    const open = await reviewedPayment()
    const early = await work('fail', `${open.item}`)
    expect(early.err).toContain('its authorization can still be carried out')
    await database`update x402_payment set valid_before = 1 where id = ${open.payment}`
    const done = await work('fail', `${open.item}`, '--json')
    expect(done.json()).toMatchObject({ state: 'failed', reason: 'payment_expired' })
    const [payment] = await database`
      select status, reason, (select count(*)::integer from outbox where object_id = p.id) as events
      from x402_payment p where id = ${open.payment}`
    expect(payment).toEqual({ status: 'failed', reason: 'payment_expired', events: 1 })
  })

  test('is not ended while the node does not answer, whose key is not shown', async () => {
    const { item, payment } = await reviewedPayment()
    await database`update x402_payment set valid_before = 1 where id = ${payment}`
    const away = { RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1/v2/n0d3k3y' }
    for (const flags of [[], ['--json']]) {
      const refused = await workWith(away, 'fail', `${item}`, ...flags)
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toContain('base-sepolia: HTTP request failed.')
      expect(refused.err).not.toContain('n0d3k3y')
    }
    expect(await stateOf(item)).toBe('review')
  })

  test('is not ended as a payment that the chain has made, and is booked when it is tried again', async () => {
    const { item, payment } = await reviewedPayment()
    await database`update work_item set state = 'queued', result = null where id = ${item}`
    const relayer = openRelayer(database, rig.chain, { key: rig.ownKey() })
    await step(rig.chain, relayer, 5)
    expect(await stateOf(item)).toBe('settled')
    await database.begin((sql) => advance(sql, PAYMENTS, 'reopened', [{ id: payment }]))
    await reviewed('x402')
    await rig.chain.mine(3)
    const refused = await work('fail', `${item}`)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain('it was paid in 0x')
    expect((await work('retry', `${item}`)).code).toBe(0)
    await step(rig.chain, relayer, 6)
    const [row] = await database`select status from x402_payment where id = ${payment}`
    expect(row?.status).toBe('settled')
  })

  test('is named by a number', async () => {
    expect(await work('retry', 'x')).toMatchObject({ code: 2 })
  })
})

test('a quarantined sweep that another operator carries out is booked once it is released', async () => {
  const { chain } = rig
  database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, 1, { pays: 'recipient' })
  const other = await rig.ownDatabase()
  await copyLedger(database, other)
  await database.unsafe(`
    create function refuse() returns trigger language plpgsql as
      'begin raise exception ''refused''; end';
    create trigger refusing before update on work_item for each row
      when (new.state = 'assigned') execute function refuse()`)
  // It is not tried again by itself while this test lasts.
  const timing = { quarantineMs: 600_000 }
  const relayer = openRelayer(database, chain, { key: rig.ownKey(), timing })
  await step(chain, relayer, 3)
  await relayer.turn()
  await settleAll(other, chain, [openRelayer(other, chain, { key: rig.ownKey() })])
  await database.unsafe('drop function refuse cascade')
  await step(chain, relayer, 3)
  expect(await states(database)).toEqual({ 'settlement open': 1, 'sweep queued': 1 })
  const { quarantined } = (await work('list', '--json')).json()
  const [row] = [quarantined].flat()
  expect(row).toMatchObject({
    subject: expect.stringContaining('assign work item'),
    reason: expect.stringContaining('refused'),
  })
  const { id } = Object(row)
  expect(await work('release', `${id}`)).toMatchObject({ code: 0 })
  await settleAll(database, chain, [relayer], 30_000)
  await expectSweptOnce(database, chain, sweeps, collected)
  await relayer.turn()
  expect((await work('list', '--json')).json()).toMatchObject({ quarantined: [] })
  expect((await work('release', `${id}`)).err).toContain(`there is no quarantine ${id}`)
})
