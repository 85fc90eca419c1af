import { describe, expect, test } from 'bun:test'
import { type PaymentRequirements, Remit } from '@remit/sdk'
import {
  admit,
  elysiaPaywall,
  expressPaywall,
  honoPaywall,
  type PaywallOptions,
} from '@remit/sdk/x402'
import { Hono } from 'hono'
import { cors } from 'hono/cors'

/** What the paywall asks the API, and what it makes of the answers. With the API itself: test/support/running/sdk.ts. */

const URL_OF_REPORT = 'https://shop.example/report'
const PAYMENT_ID = '0192f0c1-2b8e-7c3a-9d54-1f2e3a4b5c6d'
const SETTLED = { success: true, transaction: '0x7f', network: 'eip155:84532', settledAt: null }

/** A cent on Base, two cents on Base, and a cent on Ethereum, where v1 has no name for it. */
const PRICES = [
  price('eip155:8453', '10000'),
  price('eip155:8453', '20000'),
  price('eip155:1', '10000'),
]

function price(network: string, amount: string): PaymentRequirements {
  const extra = { name: 'USDC', version: '2', merchantId: 'm', endpointId: `${network} ${amount}` }
  const terms = { scheme: 'exact', network, amount, asset: '0xa', payTo: '0xb' } as const
  return { ...terms, maxTimeoutSeconds: 300, extra, description: 'Café' }
}

/** An API with these prices, which answers settle by these results, one after the other. */
function apiThat(...results: readonly object[]) {
  const settled: { readonly paymentRequirements: PaymentRequirements }[] = []
  const fetch = async (request: Request) => {
    if (request.method === 'GET') {
      const data = { x402Version: 2, requirements: PRICES[0], accepts: PRICES }
      return Response.json({ success: true, data })
    }
    settled.push(JSON.parse(await request.text()))
    return Response.json(results[Math.min(settled.length, results.length) - 1])
  }
  return { remit: new Remit({ apiUrl: 'http://api.invalid', key: 'sk_test_x', fetch }), settled }
}

function headerOf(payment: unknown): string {
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

async function visit(
  api: ReturnType<typeof apiThat>,
  more: Partial<PaywallOptions> = {},
  header: string | null = 'x',
) {
  const passage = await admit({ remit: api.remit, url: URL_OF_REPORT, ...more }, header)
  if (passage.paid) return { status: 200, headers: passage.headers, body: null }
  const { status, headers, body } = passage.answer
  return { status, headers, body: JSON.parse(body) }
}

describe('of several prices', () => {
  const authorization = { value: '20000' }
  const payments: [string, unknown, number][] = [
    ['v2 says it whole', { accepted: { network: 'eip155:1', amount: '10000' }, payload: {} }, 2],
    [
      'v1 says the network by name, and signs the amount',
      { network: 'base', payload: { authorization } },
      1,
    ],
    ['the plain flow signs the amount', { authorization }, 1],
    ['something else says nothing', 'nonsense', 0],
  ]

  test.each(payments)('the one is settled that was paid: %s', async (_, payment, index) => {
    const api = apiThat(SETTLED)
    await visit(api, {}, headerOf(payment))
    expect(api.settled.map((sent) => sent.paymentRequirements)).toEqual([PRICES[index] as never])
  })

  test('all are offered, in the words of the version that is spoken', async () => {
    const ours = await visit(apiThat(SETTLED), {}, null)
    expect(ours.body).toEqual({ x402Version: 2, accepts: PRICES })
    const encoded = ours.headers['PAYMENT-REQUIRED'] ?? ''
    expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toEqual({
      x402Version: 2,
      accepts: PRICES,
      resource: { url: URL_OF_REPORT, description: 'Café', mimeType: '' },
    })
    const v1 = await visit(apiThat(SETTLED), { speaksV1: true }, null)
    expect(v1.body).toMatchObject({
      x402Version: 1,
      accepts: [
        { network: 'base', maxAmountRequired: '10000', resource: URL_OF_REPORT },
        { network: 'base', maxAmountRequired: '20000', resource: URL_OF_REPORT },
      ],
    })
  })
})

describe('a settlement', () => {
  const pending = { ...SETTLED, success: false, error: 'settlement_pending' }
  const duplicate = {
    ...SETTLED,
    success: false,
    error: 'duplicate_settlement',
    paymentId: PAYMENT_ID,
  }

  test('that takes long is waited for, not for ever', async () => {
    const slow = apiThat(pending, pending, SETTLED)
    expect((await visit(slow)).status).toBe(200)
    expect(slow.settled).toHaveLength(3)
    const slower = apiThat(pending)
    expect((await visit(slower)).body.error).toBe('settlement_pending')
    expect(slower.settled).toHaveLength(3)
  })

  test('that was reported before opens nothing, unless it is known that it never did', async () => {
    expect((await visit(apiThat(duplicate))).status).toBe(402)
    expect((await visit(apiThat(duplicate), { served: () => true })).status).toBe(200)
    expect((await visit(apiThat(duplicate), { served: async () => false })).status).toBe(402)
  })

  test('that failed is not written down as served', async () => {
    const failed = { ...duplicate, error: 'insufficient_funds' }
    const written: string[] = []
    const served = ({ paymentId }: { paymentId: string }) => written.push(paymentId) > 0
    expect((await visit(apiThat(failed), { served })).status).toBe(402)
    expect(written).toEqual([])
  })
})

describe('what pages of other origins read', () => {
  const EXPOSE = 'access-control-expose-headers'
  const OURS = 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE'
  const optionsOf = () => ({ remit: apiThat(SETTLED).remit, url: URL_OF_REPORT })

  test('is what they owe, and what they paid', async () => {
    expect((await visit(apiThat(SETTLED), {}, null)).headers[EXPOSE]).toBe(OURS)
    expect((await visit(apiThat(SETTLED))).headers[EXPOSE]).toBe(OURS)
  })

  test.each([{}, { 'x-payment': 'x' }])(
    'beside the own headers of a Hono server: %j',
    async (sent) => {
      const app = new Hono()
        .use(cors({ origin: '*', exposeHeaders: ['X-Own'] }))
        .get('/report', honoPaywall(optionsOf()), (context) => context.text('sunny'))
      const response = await app.request('/report', { headers: sent })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get(EXPOSE)).toContain('X-Own')
      expect(response.headers.get(EXPOSE)).toContain('PAYMENT-RE')
    },
  )

  test('beside those of the others', async () => {
    const set = { headers: { 'Access-Control-Expose-Headers': 'X-Own' } }
    const request = new Request(URL_OF_REPORT, { headers: { 'x-payment': 'x' } })
    await elysiaPaywall(optionsOf())({ request, set })
    expect(new Headers(set.headers).get(EXPOSE)).toBe(`X-Own, ${OURS}`)

    const headers = new Headers({ [EXPOSE]: 'X-Own' })
    const response = {
      statusCode: 200,
      getHeader: (name: string) => headers.get(name) ?? undefined,
      setHeader: (name: string, value: string) => headers.set(name, value),
      end: () => {},
    }
    const passed = new Promise((resolve) => {
      const visited = { method: 'GET', headers: { 'x-payment': 'x' } }
      void expressPaywall(optionsOf())(visited, response, resolve)
    })
    await passed
    expect(headers.get(EXPOSE)).toBe(`X-Own, ${OURS}`)
  })
})
