import { afterAll, beforeAll, expect, test } from 'bun:test'
import { announceHead, readAnnounced } from '../../../store/chain/heads.ts'
import { openKinds, openRequests, type Requests } from '../../../store/chain/openKinds.ts'
import { readOpenWork } from '../../../store/chain/openWork.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import type { Database, Transaction } from '../../../store/database/database.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { aDeposit } from '../../support/store/channels.ts'
import { newAddress, newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeChain,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
} from '../../support/store/invoice.ts'
import { anInvoiceClaim, claimedInvoice } from '../../support/store/invoiceClaims.ts'
import { storeItem, storeKey, storeTransaction } from '../../support/store/relayer.ts'
import { aClaim, claim, newShop, settled } from '../../support/store/x402.ts'

/** What keeps the leader of a chain from resting. */

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
  await storeChain(sql)
  await storeChain(sql, { networkId: OTHER_NETWORK })
})
afterAll(() => sql.end({ timeout: 1 }))

class Undone extends Error {}

const hasOpenWork = async (tx: Transaction, networkId: string) =>
  (await readOpenWork(tx, networkId)).forLeader
const hasRelayerWork = async (tx: Transaction, networkId: string) =>
  (await readOpenWork(tx, networkId)).forRelayers

/** Whether work is open on both chains after these rows were stored, which are taken away again. */
async function after(
  store: (tx: Transaction) => Promise<unknown>,
  keepsSums = false,
  isOpen: (tx: Transaction, networkId: string) => Promise<boolean> = hasOpenWork,
) {
  const found: boolean[] = []
  const undone = sql.begin(async (tx) => {
    await store(tx)
    if (!keepsSums) await tx`delete from invoice_tally_change`
    if (!keepsSums) await tx`delete from movement_tally_change`
    for (const id of [NETWORK, OTHER_NETWORK]) found.push(await isOpen(tx, id))
    throw new Undone()
  })
  await expect(undone).rejects.toThrow(Undone)
  return found
}

const invoice = async (tx: Transaction, change = {}) =>
  storeInvoice(tx, await storeMerchant(tx), change)

test('a chain on which nothing happens has no open work, and neither do invoices that wait for payers', async () => {
  expect(await after(async () => {})).toEqual([false, false])
  expect(await after(invoice)).toEqual([false, false])
})

test('with it comes the head that was announced last', async () => {
  expect(await readOpenWork(sql, NETWORK)).toMatchObject({ announced: null })
  const head = {
    ...{ number: 5n, hash: newHash(), parentHash: newHash(), time: new Date(0) },
    ...{ baseFeePerGas: 7n, gasLimit: 30_000_000n },
  }
  await announceHead(sql, NETWORK, head, [])
  expect((await readOpenWork(sql, NETWORK)).announced?.head).toEqual(head)
  expect(await readAnnounced(sql, NETWORK)).toMatchObject({ head })
  expect((await readOpenWork(sql, OTHER_NETWORK)).announced).toBeNull()
})

test('payments, work and transactions on their way are open on their own chain', async () => {
  const pays = async (tx: Transaction) =>
    storePayment(tx, (await invoice(tx)).id, 5n, { status: 'pending' })
  expect(await after(pays)).toEqual([true, false])
  expect(await after((tx) => storeItem(tx, 'sweep'))).toEqual([true, false])
  expect(await after((tx) => storeItem(tx, 'sweep', {}, { state: 'failed' }))).toEqual([
    false,
    false,
  ])
  const sent = async (tx: Transaction, state: 'signed' | 'mined' | 'final') =>
    storeTransaction(tx, await storeKey(tx), { state })
  expect(await after((tx) => sent(tx, 'signed'))).toEqual([true, false])
  expect(await after((tx) => sent(tx, 'mined'))).toEqual([true, false])
  expect(await after((tx) => sent(tx, 'final'))).toEqual([false, false])
  const refunds = async (tx: Transaction) =>
    storeRefund(tx, (await invoice(tx)).id, 5n, { status: 'open' })
  expect(await after(refunds)).toEqual([true, false])
})

