import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, NOTHING_ARRIVES, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { replaceFrom, submitByOther, whileMining } from '../../support/x402/chain.ts'
import {
  AMOUNT,
  newInvoice,
  type OpenInvoice,
  post,
  sign,
  untilShown,
  viewOf,
} from '../../support/x402/signedInvoices.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Signatures whose transfers are in blocks that are replaced. */

let stack: X402Stack
let off: X402Stack
/** What the first one's worker sends by. */
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 'manual' },
    variables: { RATE_LIMIT_PAYERS: '100000' },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
  off = await startX402Stack({ variables: { GASLESS: 'off' } })
}, 120_000)

afterAll(async () => {
  await stack.close()
  await off.close()
  await sending.stop()
})

/** Replaces all blocks from the transfer's own on by empty ones, and waits until that was noticed. */
async function replaceBlocksOf(invoice: OpenInvoice): Promise<void> {
  const [row] = await stack.database<{ blockNumber: bigint | null }[]>`
    select block_number from invoice_authorization where invoice_id = ${invoice.id}`
  if (!row?.blockNumber) throw new Error('the transfer is not mined')
  await replaceFrom(stack.chain, BigInt(row.blockNumber))
}

test('ours is on its way again, and settled by the same bytes', async () => {
  const payer = await stack.newPayer(AMOUNT)
  const invoice = await newInvoice(stack)
  await post(stack, invoice, await sign(stack, invoice, payer))
  const first = await whileMining(stack, untilShown(stack, invoice, 'settled'))
  await replaceBlocksOf(invoice)
  await untilShown(stack, invoice, 'sent')
  expect((await viewOf(stack, invoice)).payment?.addresses[0]?.signature).toBeNull()
  const again = await whileMining(stack, untilShown(stack, invoice, 'settled'))
  expect(again.transaction).toBe(first.transaction)
  expect(await stack.chain.balance(invoice.deposit)).toBe(AMOUNT)
}, 60_000)

test('another sender’s is carried out by a relayer once its block is gone', async () => {
  const payer = await stack.newPayer(AMOUNT)
  const invoice = await newInvoice(stack)
  const signed = await sign(stack, invoice, payer)
  sending.rule(NOTHING_ARRIVES)
  await post(stack, invoice, signed)
  const theirs = await submitByOther(stack, signed)
  // Ours is reverted, and the chain shows why.
  sending.rule()
  const shown = await whileMining(stack, untilShown(stack, invoice, 'settled'))
  expect(shown.transaction).toBe(theirs)
  await replaceBlocksOf(invoice)
  const ours = eventually(
    async () => (await viewOf(stack, invoice)).authorization,
    (one) => one?.status === 'settled' && one.transaction !== theirs,
  )
  await whileMining(stack, ours)
  expect(await stack.chain.balance(invoice.deposit)).toBe(AMOUNT)
}, 60_000)

test('where it is switched off, nothing is offered and nothing is accepted', async () => {
  const payer = await off.newPayer(AMOUNT)
  const invoice = await newInvoice(off)
  expect((await viewOf(off, invoice)).payment?.addresses[0]?.signature).toBeNull()
  const refused = await post(off, invoice, await sign(off, invoice, payer))
  expect(refused).toMatchObject({ status: 'refused', reason: 'not_offered' })
}, 60_000)
