import { describe, expect, test } from 'bun:test'
import type { InvoiceId, X402PaymentId } from '../../../core/base/ids.ts'
import { removeEndedWork } from '../../../store/books/retention.ts'
import { endReview } from '../../../store/books/reviews.ts'
import { paymentViolations } from '../../../store/books/x402Audit.ts'
import type { Database, Transaction } from '../../../store/database/database.ts'
import { allTransactionsOf } from '../../../store/invoice/rows.ts'
import { advance, settleByOthers } from '../../../store/relayer/transition.ts'
import { itemsOf } from '../../../store/relayer/workItems.ts'
import { expiredPayments, followBlocks } from '../../../store/x402/byOthers.ts'
import { AUTHORIZATIONS } from '../../../store/x402/settles.ts'
import { moveToWallets, pauseWallet } from '../../../store/x402/wallets.ts'
import { readSettles } from '../../../store/x402/work.ts'
import { merchantsOf } from '../../../workers/relayer/transition.ts'
import { x402Kind } from '../../../workers/x402/payments.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  storeBlock,
  storeChain,
} from '../../support/store/database.ts'
import { storeInvoice, storeMerchant, storePayment } from '../../support/store/invoice.ts'
import {
  anInvoiceClaim,
  authorizationRow,
  claimedInvoice,
} from '../../support/store/invoiceClaims.ts'
import { storeKey, storeTransaction } from '../../support/store/relayer.ts'
import { place, TOKEN } from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

interface Claimed {
  readonly id: X402PaymentId
  readonly invoiceId: InvoiceId
  readonly networkId: string
}

/** An authorization on a network of its own. */
async function claimed(terms: Parameters<typeof anInvoiceClaim>[1] = {}): Promise<Claimed> {
  const networkId = terms.networkId ?? newNetwork()
  const { id: invoiceId } = await storeInvoice(sql, await storeMerchant(sql))
  const id = await claimedInvoice(sql, anInvoiceClaim(invoiceId, { ...terms, networkId }))
  return { id, invoiceId, networkId }
}

const row = ({ id }: Claimed) => authorizationRow(sql, id)

async function mine(one: Claimed, at = place(10n)): Promise<void> {
  const given = [{ id: one.id, logIndex: at.logIndex }]
  await sql.begin((to) => advance(to, AUTHORIZATIONS, 'mined', given, at))
}

