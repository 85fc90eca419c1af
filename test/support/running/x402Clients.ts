import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ownAddressTypedData } from '../../../chain/blocks/ownAddress.ts'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { EndpointJson } from '../../../core/x402/endpoint.ts'
import type { X402PaymentJson, X402StatusJson } from '../../../core/x402/presentPayment.ts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { callApi, type DevStack, run } from '../servers/devStack.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { headerOf, payloadOf } from '../x402/paymentHeader.ts'
import { type Client, STOCK_CLIENTS } from '../x402/stockClients.ts'
import {
  type Middleware,
  openFlowShop,
  openStockShops,
  type PaymentFlow,
  REPORT,
  type StockShop,
} from '../x402/stockShops.ts'
import { running } from './stack.ts'

/** Stock clients and middleware, as they come, with the development stack as their facilitator. */

const PAIRS: readonly (readonly [Client, Middleware])[] = [
  ['@x402/fetch', '@x402/express'],
  ['@x402/fetch', '@x402/hono'],
  ['@x402/axios', '@x402/express'],
  ['@x402/axios', '@x402/hono'],
  ['x402-fetch', 'x402-express'],
  ['x402-fetch', 'x402-hono'],
  ['x402-axios', 'x402-express'],
  ['x402-axios', 'x402-hono'],
]
const PRICE = 10_000n
const FUNDS = 1_000_000n

let stack: DevStack
let faucet: Payer
let requirements: RequirementsJson
let shops: Readonly<Record<Middleware, StockShop>>
/** Servers that came from elsewhere: they know their own address, and nothing of endpoints. */
let own: Awaited<ReturnType<typeof openOwnShops>>

export function stockClients(): void {
  describe('stock clients of x402', () => {
    beforeAll(async () => {
      stack = running()
      faucet = await openPayer(stack.description, 'base-sepolia')
      const endpoint = await callApi<EndpointJson>(stack, '/v1/x402/endpoints', {
        endpointUrl: 'https://clients.example/report',
        asset: 'USDC',
        network: 'eip155:84532',
        amountUsd: 0.01,
      })
      if (endpoint.payment_requirements === null) throw new Error('the endpoint can not be paid')
      requirements = endpoint.payment_requirements
      shops = await openStockShops(`${stack.description.apiUrl}/v1/x402`, requirements)
      own = await openOwnShops()
    }, 180_000)

    afterAll(async () => {
      for (const shop of [...Object.values(shops), ...Object.values(own.shops)]) shop.close()
    }, 120_000)

    describe.concurrent('an unmodified client is served by an unmodified server and pays the price once', () => {
      for (const [client, middleware] of PAIRS) {
        test(`${client} with ${middleware}`, async () => {
          const payer = await newPayer()
          const { status, body, settled } = await STOCK_CLIENTS[client](
            shops[middleware].url,
            payer,
          )
          expect({ status, body }).toEqual({ status: 200, body: REPORT })
          expect(settled).toMatchObject({ success: true, payer: payer.address.toLowerCase() })
          await expectPaid(payer, settled.transaction)
        }, 120_000)
      }
    })

    describe('the same pairs pay a server that asks for an address of its own, in full', () => {
      for (const [client, middleware] of PAIRS) {
        test(`${client} with ${middleware}`, async () => {
          const payer = await newPayer()
          const before = await faucet.balance(own.requirements.payTo)
          const { status, body, settled } = await STOCK_CLIENTS[client](
            own.shops[middleware].url,
            payer,
          )
          expect({ status, body }).toEqual({ status: 200, body: REPORT })
          const payment = await expectPaid(payer, settled.transaction)
          expect(payment).toMatchObject({ direct: true, fee: '0.00', endpointId: null })
          expect(await faucet.balance(own.requirements.payTo)).toBe(before + PRICE)
        }, 120_000)
      }
    })

    describe('one payment under an identifier of its payer opens a stock server once', () => {
      const extensions = {
        'payment-identifier': { info: { required: false, id: 'made-up-by-payer' } },
      }
      const flows: readonly PaymentFlow[] = ['authorization', 'upfront']
      for (const flow of flows) {
        test(`in the flow ${flow}`, async () => {
          const payer = await newPayer()
          const shop = openFlowShop(`${stack.description.apiUrl}/v1/x402`, requirements, flow)
          try {
            const accepted = await acceptedBy(shop)
            const payload = await payloadOf(accepted, payer)
            const header = headerOf(accepted, payload, { extensions })
            const open = async () => {
              const response = await fetch(shop.url, { headers: { 'PAYMENT-SIGNATURE': header } })
              await response.text()
              return response.status
            }
            const atOnce = await Promise.all(Array.from({ length: 20 }, open))
            const later = [await open(), await open()]
            expect([...atOnce, ...later].toSorted()).toEqual([200, ...Array(21).fill(402)])
            expect(await faucet.balance(payer.address)).toBe(FUNDS - PRICE)
          } finally {
            shop.close()
          }
        }, 120_000)
      }
    })

    describe('the payload as base64, as the header brought it', () => {
      test('is verified, settled and found by its nonce, in the form that carries what was accepted', async () => {
        const payer = await newPayer()
        const payload = await payloadOf(requirements, payer)
        await settleText(payer, { x402Version: 2, accepted: requirements, payload })
      }, 120_000)

      test('and in the form that carries scheme and network', async () => {
        const payer = await newPayer()
        const { scheme, network } = requirements
        const payload = await payloadOf(requirements, payer)
        await settleText(payer, { x402Version: 1, scheme, network, payload })
      }, 120_000)
    })

    describe('the demo of a paid request', () => {
      test('accounts for every unit', async () => {
        const script = join(import.meta.dirname, '../../../dev/demo/main.ts')
        const { code, out, err } = await run([script, 'x402'], { REMIT_HOME: stack.home })
        expect(err).toBe('')
        expect(out).toContain('every unit is accounted for')
        expect(code).toBe(0)
      }, 120_000)
    })
  })
}

