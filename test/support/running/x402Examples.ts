import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { type Shop, startShop } from '../../../dev/demo/shop.ts'
import { callApi, type DevStack } from '../servers/devStack.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { headerOf, type PaymentPayload, payloadOf } from '../x402/paymentHeader.ts'
import { STOCK_CLIENTS } from '../x402/stockClients.ts'
import { running } from './stack.ts'

/** What the example servers must not fall for: nonces and headers are public once they were used. */

const EXAMPLES = ['server', 'hono', 'expressV1'] as const
type Example = (typeof EXAMPLES)[number]
const PUBLIC_URL = 'https://shop.example'
const FUNDS = 1_000_000n

let stack: DevStack
let faucet: Payer
let shops: Record<Example, Shop>
/** Of /report at 0.01, of another endpoint at the same price, and of /archive at 0.02. */
let report: RequirementsJson
let other: RequirementsJson
let archive: RequirementsJson

export function exampleServers(): void {
  describe('the example servers of x402', () => {
    beforeAll(async () => {
      stack = running()
      faucet = await openPayer(stack.description, 'base-sepolia')
      const [server, hono, express] = await Promise.all(
        EXAMPLES.map((example) => startShop({ example, publicUrl: PUBLIC_URL, home: stack.home })),
      )
      if (!server || !hono || !express) throw new Error('an example did not start')
      shops = { server, hono, expressV1: express }
      report = await requirementsOf('/report')
      archive = await requirementsOf('/archive')
      await callApi(stack, '/v1/x402/endpoints', {
        endpointUrl: `${PUBLIC_URL}/other`,
        asset: 'USDC',
        network: report.network,
        amountUsd: '0.01',
      })
      other = await requirementsOf('/other')
    }, 180_000)

    afterAll(async () => {
      await Promise.all(Object.values(shops).map((shop) => shop.stop()))
    }, 120_000)

    for (const example of EXAMPLES) {
      describe.concurrent(`the example ${example}`, () => {
        test('serves a header once', async () => {
          const payer = await newPayer()
          const header = headerFor(example, await payloadOf(report, payer))
          expect(await show(example, header)).toEqual({ status: 200, isSettled: true })
          expect(await show(example, header)).toEqual({ status: 402, isSettled: false })
          expect(await spent(payer)).toBe(10_000n)
        }, 120_000)

        test("refuses a settled nonce in another party's header", async () => {
          const [payer, thief] = [await newPayer(), privateKeyToAccount(generatePrivateKey())]
          const payload = await payloadOf(report, payer)
          await settleElsewhere(payload)
          const { signature } = await payloadOf(report, thief, payload.authorization)
          const { nonce } = payload.authorization
          const forged = headerFor(example, { ...payload, signature })
          const copied = headerFor(example, await payloadOf(report, thief, { nonce }))
          expect(await show(example, forged)).toEqual({ status: 402, isSettled: false })
          expect(await show(example, copied)).toEqual({ status: 402, isSettled: false })
        }, 120_000)

        test('refuses a payment of another price, and leaves it alone', async () => {
          const payer = await newPayer()
          for (const value of ['9999', '20000']) {
            const header = headerFor(example, await payloadOf(report, payer, { value }))
            expect(await show(example, header)).toEqual({ status: 402, isSettled: false })
          }
          expect(await spent(payer)).toBe(0n)
        }, 120_000)

        test('refuses a payment that was made for another endpoint', async () => {
          const payload = await payloadOf(other, await newPayer())
          await settleElsewhere(payload, other)
          for (const requirements of [report, other]) {
            const header = headerFor(example, payload, requirements)
            expect(await show(example, header)).toEqual({ status: 402, isSettled: false })
          }
        }, 120_000)
      })
    }

    describe.concurrent('the plain flow', () => {
      for (const client of ['@x402/fetch', 'x402-fetch', 'x402-axios'] as const) {
        test(`is paid by ${client}`, async () => {
          const payer = await newPayer()
          const { status, settled } = await STOCK_CLIENTS[client](
            `${shops.server.url}/report`,
            payer,
          )
          expect({ status, success: settled.success }).toEqual({ status: 200, success: true })
          expect(await spent(payer)).toBe(10_000n)
        }, 120_000)
      }

      test('serves one of many who show the same header at once', async () => {
        const payer = await newPayer()
        const header = headerFor('server', await payloadOf(report, payer))
        const shown = await Promise.all(Array.from({ length: 10 }, () => show('server', header)))
        expect(shown.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(shown.filter(({ status }) => status === 402)).toHaveLength(9)
        expect(await spent(payer)).toBe(10_000n)
      }, 120_000)

      test('knows a served payment again however its header is written', async () => {
        const payload = await newPayload()
        expect((await show('server', headerFor('server', payload))).status).toBe(200)
        const { signature, authorization } = payload
        const nonce = authorization.nonce.toUpperCase().replace('0X', '0x')
        const from = authorization.from.toLowerCase()
        const rewritten = { authorization: { ...authorization, nonce, from }, signature }
        const header = headerFor('server', rewritten)
        const urlSafe = header.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
        const bare = Buffer.from(JSON.stringify(payload)).toString('base64')
        for (const one of [header, urlSafe, bare]) {
          expect(await show('server', one)).toEqual({ status: 402, isSettled: false })
        }
      }, 120_000)

      test('is not misled by a second authorization in a header', async () => {
        const [own, foreign] = [await newPayload(), await newPayload()]
        expect((await show('server', headerFor('server', own))).status).toBe(200)
        await settleElsewhere(foreign)
        const { description: _, ...accepted } = report
        const payment = { ...foreign, x402Version: 2, accepted, payload: own }
        const header = Buffer.from(JSON.stringify(payment)).toString('base64')
        expect(await show('server', header)).toEqual({ status: 402, isSettled: false })
        expect((await show('server', headerFor('server', foreign))).status).toBe(200)
      }, 120_000)

      test('serves a payment that was settled and never served, once, without charging again', async () => {
        const payer = await newPayer()
        const payload = await payloadOf(report, payer)
        await settleElsewhere(payload)
        const header = headerFor('server', payload)
        expect(await show('server', header, '/archive')).toEqual({ status: 402, isSettled: false })
        expect(await show('server', header)).toEqual({ status: 200, isSettled: true })
        expect(await show('server', header)).toEqual({ status: 402, isSettled: false })
        expect(await spent(payer)).toBe(10_000n)
      }, 120_000)

      test('does not serve at the old price what was never served', async () => {
        const payload = await payloadOf(archive, await newPayer())
        await settleElsewhere(payload, archive)
        await changePrice(archive, '0.03')
        const header = headerFor('server', payload, archive)
        expect(await show('server', header, '/archive')).toEqual({ status: 402, isSettled: false })
        await changePrice(archive, '0.02')
        expect(await show('server', header, '/archive')).toEqual({ status: 200, isSettled: true })
      }, 120_000)

      test('asks for payment with what it fetched, and answers nonsense the same way', async () => {
        const challenge = await fetch(`${shops.server.url}/report`)
        const url = `${PUBLIC_URL}/report`
        const v1 = { network: 'base-sepolia', maxAmountRequired: report.amount, resource: url }
        const body = { x402Version: 1, accepts: [{ ...report, ...v1, mimeType: '' }] }
        const header = challenge.headers.get('PAYMENT-REQUIRED') ?? ''
        expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual({
          x402Version: 2,
          accepts: [report],
          resource: { url },
        })
        expect({ status: challenge.status, body: await challenge.json() }).toEqual({
          status: 402,
          body,
        })
        const nonsense = await fetch(`${shops.server.url}/report`, {
          headers: { 'X-PAYMENT': '%%' },
        })
        expect({ status: nonsense.status, body: await nonsense.json() }).toEqual({
          status: 402,
          body: { ...body, error: 'invalid_payload' },
        })
      })
    })

    test('the plain flow remembers over a restart what it has served', async () => {
      const header = headerFor('server', await newPayload())
      expect((await show('server', header)).status).toBe(200)
      await shops.server.stop()
      shops.server = await startShop({ publicUrl: PUBLIC_URL, home: stack.home })
      expect(await show('server', header)).toEqual({ status: 402, isSettled: false })
    }, 120_000)
  })
}

/** Requests a path with a payment; `isSettled` is what the server says of the payment in its answer. */
async function show(example: Example, header: string, path = '/report') {
  const name = example === 'hono' ? 'PAYMENT-SIGNATURE' : 'X-PAYMENT'
  const response = await fetch(shops[example].url + path, { headers: { [name]: header } })
  await response.text()
  const isSettled = response.status === 200 && isSettledBy(response.headers)
  return { status: response.status, isSettled }
}

function isSettledBy(headers: Headers): boolean {
  const text = headers.get('payment-response') ?? headers.get('x-payment-response') ?? ''
  return JSON.parse(Buffer.from(text, 'base64').toString()).success === true
}

/** The header in the dialect of the example. */
function headerFor(example: Example, payload: PaymentPayload, requirements = report): string {
  const { description: _, ...accepted } = requirements
  const v1 = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload }
  const v2 = { x402Version: 2, accepted, payload }
  return Buffer.from(JSON.stringify(example === 'expressV1' ? v1 : v2)).toString('base64')
}

