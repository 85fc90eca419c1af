import { beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import type { Scenario } from '../../../core/invoice/scenario.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import {
  callApi,
  createInvoice,
  type DevStack,
  eventually,
  getInvoice,
  remit,
} from '../servers/devStack.ts'
import { running } from './stack.ts'

/** Every scenario of the sandbox ends as it is documented, and the books agree with the chains. */

let stack: DevStack

export function scenarios(): void {
  describe('scenarios of the sandbox', () => {
    beforeAll(() => {
      stack = running()
    })

    describe.concurrent('the scenario', () => {
      test('exact ends completed', async () => {
        const done = await until(await play('exact'), isCompleted)
        expect(done).toMatchObject({
          receivedAmount: '10',
          overpaidAmount: '0',
          amountRemitted: '9.95',
        })
      }, 120_000)

      test('over ends completed, with the excess', async () => {
        const done = await until(await play('over'), isCompleted)
        expect(done).toMatchObject({ receivedAmount: '11', overpaidAmount: '1' })
      }, 120_000)

      for (const method of ['signature', 'x402'] as const) {
        test(`${method} ends completed, by a payer without gas`, async () => {
          const done = await until(await play(method), isCompleted)
          expect(done).toMatchObject({ receivedAmount: '10', transactions: [{ method }] })
        }, 120_000)
      }

      test('partial waits, and what came can be taken for enough', async () => {
        const invoice = await play('partial')
        await until(invoice, ({ status }) => status === 'partial')
        await callApi(stack, `/v1/invoices/${invoice.id}/accept-partial`, {})
        const done = await until(invoice, isCompleted)
        expect(done).toMatchObject({
          acceptedAmount: '5',
          platformFee: '0.025',
          amountRemitted: '4.975',
        })
      }, 120_000)

      test('late counts for nothing, until it is accepted', async () => {
        const invoice = await play('late')
        const isLate = (now: InvoiceJson) => now.transactions[0]?.status === 'confirmed'
        const late = await until(invoice, isLate)
        expect(late).toMatchObject({ status: 'pending', lateAmount: '10', expired: true })
        const path = `/v1/invoices/${invoice.id}/transactions/${late.transactions[0]?.id}/accept`
        await callApi(stack, path, {})
        expect(await until(invoice, isCompleted)).toMatchObject({
          lateAmount: '0',
          receivedAmount: '10',
        })
      }, 120_000)

      test('wrong-token and wrong-chain are held, and go back to who sent them', async () => {
        const token = await play('wrong-token')
        const chain = await play('wrong-chain', { chains: ['base-sepolia'] })
        for (const invoice of [token, chain]) {
          const isHeld = (now: InvoiceJson) => now.otherDeposits[0]?.status === 'confirmed'
          const [deposit] = (await until(invoice, isHeld)).otherDeposits
          const refund = await callApi<RefundJson>(stack, `/v1/invoices/${invoice.id}/refunds`, {
            amount: '10',
            address: deposit?.from,
            transactionId: deposit?.id,
            idempotencyKey: 'back',
          })
          expect(refund.asset).toBe(deposit?.asset ?? null)
          const isBack = (now: InvoiceJson) => now.refunds[0]?.status === 'confirmed'
          const after = await until(invoice, isBack)
          expect(after).toMatchObject({ status: 'pending', receivedAmount: '0' })
        }
      }, 180_000)

      test('two-chains adds up', async () => {
        const done = await until(await play('two-chains'), isCompleted)
        expect(done.settlements.map(({ chain }) => chain).sort()).toEqual([
          'base-sepolia',
          'sepolia',
        ])
        expect(done).toMatchObject({ receivedAmount: '10', amountRemitted: '9.95' })
      }, 120_000)

      test('failed-settlement leaves the money where it is, until the recipient is unblocked', async () => {
        const recipient = addressOf(generatePrivateKey())
        const invoice = await play('failed-settlement', { recipient, chains: ['base-sepolia'] })
        const hasFailed = (now: InvoiceJson) =>
          now.settlements.some(({ status }) => status === 'failed')
        expect(await until(invoice, hasFailed)).toMatchObject({
          status: 'paid',
          amountRemitted: '0',
        })
        await playOn(invoice, 'unblock-recipient')
        expect(await until(invoice, isCompleted)).toMatchObject({ amountRemitted: '9.95' })
      }, 180_000)

      test('that can not be played says why', async () => {
        const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '10' })
        await expect(playOn(invoice, 'wrong-chain')).rejects.toThrow('scenario not possible')
      })
    })

    // It takes back what others have sent at the same time.
    test('the scenario reorganisation ends completed, with the money counted once', async () => {
      const done = await until(await play('reorganisation', { chains: ['sepolia'] }), isCompleted)
      expect(done).toMatchObject({ receivedAmount: '10', amountRemitted: '9.95' })
    }, 120_000)

    test('the faucet makes tokens', async () => {
      const address = addressOf(generatePrivateKey())
      const body = { address, networkId: 'base-sepolia', tokenSymbol: 'USDT', amount: '3.5' }
      expect(await callApi<object>(stack, '/v1/sandbox/faucet', body)).toMatchObject({
        tokenSymbol: 'USDT',
        amount: '3.5',
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      })
    }, 120_000)

    test('the books agree with the chains after all of it', async () => {
      const { code, out } = await remit(stack, 'reconcile', '--wait', '20')
      expect({ code, out }).toMatchObject({ code: 0 })
    }, 120_000)
  })
}

async function play(
  scenario: Scenario,
  change: Readonly<Record<string, unknown>> = {},
): Promise<InvoiceJson> {
  const terms = { tokenSymbol: 'USDC', amountExpected: '10', ...change }
  const invoice = await createInvoice(stack, terms)
  await playOn(invoice, scenario)
  return invoice
}

function playOn({ id: invoiceId }: InvoiceJson, scenario: Scenario): Promise<unknown> {
  return callApi(stack, '/v1/sandbox/scenarios', { invoiceId, scenario })
}

function until(invoice: InvoiceJson, holds: (now: InvoiceJson) => boolean): Promise<InvoiceJson> {
  return eventually(() => getInvoice(stack, invoice.id), holds, 90_000)
}

function isCompleted({ status }: InvoiceJson): boolean {
  return status === 'completed'
}
