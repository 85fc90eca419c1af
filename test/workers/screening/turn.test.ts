import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import {
  decideScreening,
  forgetScreenings,
  listScreenings,
  requestScreening,
  screeningFigures,
  storeVerdict,
} from '../../../store/screening/screenings.ts'
import { createScreeningClient } from '../../../workers/screening/client.ts'
import { createScreening } from '../../../workers/screening/turn.ts'
import { asWorker, freshDatabase } from '../../support/servers/database.ts'
import {
  type ScreeningServer,
  says,
  startScreeningServer,
} from '../../support/servers/screeningServer.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  storeChain,
  storeConfig,
  storeInvoice,
  storeMerchant,
  storePayment,
} from '../../support/store/invoice.ts'

/** Money waits until the operator's service has let its payer pass. */

const DAY_MS = 86_400_000
const SILENT = pino({ level: 'silent' })
const HEAD = 100n
let sql: Database
let worker: Database
let service: ScreeningServer
let merchantId: MerchantId

beforeAll(async () => {
  sql = await freshDatabase()
  worker = asWorker(sql)
  service = startScreeningServer()
})
beforeEach(async () => {
  await sql`truncate screening cascade`
  service.answer = () => says('allow')
  service.asked.length = 0
  merchantId = await storeMerchant(sql, { recipient: newAddress(), configVersion: 1 })
  await storeChain(sql, { head: HEAD })
})
afterAll(async () => {
  service.stop()
  await worker.end({ timeout: 1 })
  await sql.end({ timeout: 1 })
})

const config = () => storeConfig(service.variables)
const advance = (id: InvoiceId) =>
  worker.begin((transaction) => advanceInvoice(transaction, config(), id, new Date()))

function beginTurns() {
  const { screening: source } = config()
  if (source === null) throw new Error('no service screens payers')
  const screen = createScreeningClient(source, 'sandbox')
  return createScreening({ database: worker, source, screen, log: SILENT })
}

async function turns(count: number): Promise<void> {
  const turn = beginTurns()
  for (let i = 0; i < count; i += 1) await turn()
}

/** A worker's turns, begun afresh, as after a crash. */
async function screen(): Promise<void> {
  const turn = beginTurns()
  while (await turn());
}

async function paidBy(...payers: readonly (readonly [Address, bigint])[]): Promise<InvoiceId> {
  const { id } = await storeInvoice(sql, merchantId)
  for (const [sender, amount] of payers) {
    await storePayment(sql, id, amount, { sender, blockNumber: 1n })
  }
  await advance(id)
  return id
}

async function standing(id: InvoiceId) {
  const [row] = await sql<{ state: string; swept: string; held: number }[]>`
    select settlement_state::text as state, held_parts as held,
      (select coalesce(sum(amount), 0)::text from settlement where invoice_id = i.id) as swept
    from invoice i where id = ${id}`
  return row
}

const due = () => sql`update screening set ask_at = now() where ask_at is not null`

describe('what a payer has sent', () => {
  test('is held until the service has let the payer pass, and is then swept to the unit', async () => {
    const payer = newAddress()
    const id = await paidBy([payer, 1_000_000n])
    expect(await standing(id)).toEqual({ state: 'screening', swept: '0', held: 1 })
    await screen()
    expect(service.asked).toEqual([payer])
    expect(await standing(id)).toEqual({ state: 'due', swept: '0', held: 0 })
    await advance(id)
    expect(await standing(id)).toEqual({ state: 'none', swept: '1000000', held: 0 })
    // The answer counts for the next invoice, too.
    expect(await standing(await paidBy([payer, 1_000_000n]))).toMatchObject({ state: 'none' })
    expect(service.asked).toEqual([payer])
  })

  test('stays where it is when the service says hold, until an operator lets it go', async () => {
    service.answer = () => says('hold', 'on a list')
    const payer = newAddress()
    const id = await paidBy([payer, 1_000_000n])
    await screen()
    await advance(id)
    expect(await standing(id)).toEqual({ state: 'screening', swept: '0', held: 1 })
    expect(await listScreenings(sql, null, 10)).toMatchObject([
      { address: payer, verdict: 'hold', note: 'on a list', invoices: 1n },
    ])
    expect(await screeningFigures(sql)).toMatchObject({ held: 1, refused: 0, unanswered: 0 })
    await decideScreening(sql, payer, 'allow', 'case 12')
    await screen()
    await advance(id)
    expect(await standing(id)).toMatchObject({ state: 'none', swept: '1000000' })
    expect(service.asked).toHaveLength(1)
  })

  test('is not the money of others in the same deposit: dust holds nothing up', async () => {
    const [payer, attacker] = [newAddress(), newAddress()]
    service.answer = (address) => says(address === attacker ? 'hold' : 'allow')
    const id = await paidBy([payer, 1_000_000n], [attacker, 5n])
    await screen()
    await advance(id)
    expect(await standing(id)).toMatchObject({ swept: '1000000' })
    await sql`update settlement set status = 'confirmed' where invoice_id = ${id}`
    await advance(id)
    expect(await standing(id)).toEqual({ state: 'screening', swept: '1000000', held: 1 })
  })

  test('is asked about again when an answer is too old, and waits for it', async () => {
    const payer = newAddress()
    await paidBy([payer, 1_000_000n])
    await screen()
    await sql`update screening set valid_until = now()`
    const id = await paidBy([payer, 1_000_000n])
    expect(await standing(id)).toMatchObject({ state: 'screening', swept: '0' })
    await screen()
    expect(service.asked).toEqual([payer, payer])
  })
})