/** Settles a payment as if a server had done it and then died. */
async function settleElsewhere(payload: PaymentPayload, requirements = report): Promise<void> {
  const response = await fetch(`${stack.description.apiUrl}/v1/x402/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      x402Version: 2,
      paymentPayload: headerOf(requirements, payload),
      paymentRequirements: requirements,
    }),
  })
  expect(await response.json()).toMatchObject({ success: true })
}

async function changePrice({ extra }: RequirementsJson, amountUsd: string): Promise<void> {
  const { apiUrl, secretKey } = stack.description
  const response = await fetch(`${apiUrl}/v1/x402/endpoints/${extra.endpointId}`, {
    method: 'PATCH',
    headers: { 'X-Service-Key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amountUsd }),
  })
  expect(response.status).toBe(200)
}

async function requirementsOf(path: string): Promise<RequirementsJson> {
  const url = encodeURIComponent(PUBLIC_URL + path)
  const { requirements } = await callApi<{ requirements: RequirementsJson }>(
    stack,
    `/v1/x402/endpoints/requirements?url=${url}`,
  )
  return requirements
}

async function spent(payer: PrivateKeyAccount): Promise<bigint> {
  return FUNDS - (await faucet.balance(payer.address))
}

async function newPayload(): Promise<PaymentPayload> {
  return payloadOf(report, await newPayer())
}

async function newPayer(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await faucet.mined(await faucet.send(account.address, '1'))
  return account
}