test('relayers have work while items wait for them or transactions are on their way', async () => {
  const forRelayers = (store: (tx: Transaction) => Promise<unknown>) =>
    after(store, false, hasRelayerWork)
  expect(await forRelayers(invoice)).toEqual([false, false])
  expect(await forRelayers((tx) => storeItem(tx, 'sweep'))).toEqual([true, false])
  expect(await forRelayers((tx) => storeItem(tx, 'sweep', {}, { state: 'failed' }))).toEqual([
    false,
    false,
  ])
  for (const [state, isOpen] of [
    ['signed', true],
    ['mined', true],
    ['final', false],
  ] as const) {
    const sent = async (tx: Transaction) => storeTransaction(tx, await storeKey(tx), { state })
    expect(await forRelayers(sent)).toEqual([isOpen, false])
  }
})

test('what a leader looks after is told by its kind, on its chain', async () => {
  const open = async (store: (tx: Transaction) => Promise<unknown>) => {
    const found: string[][] = []
    await after(store, false, async (tx, networkId) => {
      const kinds = Object.entries(await openKinds(tx, networkId))
      found.push(kinds.flatMap(([kind, isOpen]) => (isOpen ? [kind] : [])))
      return false
    })
    return found
  }
  expect(await open(invoice)).toEqual([[], []])
  const pays = (change: object) => async (tx: Transaction) =>
    storePayment(tx, (await invoice(tx)).id, 5n, change)
  expect(await open(pays({}))).toEqual([[], []])
  expect(await open(pays({ status: 'pending' }))).toEqual([['pending'], []])
  const reverted = { status: 'reverted', confirmedAt: null, revertedAt: new Date() }
  expect(await open(pays(reverted))).toEqual([['reverted'], []])
  const replaced = async (tx: Transaction) => {
    const { blockNumber } = await pays({})(tx)
    await tx`
      insert into chain_block (network_id, number, hash, parent_hash, time)
      values (${NETWORK}, ${blockNumber}, ${newHash()}, ${newHash()}, now())`
  }
  expect(await open(replaced)).toEqual([['displaced'], []])
  for (const settlementState of ['due', 'failed'] as const)
    expect(await open((tx) => invoice(tx, { settlementState }))).toEqual([
      ['unsettled'],
      ['unsettled'],
    ])
  const refunds = async (tx: Transaction) =>
    storeRefund(tx, (await invoice(tx)).id, 5n, { status: 'open' })
  expect(await open(refunds)).toEqual([['refunds'], []])
  const shop = await newShop(sql)
  await claim(sql, aClaim(shop))
  expect(await open(async () => {})).toEqual([['requests'], []])
  await sql`delete from work_item`
  await sql`delete from x402_payment`
  await settled(sql, aClaim(shop))
  const byOthers = (confirmedAt: Date | null) => (tx: Transaction) =>
    tx`update x402_payment set by_others = true, confirmed_at = ${confirmedAt}`
  expect(await open(byOthers(null))).toEqual([['byOthers'], []])
  expect(await open(byOthers(new Date()))).toEqual([[], []])
  await sql`delete from work_item`
  await sql`delete from x402_payment`
})

test('a claimed x402 payment is open, whatever becomes of its work item', async () => {
  const shop = await newShop(sql)
  await claim(sql, aClaim(shop, { networkId: OTHER_NETWORK }))
  await sql`update work_item set state = 'held'`
  expect(await after(async () => {})).toEqual([false, true])
  await sql`delete from x402_payment`
  expect(await after(async () => {})).toEqual([false, false])
})

test('a payment that others have made is open until its block is deep', async () => {
  await settled(sql, aClaim(await newShop(sql), { networkId: OTHER_NETWORK }))
  await sql`update x402_payment set by_others = true`
  await sql`delete from work_item`
  expect(await after(async () => {})).toEqual([false, true])
  await sql`update x402_payment set confirmed_at = now()`
  expect(await after(async () => {})).toEqual([false, false])
  await sql`delete from x402_payment`
})

test('an invoice that is signed for is open, whatever becomes of the work item', async () => {
  const { id } = await storeInvoice(sql, await storeMerchant(sql))
  await claimedInvoice(sql, anInvoiceClaim(id))
  await sql`update work_item set state = 'held'`
  expect(await after(async () => {})).toEqual([true, false])
  await sql`delete from work_item`
  await sql`delete from invoice_authorization`
  await sql`delete from invoice_change`
  expect(await after(async () => {})).toEqual([false, false])
})