describe('a row that the database can’t change', () => {
  test.each<[string, string, (of: { payer: Address; id: InvoiceId }) => string]>([
    ['a payer who is due', 'screening', ({ payer }) => `new.address = '${payer}'`],
    [
      'an answer about a payer',
      'screening',
      ({ payer }) => `new.address = '${payer}' and new.verdict is not null`,
    ],
    ['an invoice that waits', 'invoice', ({ id }) => `new.id = '${id}'`],
  ])('holds up no other: %s', async (_name, table, when) => {
    const paid: { payer: Address; id: InvoiceId }[] = []
    for (let i = 0; i < 3; i += 1) {
      const payer = newAddress()
      paid.push({ payer, id: await paidBy([payer, 1_000_000n]) })
    }
    const [first, second, third] = paid
    if (!first || !second || !third) throw new Error('there are not three')
    const states = async () =>
      Promise.all([first, second, third].map(async ({ id }) => (await standing(id))?.state))
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as
        'begin raise exception ''refused''; end';
      create trigger refusing before update on ${table} for each row when (${when(second)})
        execute function refuse()`)
    const turn = beginTurns()
    try {
      while (await turn());
      expect(await states()).toEqual(['due', 'screening', 'due'])
    } finally {
      await sql.unsafe('drop function refuse cascade')
    }
    while ((await states()).includes('screening')) {
      await due()
      await turn()
      await Bun.sleep(50)
    }
  })
})

describe('a service that gives no answer', () => {
  const never = () => new Promise<Response>(() => {})
  test.each([
    ['hangs', never, 'timeout'],
    ['fails', () => new Response(null, { status: 500 }), 'the status 500'],
    ['is redirected', () => Response.redirect('http://127.0.0.1:1/'), 'the status 302'],
    ['says something else', () => says('maybe'), 'a verdict that is neither'],
    ['sends no JSON', () => new Response('allow'), 'no JSON object'],
    ['never stops', () => new Response('a'.repeat(1_000_000)), 'no JSON object'],
  ])('and %s holds the money, says why, and is asked again', async (_, answer, fault) => {
    service.answer = answer
    const payer = newAddress()
    const id = await paidBy([payer, 1_000_000n])
    await screen()
    const [known] = await listScreenings(sql, payer, 1)
    expect(known).toMatchObject({ verdict: null, failures: 1, decidedBy: null })
    expect(known?.fault).toStartWith(fault)
    expect(await standing(id)).toMatchObject({ state: 'screening', swept: '0' })
    service.answer = () => says('allow')
    await due()
    await screen()
    await advance(id)
    expect(await standing(id)).toMatchObject({ state: 'none', swept: '1000000' })
  })

  test('is asked by one process at a time about an address', async () => {
    await paidBy([newAddress(), 1_000_000n])
    await Promise.all([screen(), screen(), screen()])
    expect(service.asked).toHaveLength(1)
  })
})

describe('what is stored', () => {
  test('frees the money also when the process died right after it', async () => {
    const payer = newAddress()
    const id = await paidBy([payer, 1_000_000n])
    await storeVerdict(worker, payer, { verdict: 'allow', note: null }, DAY_MS)
    expect(await standing(id)).toMatchObject({ state: 'screening' })
    await screen()
    await advance(id)
    expect(await standing(id)).toMatchObject({ state: 'none', swept: '1000000' })
    expect(service.asked).toEqual([])
  })

  test('by an operator is not overwritten by an answer that was under way', async () => {
    const payer = newAddress()
    await paidBy([payer, 1_000_000n])
    await decideScreening(sql, payer, 'hold', null)
    expect(await screeningFigures(sql)).toMatchObject({ held: 0, refused: 1 })
    await storeVerdict(worker, payer, { verdict: 'allow', note: null }, DAY_MS)
    expect(await listScreenings(sql, null, 10)).toMatchObject([
      { verdict: 'hold', decidedBy: 'operator' },
    ])
    await requestScreening(sql, payer)
    await screen()
    expect(await listScreenings(sql, payer, 1)).toMatchObject([
      { verdict: 'allow', decidedBy: 'service' },
    ])
  })

  test('is removed when no one needs it any more, an operator’s decision never', async () => {
    const [old, kept] = [newAddress(), newAddress()]
    await paidBy([old, 1_000_000n])
    await screen()
    await decideScreening(sql, kept, 'allow', null)
    await sql`update screening set valid_until = now() - interval '31 days' where address = ${old}`
    expect(await forgetScreenings(worker, 30, 10)).toBe(1)
    expect(await listScreenings(sql, kept, 1)).toHaveLength(1)
  })
})

test('as many old answers are forgotten as there are', async () => {
  await sql`
    insert into screening (address, verdict, decided_by, decided_at, valid_until, ask_at)
    select '0x' || lpad(to_hex(n), 40, '0'), 'allow', 'service', now(),
      now() - interval '31 days', null
    from generate_series(1, 2500) as n`
  await turns(3)
  const [left] = await sql<{ count: number }[]>`select count(*)::integer as count from screening`
  expect(left?.count).toBe(0)
})