describe('an authorization of ours', () => {
  test('is settled, confirmed, and pending again when its block is gone', async () => {
    const one = await claimed()
    await mine(one)
    await sql.begin((to) => advance(to, AUTHORIZATIONS, 'confirmed', [one]))
    expect(await row(one)).toMatchObject({ status: 'settled', confirmedAt: expect.any(Date) })
    await sql.begin((to) => advance(to, AUTHORIZATIONS, 'reopened', [one]))
    expect(await row(one)).toMatchObject({ status: 'pending', confirmedAt: null })
  })

  test('names how its payment was sent, also while that is in another block', async () => {
    const from = newAddress()
    const one = await claimed({ from })
    const txHash = newHash()
    await mine(one, place(10n, { txHash, logIndex: 3 }))
    const moved = { txHash, logIndex: 5, networkId: one.networkId, sender: from, token: TOKEN }
    await storePayment(sql, one.invoiceId, 1_000_000n, moved)
    await storePayment(sql, one.invoiceId, 999_999n, { ...moved, logIndex: 6 })
    const { payments } = (await allTransactionsOf(sql, [one.invoiceId]))(one.invoiceId)
    expect(payments.map(({ method }) => method)).toEqual(['signature', 'transfer'])
  })

  test('is read with its invoice, and its gas is the merchant’s', async () => {
    const merchantId = await storeMerchant(sql)
    const invoice = await storeInvoice(sql, merchantId)
    const id = await claimedInvoice(sql, anInvoiceClaim(invoice.id))
    const { itemId } = await authorizationRow(sql, id)
    const [settle] = await readSettles(sql, [itemId])
    expect(settle).toMatchObject({
      ...{ paymentId: id, invoiceId: invoice.id, merchantId, hub: invoice.hub, isDirect: true },
      authorization: { to: invoice.depositAddress },
    })
    const tx = await storeTransaction(sql, await storeKey(sql))
    await sql`update work_item set state = 'assigned', tx_id = ${tx} where id = ${itemId}`
    const items = await itemsOf(sql, tx)
    const of = (to: Transaction) => merchantsOf({ config: { registry: [] } }, to, x402Kind, items)
    expect(await sql.begin(of)).toEqual([merchantId])
  })

  test('expires with the payments of its chain', async () => {
    const one = await claimed()
    const find = () => expiredPayments(sql, one.networkId, 7n, 10)
    await storeChain(sql, one.networkId)
    await storeBlock(sql, one.networkId, 7n, { time: new Date() })
    expect(await find()).toEqual([])
    await sql`update chain_block set time = now() + interval '1 hour' where network_id = ${one.networkId}`
    expect(await find()).toEqual([(await row(one)).itemId])
  })

  test('goes with the wallets once its payer has code or pauses', async () => {
    const one = await claimed()
    await sql`update work_item set state = 'assigned', tx_id = ${await storeTransaction(sql, await storeKey(sql))}
      where id = ${(await row(one)).itemId}`
    const { itemId } = await row(one)
    await sql.begin((to) => moveToWallets(to, itemId, one.id, null))
    expect(await row(one)).toMatchObject({ kind: 'x402_wallet', state: 'queued', isWallet: true })
    const payer = newAddress()
    const other = await claimed({ from: payer })
    const { networkId } = other
    await sql.begin((to) => pauseWallet(to, { networkId, payer, payerCode: null }))
    expect(await row(other)).toMatchObject({ kind: 'x402_wallet', isWallet: true })
  })

  test('is ended by an operator who knows that it was not paid', async () => {
    const one = await claimed()
    const { itemId } = await row(one)
    await sql`update work_item set state = 'review' where id = ${itemId}`
    expect(await endReview(sql, itemId, null)).toMatchObject({ ok: false })
    expect(await endReview(sql, itemId, 'authorization_used')).toMatchObject({ ok: true })
    expect(await row(one)).toMatchObject({ status: 'failed', state: 'failed' })
  })

  test('has its work removed once it is decided, and not before', async () => {
    const one = await claimed()
    const soon = new Date(Date.now() + 60_000)
    const remove = async () => (await removeEndedWork(sql, one.networkId, soon, 0n)).removed
    await mine(one)
    await sql`update work_item set state = 'settled' where id = ${(await row(one)).itemId}`
    expect(await remove()).toBe(0)
    await sql.begin((to) => advance(to, AUTHORIZATIONS, 'confirmed', [one]))
    expect(await remove()).toBe(1)
  })
})

describe('an authorization that another sender carried out', () => {
  const settle = async (one: Claimed, blockHash = newHash()) => {
    const at = place(5n, { blockHash })
    return sql.begin((to) => settleByOthers(to, AUTHORIZATIONS, one.id, at))
  }
  const follow = ({ networkId }: Claimed) => sql.begin((to) => followBlocks(to, networkId, 6n))

  test('is settled once, and confirmed by its own block', async () => {
    const one = await claimed()
    await storeChain(sql, one.networkId)
    const blockHash = await storeBlock(sql, one.networkId, 5n)
    expect(await settle(one, blockHash)).toBe(true)
    expect(await settle(one, blockHash)).toBe(false)
    expect(await row(one)).toMatchObject({ status: 'settled', byOthers: true, state: 'settled' })
    expect(await follow(one)).toBe(1)
    expect(await follow(one)).toBe(0)
    expect((await row(one)).confirmedAt).not.toBeNull()
  })

  test('is work again when its block was replaced', async () => {
    const one = await claimed()
    await storeChain(sql, one.networkId)
    await settle(one)
    await storeBlock(sql, one.networkId, 5n)
    expect(await follow(one)).toBe(1)
    expect(await row(one)).toMatchObject({ status: 'pending', byOthers: false, state: 'queued' })
  })
})

test('the audit finds what contradicts invoice and ledger', async () => {
  const networkId = newNetwork()
  const violations = async () =>
    (await paymentViolations(sql, 100)).filter((one) => one.networkId === networkId)
  const one = await claimed({ networkId })
  expect(await violations()).toEqual([])
  const [txHash, logIndex] = [newHash(), 3]
  await mine(one, place(10n, { txHash, logIndex }))
  await sql`
    update invoice_authorization set confirmed_at = now() - interval '1 hour' where id = ${one.id}`
  expect(await violations()).toMatchObject([
    { message: 'it is settled, and no payment of its invoice has its transfer' },
  ])
  await storePayment(sql, one.invoiceId, 1_000_000n, { networkId, txHash, logIndex })
  expect(await violations()).toEqual([])
  await sql`update invoice_authorization set pay_to = ${newAddress()} where id = ${one.id}`
  expect(await violations()).toMatchObject([{ message: "it does not pay its invoice's deposit" }])
})
