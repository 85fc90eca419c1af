import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Remit } from '@remit/sdk'
import type { ServedPayment } from '@remit/sdk/x402'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { openShop as openExample } from '../../../examples/shop/shop.ts'
import { FRAMEWORKS, openPaywall, type Paywalled, REPORT } from '../sdk/paywalls.ts'
import { createProjects, type Projects, runWith } from '../sdk/project.ts'
import { callApi, type DevStack } from '../servers/devStack.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { headerOf, payloadOf } from '../x402/paymentHeader.ts'
import { type Client, STOCK_CLIENTS } from '../x402/stockClients.ts'
import { running } from './stack.ts'

/** The SDK as merchants get it, against the development stack. */

const URL_OF_REPORT = 'https://sdk.example/report'
const PRICE = 10_000n
const FUNDS = 1_000_000n

let stack: DevStack
let projects: Projects
let faucet: Payer
let remit: Remit
let requirements: RequirementsJson
const open: Paywalled[] = []

export function sdk(): void {
  describe('the SDK', () => {
    beforeAll(async () => {
      projects = await createProjects()
      stack = running()
      faucet = await openPayer(stack.description, 'base-sepolia')
      const { apiUrl, secretKey } = stack.description
      remit = new Remit({ apiUrl, key: secretKey })
      for (const endpointUrl of [URL_OF_REPORT, `${URL_OF_REPORT}/other`]) {
        const price = { asset: 'USDC', network: 'eip155:84532', amountUsd: '0.01' }
        await remit.x402.endpoints.create({ endpointUrl, ...price })
      }
      requirements = await requirementsOf(URL_OF_REPORT)
    }, 240_000)

    afterAll(async () => {
      for (const server of open) server.close()
      projects.remove()
    }, 120_000)

    test('the packed SDK makes, lists, refunds and hears of an invoice, under Node and under Bun', async () => {
      const { apiUrl, secretKey } = stack.description
      const programs = [
        [projects.node, 'node', 'built/merchant.js'],
        [projects.bun, process.execPath, 'merchant.ts'],
      ] as const
      const printed = await Promise.all(
        programs.map(([folder, ...command]) => {
          const variables = { API_URL: apiUrl, SECRET_KEY: secretKey, ORDER: `order of ${folder}` }
          return runWith(variables, folder, ...command)
        }),
      )
      for (const text of printed) {
        expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toEqual({
          isSameInvoice: true,
          isListed: true,
          hasAtLeastTwo: true,
          received: '5',
          refund: { amount: '2', isSame: true },
          isRefundHeardOf: true,
          areForgeriesRefused: true,
          session: { isSame: true, state: 'choosing' },
          isLinked: true,
          unknown: { status: 404, error: 'invoice not found' },
        })
      }
    }, 120_000)

    test('the example shop may make sessions of its price from its own origin, and no other may', async () => {
      const { apiUrl, secretKey, publishableKey } = stack.description
      const example = await openExample({ apiUrl, secretKey, publishableKey, port: 0 })
      const page = await (await fetch(example.origin)).text()
      const price = /data-price="([^"]+)"/.exec(page)?.[1]
      const statuses: number[] = []
      for (const origin of [example.origin, 'https://elsewhere.example']) {
        const response = await fetch(`${apiUrl}/v1/checkout/sessions`, {
          method: 'POST',
          headers: { 'X-Service-Key': publishableKey, 'content-type': 'application/json', origin },
          body: JSON.stringify({ price, clientReference: crypto.randomUUID() }),
        })
        statuses.push(response.status)
      }
      expect(statuses).toEqual([201, 403])
      await example.stop()
    })

    describe.each(FRAMEWORKS)('the paywall for %s', (framework) => {
      test('is paid by the stock clients of v2, and serves each payment once', async () => {
        const { url } = await opened({ framework })
        await expectPaid(url, ['@x402/fetch', '@x402/axios'])

        const header = headerOf(requirements, await payloadOf(requirements, await newPayer()))
        const shown = await Promise.all(Array.from({ length: 5 }, () => show(url, header)))
        expect(shown.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402])
        expect(await show(url, header)).toMatchObject({
          status: 402,
          error: 'duplicate_settlement',
        })
      }, 120_000)
    })

    describe('a paywall', () => {
      test('that speaks v1 is paid by its stock clients', async () => {
        const { url } = await opened({ framework: 'Hono', speaksV1: true })
        await expectPaid(url, ['x402-fetch', 'x402-axios'])
      }, 120_000)

      test('opens for no other price, for nothing that paid for another URL, and for no forged signature', async () => {
        const { url } = await opened({ framework: 'Hono' })
        const [payer, thief] = [await newPayer(), privateKeyToAccount(generatePrivateKey())]
        const cheap = headerOf(
          requirements,
          await payloadOf(requirements, payer, { value: '9999' }),
        )
        expect((await show(url, cheap)).status).toBe(402)
        const other = await requirementsOf(`${URL_OF_REPORT}/other`)
        expect(await spent(payer)).toBe(0n)

        const payload = await payloadOf(requirements, payer)
        await settle(headerOf(other, payload), other)
        expect((await show(url, headerOf(requirements, payload))).status).toBe(402)
        const { signature } = await payloadOf(requirements, thief, payload.authorization)
        const forged = headerOf(requirements, { ...payload, signature })
        expect((await show(url, forged)).status).toBe(402)
        expect((await show(url, '%%')).error).toBe('invalid_payload')
      }, 120_000)

      test('takes the price that a payer was asked for a moment ago, and says in words what it refuses', async () => {
        const { url } = await opened({ framework: 'Hono' })
        const payer = await newPayer()
        const header = headerOf(requirements, await payloadOf(requirements, payer))
        const low = headerOf(requirements, await payloadOf(requirements, payer, { value: '9999' }))
        const { endpointId } = requirements.extra
        await remit.x402.endpoints.change(endpointId, { amountUsd: '0.05' })
        expect(await show(url, low)).toMatchObject({
          status: 402,
          errorMessage: expect.stringContaining('over 9999 base units'),
        })
        expect((await show(url, header)).status).toBe(200)
        expect(await spent(payer)).toBe(PRICE)
        await remit.x402.endpoints.change(endpointId, { amountUsd: '0.01' })
      }, 120_000)

      test('that writes down what it serves, serves what was settled and never served, once', async () => {
        const known = new Set<string>()
        const served = ({ paymentId }: ServedPayment) => known.size < known.add(paymentId).size
        const { url } = await opened({ framework: 'Express', served })
        const header = headerOf(requirements, await payloadOf(requirements, await newPayer()))
        await settle(header)
        expect((await show(url, header)).status).toBe(200)
        expect((await show(url, header)).status).toBe(402)
        expect(known.size).toBe(1)
      }, 120_000)

      test('says 503 while the API is away, and throws where it has no price', async () => {
        const away = new Remit({ apiUrl: 'http://127.0.0.1:1', key: 'sk_test_x' })
        const { url } = await opened({ framework: 'Hono', remit: away })
        expect((await show(url, 'anything')).status).toBe(503)
        const unpriced = await opened({ framework: 'Hono', url: 'https://shop.example/free' })
        expect((await show(unpriced.url, 'anything')).status).toBe(500)
      })
    })
  })
}

