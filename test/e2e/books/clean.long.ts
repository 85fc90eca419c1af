import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeSweep } from '../../../chain/hub/sweeps.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import {
  type Books,
  kinds,
  only,
  openBooks,
  payMore,
  totals,
} from '../../support/books/closedBooks.ts'
import type { TestLedger } from '../../support/books/ledger.ts'
import { setBlacklisted } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** The money of ledger and chain, compared in both directions. */

let books: Books
let chain: HubChain
let ledger: TestLedger
let exact: Invoice
let unpaid: Invoice

beforeAll(async () => {
  books = await openBooks()
  chain = books.chain
  ledger = books.ledger
  exact = books.exact
  unpaid = books.unpaid
}, 120_000)

afterAll(() => books?.close())

describe('a ledger that agrees with its chain', () => {
  test('is clean, and its totals balance to the unit', async () => {
    const report = await ledger.compare()
    expect(report.differences).toEqual([])
    expect(report.isClean).toBe(true)
    expect(totals(report, 'USDC')).toEqual({
      received: 61_000_002n,
      late: 50_000_000n,
      foreign: 0n,
      remitted: 60_700_001n,
      fees: 300_000n,
      feesOnChain: 300_000n,
      feesOwed: 0n,
      held: 50_000_001n,
    })
    expect(totals(report, 'USDT')).toMatchObject({
      received: 0n,
      foreign: 9_000_000n,
      held: 9_000_000n,
    })
    expect(report.chains[0]).toMatchObject({ deposits: 6, sweeps: 3, networkId: 'base-sepolia' })
  })

  test('stays clean when a later payment and its second sweep follow', async () => {
    await payMore(books)
    const report = await ledger.compare()
    expect(report.differences).toEqual([])
    expect(totals(report, 'USDC')).toMatchObject({ remitted: 62_700_001n, fees: 300_000n })
  })

  test('is compared page by page when there are thousands of deposits', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        with made as (
          insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected,
            fee_cap, platform_fee, hub, deposit_address)
          select gen_random_uuid(), ${ledger.merchant.id}, 'M' || lpad(n::text, 9, '0'), 'USDC',
            array['base-sepolia'], 1, 0, 0, ${chain.hub}, '0x' || lpad(to_hex(n * 7919), 40, 'f')
          from generate_series(1, 2600) n
          returning id, merchant_id, deposit_address)
        insert into watched (address, kind, merchant_id, invoice_id)
        select deposit_address, 'deposit', merchant_id, id from made`,
    )
    expect(report.differences).toEqual([])
    expect(report.chains[0]?.deposits).toBe(2606)
  }, 120_000)
})

describe('money that the ledger does not know', () => {
  test('a payment that no one booked is found, with its transaction', async () => {
    const report = await ledger.compareAfterChain(() => ledger.pay(unpaid, 3_000_000n))
    const [difference] = only(report, 1)
    expect(difference).toMatchObject({
      kind: 'deposit_holds_more',
      networkId: 'base-sepolia',
      invoiceId: unpaid.id,
      address: unpaid.depositAddress,
      ledger: 0n,
      chain: 3_000_000n,
    })
    expect(difference?.message).toMatch(/the ledger lacks 3 USDC received in 0x[0-9a-f]{64}/)
  })

  test('a single base unit too many is a difference', async () => {
    const report = await ledger.compareAfterChain(() => ledger.pay(unpaid, 1n))
    expect(only(report, 1)[0]).toMatchObject({ kind: 'deposit_holds_more', chain: 1n })
  })

  test('a sweep by another party is reported with its sender unknown', async () => {
    const [, stranger] = chain.relayerKeys
    if (!stranger) throw new Error('the chain has too few relayers')
    const report = await ledger.compareAfterChain(async () => {
      await ledger.pay(unpaid, 3_000_000n)
      const sweep = {
        merchantId: ledger.merchant.id,
        invoiceId: unpaid.id,
        recipient: null,
        feeCap: unpaid.feeCap,
        token: ledger.token('USDC').address,
        amount: baseUnits(3_000_000n),
        fee: unpaid.feeCap,
        version: 1,
        leave: 0n,
        deploys: true,
      }
      const data = encodeSweep([sweep], USUAL_GAS)
      await ledger.send(stranger, { to: chain.hub, data })
    })
    expect(kinds(report)).toEqual(['fees_differ', 'sweep_without_settlement'])
    expect(report.notices.join()).toContain('was not sent by our relayers')
  })
})

describe('a ledger that says more than the chain', () => {
  test('a payment that the chain never had is found and named', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    const report = await ledger.compareAfter(
      (sql) => sql`
        insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
          kind, status, block_number, block_hash, block_time, confirmed_at)
        values (${Bun.randomUUIDv7()}, ${unpaid.id}, 'base-sepolia', ${hash}, 0,
          ${ledger.token('USDC').address}, ${unpaid.depositAddress}, 7, 'counted', 'confirmed', 1,
          ${hash}, now(), now())`,
    )
    expect(kinds(report)).toEqual(['deposit_holds_less', 'figures_differ'])
    const less = report.differences.find((found) => found.kind === 'deposit_holds_less')
    expect(less?.message).toContain(`the chain has no transfer of 0.000007 USDC in ${hash}`)
  })

  test('a settlement with another fee than its event is found', async () => {
    const report = await ledger.compareAfter(
      (sql) =>
        sql`update settlement set fee = fee - 1 where invoice_id = ${exact.id} and round = 1`,
    )
    expect(kinds(report)).toEqual([
      'fees_differ',
      'figures_differ',
      'figures_differ',
      'sweep_differs',
    ])
  })

  test('a settlement to another recipient than its event is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set recipient = ${chain.hub} where invoice_id = ${exact.id} and round = 1`,
    )
    expect(kinds(report)).toEqual(['sweep_differs'])
  })

  test('a settlement whose transaction swept nothing is found from both sides', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set tx_hash = ${`0x${'cd'.repeat(32)}`}
        where invoice_id = ${exact.id} and round = 1`,
    )
    expect(kinds(report)).toEqual(['settlement_without_sweep', 'sweep_without_settlement'])
  })

  test('a sweep that is mined and still open in the ledger is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set status = 'open', tx_hash = null, block_number = null
        where invoice_id = ${exact.id} and round = 2`,
    )
    expect(kinds(report)).toContain('sweep_not_booked')
    expect(kinds(report)).toContain('deposit_holds_less')
  })

  test('a sweep that moved money and is failed in the ledger is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set status = 'failed' where invoice_id = ${exact.id} and round = 2`,
    )
    expect(kinds(report)).toContain('failed_sweep_moved_money')
  })

  test('a figure that its rows do not add up to is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`update invoice set received_amount = received_amount + 1 where id = ${exact.id}`,
    )
    expect(only(report, 1)[0]).toMatchObject({ kind: 'figures_differ', invoiceId: exact.id })
  })
})

test('a fee that the token refuses to pay out is booked as owed, and everything still agrees', async () => {
  await setBlacklisted(chain, chain.collector, true)
  const invoice = await ledger.invoice('100')
  await ledger.pay(invoice, 100_000_000n)
  await ledger.book()
  await ledger.settle()
  const report = await ledger.compare()
  expect(report.differences).toEqual([])
  expect(totals(report, 'USDC')).toMatchObject({ feesOwed: 500_000n, fees: 300_000n })
  expect(await chain.balance(invoice.depositAddress)).toBe(500_000n)
}, 120_000)
