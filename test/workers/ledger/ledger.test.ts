import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { newestConfirmed } from '../../../core/chain/depth.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import {
  readChainState,
  saveConfirmedTime,
  saveProjectedBlock,
} from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { chainLeadership } from '../../../store/database/leadership.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import type { ObservedTransfer } from '../../../store/invoice/payments.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { announceExpiries } from '../../../workers/invoice/expiry.ts'
import { confirmPayments } from '../../../workers/invoice/projector.ts'
import { advanceOrPostpone } from '../../../workers/ledger/actor.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { startFakeRpc } from '../../support/servers/fakeRpc.ts'

const newId = () => asInvoiceId(Bun.randomUUIDv7())

let chain: HubChain
let database: Database
let rig: LedgerRig

beforeAll(async () => {
  chain = await startHubChain()
  database = await freshDatabase()
  rig = await ledgerRig(database, chain)
}, 120_000)

afterAll(async () => {
  await database.end()
  await chain.node.stop()
})

describe('a payment that the indexer missed', () => {
  test('is found by its deposit balance, confirmed, and promised to the merchant', async () => {
    await database`
      update merchant set config_version = 1, recipient = '0x00000000000000000000000000000000000000aa'
      where id = ${rig.merchantId}`
    const invoice = await rig.invoice()
    await chain.mint([{ to: invoice.depositAddress, amount: 10_500_000n }])
    await chain.mine(3)
    await rig.follow()
    expect(await rig.heal()).toBe(1)
    expect(await rig.heal()).toBe(0)
    await rig.follow()
    await chain.mine()
    await rig.follow()

    const found = await findInvoice(database, rig.merchantId, invoice.id)
    expect(found?.invoice).toMatchObject({
      status: 'paid',
      receivedAmount: baseUnits(10_500_000n),
      targetNetwork: chain.networkId,
    })
    expect(found?.settlements).toMatchObject([
      { amount: 10_500_000n, fee: 50_000n, status: 'open' },
    ])
    const items = await database<{ kind: string; waits: boolean }[]>`
      select kind, waits_for is not null as waits from work_item order by id`
    expect([...items]).toEqual([
      { kind: 'configure', waits: false },
      { kind: 'sweep', waits: true },
    ])
    const events = await rig.events(invoice.id)
    expect(events.map((event) => event.type)).toEqual([
      'invoice.created',
      'invoice.payment_detected',
      'invoice.payment_confirmed',
      'invoice.paid',
      'invoice.overpaid',
    ])
    expect(events.map((event) => event.version)).toEqual([1, 2, 3, 4, 5])
    expect(events.at(-1)?.data).toMatchObject({
      status: 'paid',
      overpaidAmount: '0.5',
      environment: 'sandbox',
      version: 5,
    })
  })
})

test('a payment that can not be confirmed holds up no other, and waits longer each time', async () => {
  const invoices = [await rig.invoice(), await rig.invoice(), await rig.invoice()]
  const [, broken] = invoices
  await chain.mint(invoices.map(({ depositAddress: to }) => ({ to, amount: 1_000_000n })))
  await rig.record(invoices, await chain.client.getBlockNumber())
  await chain.mine(2)
  await rig.advance()
  await refuseChanges(broken?.id)
  const { work } = rig.projection
  for (const waitedMs of [0, 6_000, 17_000]) {
    await confirmPayments(rig.projection, new Date(Date.now() + waitedMs))
  }
  expect(work.quarantined(new Date(Date.now() + 15_000))).toEqual([broken?.id ?? newId()])
  await acceptChanges()
  await confirmPayments(rig.projection, new Date(Date.now() + 60_000))
  const read = async ({ id }: Invoice) => findInvoice(database, rig.merchantId, id)
  const found = await Promise.all(invoices.map(read))
  expect(found.map((one) => one?.invoice.receivedAmount)).toEqual(Array(3).fill(1_000_000n))
  expect(work.quarantined(new Date())).toEqual([])
})

