import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import axios from 'axios'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { createInvoice, type DevStack, eventually, getInvoice, run } from '../servers/devStack.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { STOCK_CLIENTS } from '../x402/stockClients.ts'
import { running } from './stack.ts'

/** Invoices that stock x402 clients pay at their x402Url, as they come; and the demos of it. */

const FUNDS = 1_000_000n
/** Within what clients of version 1 pay without being told so. */
const AMOUNT = '0.1'
const UNITS = 100_000n

let stack: DevStack
let faucet: Payer

export function invoicesByX402(): void {
  describe('an invoice at its x402Url', () => {
    beforeAll(async () => {
      stack = running()
      faucet = await openPayer(stack.description, 'base-sepolia')
    }, 60_000)

    for (const [client, pay] of Object.entries(STOCK_CLIENTS)) {
      test(`is paid by ${client}, once, and completed like any other`, async () => {
        const payer = await newPayer()
        const { id, reference, x402Url } = await invoiceOf(AMOUNT)
        const { status, body, settled } = await pay(x402Url, payer)
        const { transaction } = settled
        expect(settled).toMatchObject({ success: true, payer: payer.address.toLowerCase() })
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { invoiceId: id, reference, transaction, amount: UNITS.toString() },
        })
        expect(await faucet.balance(payer.address)).toBe(FUNDS - UNITS)
        expect(await completed(id)).toMatchObject({
          receivedAmount: AMOUNT,
          overpaidAmount: '0',
          transactions: [{ txHash: transaction, from: payer.address, method: 'x402' }],
        })
        const again = await fetch(x402Url)
        expect(again.status).toBe(409)
        expect(await again.json()).toMatchObject({
          error: 'invoice_already_paid',
          status: 'completed',
        })
      }, 120_000)
    }

    test('of any amount is paid by clients of version 2 that are allowed to', async () => {
      const clients = [
        async (url: string, payer: PrivateKeyAccount) =>
          (await wrapFetchWithPaymentFromConfig(fetch, allowed(payer))(url)).json(),
        async (url: string, payer: PrivateKeyAccount) =>
          (await wrapAxiosWithPaymentFromConfig(axios.create(), allowed(payer)).post(url)).data,
      ]
      for (const pay of clients) {
        const payer = await newPayer('20')
        const { id, x402Url } = await invoiceOf('12.5')
        expect(await pay(x402Url, payer)).toMatchObject({ invoiceId: id, amount: '12500000' })
        expect(await completed(id)).toMatchObject({ receivedAmount: '12.5' })
      }
    }, 120_000)

    test('is left with the rest by a transfer, which a client pays', async () => {
      const payer = await newPayer()
      const { id, x402Url, addresses } = await invoiceOf(AMOUNT)
      await faucet.mined(await faucet.send(addresses[0]?.address ?? '', '0.04'))
      await eventually(
        () => getInvoice(stack, id),
        ({ status }) => status === 'partial',
      )
      const { body } = await STOCK_CLIENTS['@x402/fetch'](x402Url, payer)
      expect(body).toMatchObject({ amount: '60000' })
      const { transactions } = await completed(id)
      expect(transactions.map(({ method }) => method)).toEqual(['transfer', 'x402'])
    }, 120_000)

    for (const demo of ['agent', 'gasless']) {
      test(`is shown by the demo ${demo}, which accounts for every unit`, async () => {
        const script = join(import.meta.dirname, '../../../dev/demo/main.ts')
        const { code, out, err } = await run([script, demo], { REMIT_HOME: stack.home })
        expect(err).toBe('')
        expect(out).toContain('every unit is accounted for, and the payer spent no gas')
        expect(code).toBe(0)
      }, 120_000)
    }

    test('is paid by the example of an agent', async () => {
      const script = join(import.meta.dirname, '../../../examples/agent.ts')
      const { code, out, err } = await run([script], { REMIT_HOME: stack.home })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('invoiceId')
    }, 120_000)
  })
}

function allowed(payer: PrivateKeyAccount) {
  return {
    schemes: [{ network: 'eip155:*' as const, client: new ExactEvmScheme(payer) }],
    spendControls: { maxAmountPerPayment: '$100' },
  }
}

type Payable = InvoiceJson & { readonly x402Url: string }

async function invoiceOf(amountExpected: string): Promise<Payable> {
  const body = { tokenSymbol: 'USDC', amountExpected, chains: ['base-sepolia'] }
  return { x402Url: '', ...(await createInvoice(stack, body)) }
}

function completed(id: string): Promise<InvoiceJson> {
  return eventually(
    () => getInvoice(stack, id),
    ({ status }) => status === 'completed',
  )
}

async function newPayer(amount = '1'): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await faucet.mined(await faucet.send(account.address, amount))
  return account
}
