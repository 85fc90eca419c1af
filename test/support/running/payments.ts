import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  callApi,
  createInvoice,
  type DevStack,
  eventually,
  getInvoice,
  remit,
  run,
} from '../servers/devStack.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { running, startRunning } from './stack.ts'

let stack: DevStack
let base: Payer
let sepolia: Payer

export function payments(): void {
  describe('payments', () => {
    beforeAll(async () => {
      stack = running()
      base = await openPayer(stack.description, 'base-sepolia')
      sepolia = await openPayer(stack.description, 'sepolia')
    }, 180_000)

    describe('an invoice on the running stack', () => {
      test('shows a payment while it is pending, then confirms it and pays the merchant', async () => {
        const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '25' })
        const recipient = invoice.recipient?.address ?? ''
        const deposit = invoice.addresses[0]?.address ?? ''
        const before = await base.balance(recipient)
        const hash = await base.send(deposit, '25')
        const seen = await look(invoice.id, (now) => now.transactions.length === 1)
        expect(seen.transactions[0]).toMatchObject({ txHash: hash, type: 'payment', amount: '25' })
        expect(seen.targetNetwork).toBe('base-sepolia')
        const done = await look(invoice.id, (now) => now.status === 'completed')
        expect(done).toMatchObject({
          receivedAmount: '25',
          pendingAmount: null,
          overpaidAmount: '0',
          platformFee: '0.125',
          amountRemitted: '24.875',
        })
        expect(done.transactions[0]).toMatchObject({
          status: 'confirmed',
          fee: '0.125',
          merchantAmount: '24.875',
        })
        expect((await base.balance(recipient)) - before).toBe(24_875_000n)
        expect(await base.balance(deposit)).toBe(0n)
        const [{ txHash = '' } = {}] = done.settlements
        expect(await onChain(txHash ?? '')).toEqual({ amount: { decimal: '25' } })
      }, 120_000)

      test('is paid within what it tolerates, and passes on what arrives afterwards', async () => {
        const body = { tokenSymbol: 'USDC', amountExpected: '100', underpaymentTolerance: '1' }
        const invoice = await createInvoice(stack, body)
        const deposit = invoice.addresses[0]?.address ?? ''
        const recipient = invoice.recipient?.address ?? ''
        const before = await base.balance(recipient)
        await base.send(deposit, '99.5')
        const short = await look(invoice.id, (now) => now.status === 'completed')
        expect(short).toMatchObject({
          receivedAmount: '99.5',
          toleratedAmount: '0.5',
          platformFee: '0.4975',
          amountRemitted: '99.0025',
        })
        await base.send(deposit, '0.5')
        const done = await look(invoice.id, (now) => now.amountRemitted === '99.5025')
        expect(done).toMatchObject({
          status: 'completed',
          toleratedAmount: '0',
          platformFee: '0.4975',
        })
        expect(done.settlements.map((s) => s.fee)).toEqual(['0.4975', '0'])
        expect((await base.balance(recipient)) - before).toBe(99_502_500n)
        expect(await base.balance(deposit)).toBe(0n)
      }, 120_000)

      test.concurrent('adds up parts from two chains, and charges the fee once', async () => {
        const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '100' })
        const deposit = invoice.addresses[0]?.address ?? ''
        await base.mined(await base.send(deposit, '40'))
        const partial = await look(invoice.id, (now) => now.status === 'partial')
        expect(partial).toMatchObject({ receivedAmount: '40', paidAt: null })
        await sepolia.send(deposit, '70')
        const done = await look(invoice.id, (now) => now.status === 'completed')
        expect(done).toMatchObject({
          receivedAmount: '110',
          overpaidAmount: '10',
          platformFee: '0.5',
          amountRemitted: '109.5',
        })
        const fees = done.settlements.map((s) => [s.chain, s.fee]).sort()
        expect(fees).toEqual([
          ['base-sepolia', '0'],
          ['sepolia', '0.5'],
        ])
        expect(done.transactions.map((t) => t.fee)).toEqual(['0.2', '0.3'])
      }, 120_000)

      test.concurrent('is paid in a token whose transfer returns nothing', async () => {
        const invoice = await createInvoice(stack, { tokenSymbol: 'USDT', amountExpected: '3.5' })
        await sepolia.send(invoice.addresses[0]?.address ?? '', '3.5', 'USDT')
        const done = await look(invoice.id, (now) => now.status === 'completed')
        expect(done).toMatchObject({ amountRemitted: '3.4825', platformFee: '0.0175' })
      }, 120_000)

      test.concurrent('sweeps what comes after completion without another fee', async () => {
        const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '1' })
        const deposit = invoice.addresses[0]?.address ?? ''
        await base.send(deposit, '1')
        await look(invoice.id, (now) => now.status === 'completed')
        await base.send(deposit, '2')
        const done = await look(invoice.id, (now) => now.amountRemitted === '2.995')
        expect(done).toMatchObject({
          status: 'completed',
          overpaidAmount: '2',
          platformFee: '0.005',
        })
        expect(done.settlements.map((s) => s.fee)).toEqual(['0.005', '0'])
      }, 120_000)

      test.concurrent('pays the recipient that the invoice itself names', async () => {
        const recipient = '0x000000000000000000000000000000000000bEEF'
        const body = { tokenSymbol: 'USDC', amountExpected: 10, recipient }
        const invoice = await createInvoice(stack, body)
        await base.send(invoice.addresses[0]?.address ?? '', '10')
        await look(invoice.id, (now) => now.status === 'completed')
        expect(await base.balance(recipient)).toBe(9_950_000n)
      }, 120_000)

      test.concurrent('counts a payment after the expiry as late, and keeps it', async () => {
        const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '5' })
        const deposit = invoice.addresses[0]?.address ?? ''
        await callApi(stack, `/v1/invoices/${invoice.id}/expire`, {})
        // A block of the very second in which the invoice was closed would still be on time.
        await Bun.sleep(1_100)
        await base.send(deposit, '5')
        const late = await look(invoice.id, (now) => now.transactions[0]?.status === 'confirmed')
        expect(late).toMatchObject({
          status: 'pending',
          expired: true,
          receivedAmount: '0',
          lateAmount: '5',
        })
        expect(late.transactions[0]?.type).toBe('late_payment')
        expect(await base.balance(deposit)).toBe(5_000_000n)
      }, 120_000)

      test.concurrent('records another token without counting it', async () => {
        const body = { tokenSymbol: 'USDC', amountExpected: '5', chains: ['sepolia'] }
        const invoice = await createInvoice(stack, body)
        const deposit = invoice.addresses[0]?.address ?? ''
        await sepolia.send(deposit, '5', 'USDT')
        await base.send(deposit, '5')
        const seen = await look(invoice.id, (now) => now.otherDeposits.length === 2)
        expect(seen).toMatchObject({ status: 'pending', receivedAmount: '0', transactions: [] })
        const found = seen.otherDeposits.map((d) => [d.chain, d.asset, d.amount]).sort()
        expect(found).toEqual([
          ['base-sepolia', 'USDC', '5'],
          ['sepolia', 'USDT', '5'],
        ])
      }, 120_000)
    })
  })
}