/** Each of these clients pays the price once and is served. */
async function expectPaid(url: string, clients: readonly Client[]): Promise<void> {
  const payers = await Promise.all(clients.map(newPayer))
  const answers = await Promise.all(
    payers.map((payer, i) => STOCK_CLIENTS[clients[i] ?? '@x402/fetch'](url, payer)),
  )
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 200, body: REPORT, settled: { success: true } })
  }
  expect(await Promise.all(payers.map(spent))).toEqual(clients.map(() => PRICE))
}

interface Wanted {
  readonly framework: (typeof FRAMEWORKS)[number]
  readonly remit?: Remit
  readonly url?: string
  readonly speaksV1?: boolean
  readonly served?: (payment: ServedPayment) => boolean
}

async function opened({ framework, ...options }: Wanted): Promise<Paywalled> {
  const server = await openPaywall(framework, { remit, url: URL_OF_REPORT, ...options })
  open.push(server)
  return server
}

interface Shown {
  readonly status: number
  readonly error?: string
  readonly errorMessage?: string
}

async function show(url: string, header: string): Promise<Shown> {
  const response = await fetch(url, { headers: { 'X-PAYMENT': header } })
  const { error, errorMessage } = await response.json().catch(() => ({}))
  return { status: response.status, error, errorMessage }
}

async function settle(header: string, price = requirements): Promise<void> {
  const { success } = await remit.x402.settle({
    x402Version: 2,
    paymentPayload: header,
    paymentRequirements: { ...price },
  })
  expect(success).toBe(true)
}

async function requirementsOf(url: string): Promise<RequirementsJson> {
  const path = `/v1/x402/endpoints/requirements?url=${encodeURIComponent(url)}`
  return (await callApi<{ requirements: RequirementsJson }>(stack, path)).requirements
}

async function spent(payer: PrivateKeyAccount): Promise<bigint> {
  return FUNDS - (await faucet.balance(payer.address))
}

async function newPayer(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await faucet.mined(await faucet.send(account.address, '1'))
  return account
}