test('a channel is open until the chain was asked about it', async () => {
  await claimAction(sql, aDeposit(await newShop(sql), newAddress(), 1n))
  await sql`delete from work_item`
  expect(await after(async () => {})).toEqual([true, false])
  expect((await openKinds(sql, NETWORK)).channels).toBe(true)
  await sql`update x402_channel set base_hash = ${newHash()}, base_block = 1`
  expect(await after(async () => {})).toEqual([false, false])
})

test('what belongs to no chain is open on all of them', async () => {
  const due = (tx: Transaction) => invoice(tx, { settlementState: 'due' })
  expect(await after(due)).toEqual([true, true])
  expect(await after(invoice, true)).toEqual([true, true])
  const changed = async (tx: Transaction) => {
    const { id } = await invoice(tx)
    await tx`insert into invoice_change (invoice_id, cause) values (${id}, 'voided')`
  }
  expect(await after(changed)).toEqual([true, true])
  const member = async (tx: Transaction) => tx`
    insert into member_change (merchant_id, name, email)
    values (${await storeMerchant(tx)}, 'New', 'new@example.com')`
  expect(await after(member)).toEqual([true, true])
  const wants = (state: 'open' | 'refused') => async (tx: Transaction) =>
    tx`
    insert into approval_request (id, merchant_id, kind, wanted_address, actor, actor_id, actor_name, needed,
      state, ended_at)
    values (${Bun.randomUUIDv7()}, ${await storeMerchant(tx)}, 'address', ${newAddress()}, 'key', 'abcd', 'Key',
      1, ${state}, ${state === 'open' ? null : new Date()})`
  expect(await after(wants('open'))).toEqual([true, true])
  expect(await after(wants('refused'))).toEqual([false, false])
})

/** What an operator orders on a chain. */
const order = async (tx: Transaction) => {
  const [person] = await tx<{ id: string }[]>`
    insert into auth."user" (name, email, "emailVerified") values ('Op', 'op@example.com', true)
    returning id`
  await tx`
    insert into operator_order (person_id, network_id, kind, subject)
    values (${person?.id ?? ''}, ${NETWORK}, 'drain', ${newAddress()})`
}

test('what operators order, and a hub that is to be read again', async () => {
  expect(await after(order)).toEqual([true, false])
  const refused = (tx: Transaction) => tx`
    update chain_state set hub_read_requested_at = now() where network_id = ${OTHER_NETWORK}`
  expect(await after(refused)).toEqual([false, true])
})

test('what members and operators have stored is told by its kind', async () => {
  const kinds = ['orders', 'approvals', 'recipients', 'unapproved'] as const
  const open = async (store: (tx: Transaction) => Promise<unknown>) => {
    const found: (readonly (keyof Requests)[])[] = []
    await after(store, false, async (tx, networkId) => {
      const requests = await openRequests(tx, networkId)
      found.push(kinds.filter((kind) => requests[kind]))
      return false
    })
    return found
  }
  expect(await open(invoice)).toEqual([[], []])
  expect(await open(order)).toEqual([['orders'], []])
  const request = (checkedAt: Date | null, expiresAt: Date) => async (tx: Transaction) =>
    tx`
    insert into approval_request (id, merchant_id, kind, wanted_address, actor, actor_id, actor_name, needed,
      checked_at, expires_at)
    values (${Bun.randomUUIDv7()}, ${await storeMerchant(tx)}, 'address', ${newAddress()}, 'key', 'abcd', 'Key',
      1, ${checkedAt}, ${expiresAt})`
  const [past, future] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
  expect(await open(request(null, future))).toEqual([['approvals'], ['approvals']])
  expect(await open(request(past, past))).toEqual([['unapproved'], ['unapproved']])
  expect(await open(request(past, future))).toEqual([[], []])
  const change = async (tx: Transaction) => tx`
    insert into recipient_change (id, merchant_id, recipient, actor, actor_id, actor_name, waits_since, force_at)
    values (${Bun.randomUUIDv7()}, ${await storeMerchant(tx)}, ${newAddress()}, 'key', 'abcd', 'Key', ${past},
      ${future})`
  expect(await open(change)).toEqual([['recipients'], ['recipients']])
})
