import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PaymentId, RefundId } from '../../../core/base/ids.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { setRefundsAny } from '../../../store/access/merchants.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { createRefund } from '../../../store/refund/refunds.ts'
import { TestLedger } from '../../support/books/ledger.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'

let chain: HubChain
let ledger: TestLedger
let refundId: RefundId

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  ledger = await TestLedger.open(chain)
  await setRefundsAny(ledger.database, ledger.merchant.id, true)
  const partial = await ledger.invoice('10')
  await ledger.pay(partial, 6_000_000n)
  const late = await ledger.invoice('10')
  await ledger.pay(late, 10_000_000n)
  await ledger.pay(late, 4_000_000n, 'USDT')
  await ledger.book()
  refundId = await refund(partial, '2.5')
  const usdt = ledger.token('USDT').address
  const [foreign] = await ledger.database<{ id: PaymentId }[]>`
    select id from payment where token = ${usdt}`
  await refund(late, '4', foreign?.id)
  await ledger.settle()
}, 120_000)

afterAll(async () => {
  await ledger?.close()
  await chain?.node.stop()
})

async function refund(invoice: Invoice, amount: string, paymentId?: PaymentId): Promise<RefundId> {
  const { merchantId, id: invoiceId } = invoice
  const result = await createRefund(
    ledger.database,
    ledger.config,
    { merchantId, invoiceId, idempotencyKey: amount },
    { amount, address: newAddress(), paymentId: paymentId ?? null },
  )
  if (!result.ok) throw new Error(JSON.stringify(result))
  await ledger.database.begin((sql) => advanceInvoice(sql, ledger.config, invoiceId, new Date()))
  return result.refund.id
}

test('a ledger with refunds agrees with its chain, to the unit', async () => {
  const report = await ledger.compare()
  expect(report.differences).toEqual([])
  const [usdc, usdt] = report.chains[0]?.tokens ?? []
  expect(usdc).toMatchObject({
    received: 16_000_000n,
    remitted: 9_950_000n,
    fees: 50_000n,
    refunded: 2_500_000n,
    held: 3_500_000n,
  })
  expect(usdt).toMatchObject({ foreign: 4_000_000n, refunded: 4_000_000n, held: 0n })
})

describe('is found:', () => {
  test('a refund that the ledger has no record of', async () => {
    const { differences } = await ledger.compareAfter(async (sql) => {
      await sql`delete from refund_part where refund_id = ${refundId}`
      await sql`delete from refund where id = ${refundId}`
    })
    expect(kinds(differences)).toContain('refund_without_record')
    expect(kinds(differences)).toContain('deposit_holds_less')
  })

  test('one that the ledger still waits for, or says to have failed', async () => {
    const set = (status: string) =>
      ledger.compareAfter(
        (sql) => sql`
          update refund set status = ${status}, tx_hash = null where id = ${refundId}`,
      )
    expect(kinds((await set('open')).differences)).toContain('refund_not_booked')
    expect(kinds((await set('failed')).differences)).toContain('failed_refund_moved_money')
  })

  test('one that the chain never carried out', async () => {
    const other = Bun.randomUUIDv7()
    const { differences } = await ledger.compareAfter(async (sql) => {
      await sql`
        insert into refund (id, invoice_id, idempotency_key, network_id, token, amount, recipient,
          status, tx_hash, block_number, block_hash)
        select ${other}, invoice_id, 'other', network_id, token, amount, recipient, status, tx_hash,
          block_number, block_hash
        from refund where id = ${refundId}`
    })
    expect(differences).toContainEqual(
      expect.objectContaining({ kind: 'refund_without_event', refundId: other }),
    )
  })

  test('one of another amount, or to another party', async () => {
    const { differences } = await ledger.compareAfter(
      (sql) => sql`
        update refund set amount = amount + 1, recipient = ${newAddress()} where id = ${refundId}`,
    )
    const [differing] = differences.filter(({ kind }) => kind === 'refund_differs')
    expect(differing?.message).toContain('the amount is 2500001, on the chain 2500000')
    expect(differing?.message).toContain('the receiver is')
    expect(kinds(differences)).toContain('refund_shares_differ')
  })

  test('a payment that says to have given back something else', async () => {
    const { differences } = await ledger.compareAfter(
      (sql) => sql`update payment set refunded = refunded + 1 where refunded > 0`,
    )
    expect(kinds(differences)).toContain('refund_shares_differ')
    expect(kinds(differences)).toContain('figures_differ')
  })
})

function kinds(differences: readonly { readonly kind: string }[]): string[] {
  return differences.map(({ kind }) => kind)
}