async function openOwnShops() {
  const account = privateKeyToAccount(generatePrivateKey())
  const { merchantId, name, version } = requirements.extra
  const typed = ownAddressTypedData(merchantId, lowerCaseAddress(account.address))
  const signature = await account.signTypedData(typed)
  await callApi(stack, `/v1/x402/addresses/${account.address}`, { signature })
  const elsewhere = { payTo: checksumAddress(typed.message.payTo), extra: { name, version } }
  const asked = { ...requirements, ...elsewhere }
  return {
    requirements: asked,
    shops: await openStockShops(`${stack.description.apiUrl}/v1/x402`, asked),
  }
}

/** What a shop asks for, as its own 402 says it. */
async function acceptedBy({ url }: StockShop): Promise<RequirementsJson> {
  const challenge = await fetch(url)
  expect(challenge.status).toBe(402)
  const text = challenge.headers.get('PAYMENT-REQUIRED') ?? ''
  return JSON.parse(Buffer.from(text, 'base64').toString()).accepts[0]
}

async function settleText(payer: PrivateKeyAccount, payment: object): Promise<void> {
  const body = {
    x402Version: 2,
    paymentPayload: Buffer.from(JSON.stringify(payment)).toString('base64'),
    paymentRequirements: requirements,
  }
  const address = payer.address.toLowerCase()
  expect(await post('verify', body)).toEqual({ isValid: true, payer: address })
  const settled = await post('settle', body)
  expect(settled).toEqual({
    success: true,
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    network: 'eip155:84532',
    payer: address,
    amount: PRICE.toString(),
    asset: requirements.asset,
    paymentId: expect.any(String),
    settledAt: expect.any(String),
  })
  const found = await expectPaid(payer, settled.transaction)
  const status = await callApi<X402StatusJson>(
    stack,
    `/v1/x402/payments/status?nonce=${found.nonce}`,
  )
  expect(status).toMatchObject({ status: 'settled', paymentId: settled.paymentId, amount: '0.01' })
}

async function post(path: 'verify' | 'settle', body: unknown) {
  const response = await fetch(`${stack.description.apiUrl}/v1/x402/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return response.json()
}

/** Looks at the chain and at the merchant's list: one transfer of the price, one settled payment. */
async function expectPaid(payer: PrivateKeyAccount, transaction: string): Promise<X402PaymentJson> {
  expect(await faucet.balance(payer.address)).toBe(FUNDS - PRICE)
  const payments = await callApi<X402PaymentJson[]>(
    stack,
    `/v1/x402/payments?payer=${payer.address}`,
  )
  expect(payments).toMatchObject([{ status: 'settled', transaction, amount: '0.01' }])
  const [payment] = payments
  if (!payment) throw new Error('the merchant has no payment')
  return payment
}

async function newPayer(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await faucet.mined(await faucet.send(account.address, '1'))
  return account
}