export function wholeStack(): void {
  describe('the stack as a whole', () => {
    beforeAll(() => {
      stack = running()
    })

    test('passes the demo', async () => {
      const { code, out, err } = await run(
        [join(import.meta.dirname, '../../../dev/demo/main.ts')],
        {
          REMIT_HOME: stack.home,
        },
      )
      expect(err).toBe('')
      expect(out).toContain('every unit is accounted for')
      expect(code).toBe(0)
    }, 120_000)

    test('reconciles to the unit', async () => {
      const { code, out } = await remit(stack, 'reconcile', '--json')
      expect({ code, differences: JSON.parse(out).differences }).toEqual({
        code: 0,
        differences: [],
      })
    }, 120_000)
  })
}

/** It kills everything, and starts it again. */
export function wholeStackAgain(): void {
  test('the stack starts again after everything was killed, with all that was stored', async () => {
    stack = running()
    base = await openPayer(stack.description, 'base-sepolia')
    const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '2' })
    await base.send(invoice.addresses[0]?.address ?? '', '2')
    // A local chain stores its blocks within milliseconds, but not before they are seen.
    await look(invoice.id, (now) => now.status === 'paid')
    await stack.killEverything()
    stack = await startRunning()
    await look(invoice.id, (now) => now.status === 'completed')
    // Until the ledger has come as far as the chain.
    await eventually(
      () => remit(stack, 'reconcile'),
      ({ code }) => code === 0,
      30_000,
    )
  }, 180_000)
}

function look(id: string, holds: (now: Awaited<ReturnType<typeof getInvoice>>) => boolean) {
  return eventually(() => getInvoice(stack, id), holds)
}

/** What the hub's event says of a settlement, once the indexer has found it: asked for by GraphQL. */
async function onChain(txHash: string): Promise<unknown> {
  const [from, to] = [-1, 2].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  )
  const query = `{ movements(kind: SETTLEMENT, from: "${from}", to: "${to}", first: 100) {
    items { txHash onChain { amount { decimal } } } } }`
  type Found = { movements: { items: { txHash: string; onChain: unknown }[] } }
  const find = async () => {
    const { movements } = await callApi<Found>(stack, '/v1/graphql', { query })
    return movements.items.find((item) => item.txHash === txHash)?.onChain ?? null
  }
  return eventually(find, (seen) => seen !== null)
}
