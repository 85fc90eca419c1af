import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatAmount } from '../../../core/base/money.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import type { InvoiceRows } from '../../../core/invoice/present.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { setRefundsAny } from '../../../store/access/merchants.ts'
import { acceptLatePayment, acceptPartial } from '../../../store/invoice/acceptance.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import { createRefund } from '../../../store/refund/refunds.ts'
import { TestLedger } from '../../support/books/ledger.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

/** The same as test/core/invoice/moneyAstray.test.ts, on a chain and a database. */

const RUNS = Number(process.env.MONEY_CHAIN_RUNS ?? 6)

let chain: HubChain
let ledger: TestLedger

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  ledger = await TestLedger.open(chain)
  await setRefundsAny(ledger.database, ledger.merchant.id, true)
}, 120_000)

afterAll(async () => {
  await ledger?.close()
  await chain?.node.stop()
})

type Step = (invoice: Invoice) => Promise<unknown>

const amount = fc.bigInt({ min: 1n, max: 9_000_000n })
const index = fc.nat(8)

const step: fc.Arbitrary<readonly [name: string, act: Step]> = fc.oneof(
  amount.map((a) => [`pay ${a}`, (invoice: Invoice) => ledger.pay(invoice, a)] as const),
  amount.map(
    (a) => [`pay ${a} USDT`, (invoice: Invoice) => ledger.pay(invoice, a, 'USDT')] as const,
  ),
  fc.constant(['book', () => ledger.book()] as const),
  fc.constant(['book', () => ledger.book()] as const),
  fc.constant(['close', close] as const),
  fc.constant(['turn', () => ledger.turn()] as const),
  fc.constant(['turn', () => ledger.turn()] as const),
  fc.constant(['accept partial', acceptTooLittle] as const),
  index.map((n) => [`accept ${n}`, (invoice: Invoice) => accept(invoice, n)] as const),
  fc
    .tuple(amount, fc.option(index))
    .map(([a, n]) => [`refund ${a} of ${n}`, (i: Invoice) => refund(i, a, n)] as const),
)

test('received = remitted + fee + refunded + held, on the ledger and on the chain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const invoice = await ledger.invoice('10')
      for (const [, act] of steps) {
        await act(invoice)
        await expectLedgerBalance(invoice)
      }
      await ledger.book()
      await ledger.settle()
      await expectChainBalance(invoice)
      expect((await ledger.compare()).differences).toEqual([])
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 300_000)

async function rowsOf(invoice: Invoice): Promise<InvoiceRows> {
  const rows = await findInvoice(ledger.database, invoice.merchantId, invoice.id)
  if (!rows) throw new Error('there is no such invoice')
  return rows
}

/** From now on payments are late. */
async function close(invoice: Invoice): Promise<void> {
  await ledger.database`
    update invoice set closed_at = '2020-01-01' where id = ${invoice.id} and status = 'pending'`
}

async function accept(invoice: Invoice, n: number): Promise<void> {
  const { payments } = await rowsOf(invoice)
  const payment = payments[n % Math.max(1, payments.length)]
  if (!payment) return
  const of = { merchantId: invoice.merchantId, invoiceId: invoice.id, paymentId: payment.id }
  await acceptLatePayment(ledger.database, of, new Date())
  await derive(invoice)
}

async function acceptTooLittle({ merchantId, id: invoiceId }: Invoice): Promise<void> {
  await acceptPartial(ledger.database, { merchantId, invoiceId }, new Date())
  await derive({ id: invoiceId })
}

/** What a worker does when the API has stored something. */
async function derive({ id }: Pick<Invoice, 'id'>): Promise<void> {
  await ledger.database.begin((sql) => advanceInvoice(sql, ledger.config, id, new Date()))
}

async function refund(invoice: Invoice, a: bigint, n: number | null): Promise<void> {
  const { payments } = await rowsOf(invoice)
  const payment = n === null ? null : payments[n % Math.max(1, payments.length)]
  const { merchantId, id: invoiceId } = invoice
  await createRefund(
    ledger.database,
    ledger.config,
    { merchantId, invoiceId, idempotencyKey: crypto.randomUUID() },
    {
      amount: formatAmount(a, TOKENS.USDC.decimals),
      address: newAddress(),
      paymentId: payment?.id ?? null,
    },
  )
  await derive(invoice)
}

/** What is promised is never more than what is there, and figures are what their rows add up to. */
async function expectLedgerBalance(invoice: Invoice): Promise<void> {
  const { payments, settlements } = await rowsOf(invoice)
  const own = payments.filter(({ kind }) => kind === 'counted')
  const swept = settlements.filter(({ status }) => status !== 'failed')
  const kept = own.reduce((all, p) => all + p.amount - p.refunded - p.refunding, 0n)
  const out = swept.reduce((all, s) => all + s.amount, 0n)
  expect(kept - out).toBeGreaterThanOrEqual(0n)
  for (const p of payments) expect(p.refunded + p.refunding).toBeLessThanOrEqual(p.amount)
}

async function expectChainBalance(invoice: Invoice): Promise<void> {
  const { payments, settlements, refunds } = await rowsOf(invoice)
  const { address } = ledger.token('USDC')
  const held = await chain.balance(invoice.depositAddress)
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)
  const received = sum(payments.filter((p) => p.token === address).map((p) => p.amount))
  const remitted = sum(settlements.map((s) => s.amount - s.fee))
  const fee = sum(settlements.map((s) => s.fee - s.feeOwed))
  const refunded = sum(refunds.filter((r) => r.token === address).map((r) => r.amount))
  expect(remitted + fee + refunded + held).toBe(received)
}