test('payments that a node has shown are confirmed although it does not answer for the others', async () => {
  const quota = startFakeRpc(chain.node.url)
  const { projection, ...own } = await ledgerRig(database, chain, quota.url)
  const invoices: Invoice[] = []
  for (let i = 0; i < 24; i += 1) invoices.push(await own.invoice())
  const from = await chain.client.getBlockNumber()
  // In a block of its own each, of which the node is asked.
  for (const { depositAddress: to } of invoices) await chain.mint([{ to, amount: 1_000_000n }])
  await own.record(invoices, from)
  await chain.mine(3)
  await own.advance()
  let asked = 0
  quota.requests(() => {
    asked += 1
    return asked > 5 ? { type: 'status', status: 500 } : undefined
  })
  await expect(confirmPayments(projection, new Date())).rejects.toThrow()
  const ids = invoices.map(({ id }) => id)
  const rows = await database`
    select from payment where status = 'confirmed' and invoice_id = any(${ids}::uuid[])`
  expect(rows.length).toBeGreaterThan(0)
  await database`update payment set status = 'confirmed', confirmed_at = now() where status = 'pending'`
  await quota.stop()
}, 60_000)

/** The database refuses to derive an invoice. */
async function refuseChanges(id = newId()): Promise<void> {
  await database.unsafe(`
    create function refuse_one() returns trigger language plpgsql as $$
    begin
      if new.id = '${id}' and new.version > old.version then raise 'refused'; end if;
      return new;
    end $$;
    create trigger refused before update on invoice for each row execute function refuse_one()`)
}

async function acceptChanges(): Promise<void> {
  await database.unsafe('drop trigger refused on invoice; drop function refuse_one()')
}

describe('invoices whose sweeps have changed', () => {
  test('are recalculated but for the one that can not be, which is due again', async () => {
    const [one, broken, other] = [await rig.invoice(), await rig.invoice(), await rig.invoice()]
    const ids = [one, broken, other].map(({ id }) => id)
    await database`
      insert into invoice_change (invoice_id, cause) select unnest(${ids}::uuid[]), 'voided'`
    await refuseChanges(broken.id)
    const log = pino({ level: 'silent' })
    await database.begin((sql) => advanceOrPostpone(sql, rig.projection.config, ids, log))
    await acceptChanges()
    const told = await Promise.all(ids.map((id) => rig.events(id)))
    expect(told.map((events) => events.length)).toEqual([2, 1, 2])
    const rows = await database`select settlement_state from invoice where id = ${broken.id}`
    expect(rows).toMatchObject([{ settlementState: 'due' }])
  })
})

describe('a transaction that moves to another block', () => {
  const hash = (digit: string) => `0x${digit.repeat(64)}` as const

  function transfer(logIndex: number, amount: bigint, block: string): ObservedTransfer {
    return {
      networkId: chain.networkId,
      txHash: hash('a'),
      logIndex,
      token: chain.usdc.address,
      sender: lowerCaseAddress('0x00000000000000000000000000000000000000ee'),
      amount: baseUnits(amount),
      // Higher than all that is stored of the chain.
      blockNumber: 5_000n,
      blockHash: hash(block),
      blockTime: new Date(),
    }
  }
  const record = (invoiceId: InvoiceId, transfers: ObservedTransfer[]) =>
    recordTransfers(
      rig.projection,
      transfers.map((transfer) => ({ ...transfer, invoiceId })),
      new Date(),
    )
  const paymentsOf = async (invoiceId: InvoiceId) =>
    (await findInvoice(database, rig.merchantId, invoiceId))?.payments ?? []

  test('takes its payments along, although its logs have other numbers there', async () => {
    const [one, two] = [await rig.invoice(), await rig.invoice()]
    await record(one.id, [transfer(5, 10n, '1')])
    await record(two.id, [transfer(6, 20n, '1')])
    // One log earlier: the second invoice's log has the number that the first one's had.
    await record(two.id, [transfer(5, 20n, '2')])
    await record(one.id, [transfer(4, 10n, '2')])
    const expected = { status: 'pending', blockHash: hash('2') }
    expect(await paymentsOf(one.id)).toMatchObject([{ ...expected, amount: 10n, logIndex: 4 }])
    expect(await paymentsOf(two.id)).toMatchObject([{ ...expected, amount: 20n, logIndex: 5 }])
  })

  test('is never counted in both blocks', async () => {
    const invoice = await rig.invoice()
    await record(invoice.id, [transfer(1, 7n, '3'), transfer(2, 7n, '3')])
    // Executed again, it pays once only, and another amount.
    await record(invoice.id, [transfer(1, 9n, '4')])
    const alive = (await paymentsOf(invoice.id)).filter((p) => p.status !== 'reverted')
    expect(alive).toMatchObject([{ amount: 9n, blockHash: hash('4') }])
    await record(invoice.id, [transfer(1, 7n, '3'), transfer(2, 7n, '3')])
    const back = (await paymentsOf(invoice.id)).filter((p) => p.status !== 'reverted')
    expect(back.map((p) => p.amount)).toEqual([baseUnits(7n), baseUnits(7n)])
  })
})

test('an invoice that cannot be processed is put aside and holds up no other', async () => {
  const newId = () => asInvoiceId(Bun.randomUUIDv7())
  const work = new LedgerWork(pino({ level: 'silent' }))
  const done: InvoiceId[] = []
  const [good, poisoned, better] = [newId(), newId(), newId()]
  await work.each([good, poisoned, better], async (id) => {
    if (id === poisoned) throw new Error('a row that breaks a rule')
    done.push(id)
  })
  expect(done).toEqual([good, better])
  expect(work.quarantined(new Date())).toEqual([poisoned])
  expect(work.quarantined(new Date(Date.now() + 6_000))).toEqual([])
})

describe('the leadership of a chain', () => {
  test('is held by one, and passes on when its session ends', async () => {
    const url = databaseUrlOf(database)
    const first = chainLeadership(url, 4242)
    const second = chainLeadership(url, 4242)
    expect(await first.hold()).toBe(true)
    expect(await first.hold()).toBe(true)
    expect(await second.hold()).toBe(false)
    await database`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objid = 4242 and granted`
    await eventually(
      () => second.hold(),
      (leads) => leads,
    )
    await eventually(
      () => first.hold().catch(() => true),
      (leads) => !leads,
    )
    await second.release()
    await eventually(
      () => first.hold(),
      (leads) => leads,
    )
    await first.release()
  })
})

describe('the expiry of an unpaid invoice', () => {
  test('is told once, after every block that could have been in time is in the ledger', async () => {
    const head = await chain.client.getBlock()
    const expiresAt = new Date(Number(head.timestamp) * 1000 + 1_000)
    const invoice = await rig.invoice({ expiresAt })
    const announce = async () => {
      await rig.follow()
      const head = (await readChainState(database, chain.networkId))?.head ?? 0n
      await saveConfirmedTime(database, chain.networkId, newestConfirmed(head, 2))
      return (await announceExpiries(rig.projection, new Date())).changed
    }
    expect(await announce()).toBe(0)
    await chain.node.rpc('evm_increaseTime', [60])
    await chain.mine(3)
    // The chain is past it, but the indexer isn't: a payment may still turn up.
    expect(await announce()).toBe(0)
    const state = await readChainState(database, chain.networkId)
    await saveProjectedBlock(database, chain.networkId, (state?.head ?? 0n) + 3n)
    expect(await announce()).toBe(1)
    expect(await announce()).toBe(0)
    const told = (await rig.events(invoice.id)).map((event) => event.type)
    expect(told).toEqual(['invoice.created', 'invoice.expired'])
  })
})
