import { describe, expect, test } from 'bun:test'
import {
  type HTTPAdapter,
  HTTPFacilitatorClient,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server'
import type { EndpointId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { X402Endpoint } from '../../../core/x402/endpoint.ts'
import { endpointUrlKey } from '../../../core/x402/url.ts'
import type { Database } from '../../../store/database/database.ts'
import type { NewClaim } from '../../../store/x402/claims.ts'
import { changeEndpoint, findByUrl, registerEndpoint } from '../../../store/x402/endpoints.ts'
import { findTerms } from '../../../store/x402/terms.ts'
import { forThisFile } from '../../support/store/database.ts'
import {
  aClaim,
  anEndpointDraft,
  NETWORK,
  newShop,
  pending,
  type Shop,
} from '../../support/store/x402.ts'

/** Which endpoint a payment is for when all that is known is the URL of its resource. */

let sql: Database
forThisFile((database) => {
  sql = database
})

const PRICE = 10_000n

async function registered(
  shop: Shop,
  url: string,
  { amount = PRICE, at = new Date() }: { amount?: bigint; at?: Date } = {},
): Promise<X402Endpoint> {
  const draft = anEndpointDraft({ url, urlKey: keyOf(url), amount: baseUnits(amount) })
  return (await registerEndpoint(sql, shop.hub, shop.id, draft, at)).endpoint
}

function keyOf(url: string): string {
  const parsed = endpointUrlKey(url)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.key
}

/** The endpoint that a payment of so much for a URL is for. */
async function endpointOf(
  shop: Shop,
  url: string | null,
  amount = PRICE,
  claimed?: NewClaim,
): Promise<EndpointId | null> {
  const { networkId, asset, authorization } = claimed ?? aClaim(shop, { value: amount })
  const { from: payer, nonce: authorizationNonce, to: payTo } = authorization
  const authorized = { networkId, asset, payer, authorizationNonce, payTo, endpointId: null }
  const query = { ...authorized, amount: baseUnits(amount), resource: url && keyOf(url) }
  const [found] = await findTerms(sql, [query])
  return found?.endpoint?.id ?? null
}

test('a payment that was claimed for no endpoint is for none that is registered later', async () => {
  const shop = await newShop(sql)
  const claimed = aClaim(shop, { value: PRICE })
  await pending(sql, claimed)
  const endpoint = await registered(shop, 'https://shop.example/later')
  expect(await endpointOf(shop, 'https://shop.example/later', PRICE, claimed)).toBeNull()
  expect(await endpointOf(shop, 'https://shop.example/later')).toBe(endpoint.id)
})

describe('a payment that names no endpoint is for', () => {
  test('the one price of its URL that it pays, and no other', async () => {
    const shop = await newShop(sql)
    const cheap = await registered(shop, 'https://shop.example/report')
    const dear = await registered(shop, 'https://shop.example/report', { amount: 2n * PRICE })
    expect(await endpointOf(shop, 'https://SHOP.example/report/?page=2')).toBe(cheap.id)
    expect(await endpointOf(shop, 'https://shop.example/report', 2n * PRICE)).toBe(dear.id)
    expect(await endpointOf(shop, 'https://shop.example/report', 3n * PRICE)).toBeNull()
    expect(await endpointOf(shop, 'https://shop.example/other')).toBeNull()
    expect(await endpointOf(shop, null)).toBeNull()
    expect(await endpointOf(await newShop(sql), 'https://shop.example/report')).toBeNull()
    await changeEndpoint(sql, shop.id, cheap.id, { active: false }, new Date())
    expect(await endpointOf(shop, 'https://shop.example/report')).toBeNull()
  })

  test('tools of MCP and agents of A2A as well', async () => {
    const shop = await newShop(sql)
    const tool = await registered(shop, 'mcp://tool/Weather')
    const agent = await registered(shop, 'a2a://agents.example/forecast')
    expect(await endpointOf(shop, 'mcp://tool/Weather')).toBe(tool.id)
    expect(await endpointOf(shop, 'mcp://tool/weather')).toBeNull()
    expect(await endpointOf(shop, 'a2a://agents.example/forecast')).toBe(agent.id)
  })

  test('none, when the URL matches two patterns at the price; but its own URL comes first', async () => {
    const shop = await newShop(sql)
    const byName = await registered(shop, 'https://shop.example/weather/:city')
    expect(await endpointOf(shop, 'https://shop.example/weather/oslo')).toBe(byName.id)
    await registered(shop, 'https://shop.example/*')
    expect(await endpointOf(shop, 'https://shop.example/weather/oslo')).toBeNull()
    const oslo = await registered(shop, 'https://shop.example/weather/oslo')
    expect(await endpointOf(shop, 'https://shop.example/weather/oslo')).toBe(oslo.id)
  })

  test('the endpoint that it was claimed for, regardless of what became of the price', async () => {
    const shop = await newShop(sql)
    const { id } = await registered(shop, 'https://shop.example/*')
    const claimed = aClaim(shop, { value: PRICE, endpointId: id })
    await pending(sql, claimed)
    await changeEndpoint(sql, shop.id, id, { active: false }, new Date())
    expect(await endpointOf(shop, 'https://shop.example/report', PRICE, claimed)).toBe(id)
    expect(await endpointOf(shop, 'https://other.example/report', PRICE, claimed)).toBeNull()
    expect(await endpointOf(shop, 'https://shop.example/report')).toBeNull()
  })
})

test('a price that was replaced is payable for 300 seconds, beside the new one', async () => {
  const shop = await newShop(sql)
  const url = 'https://shop.example/report'
  const { id } = await registered(shop, url)
  const change = (amount: bigint, secondsAgo: number) => {
    const at = new Date(Date.now() - secondsAgo * 1000)
    return changeEndpoint(sql, shop.id, id, { amount: baseUnits(amount) }, at)
  }
  await change(2n * PRICE, 295)
  expect(await endpointOf(shop, url)).toBe(id)
  expect(await endpointOf(shop, url, 2n * PRICE)).toBe(id)
  await change(3n * PRICE, 305)
  expect(await endpointOf(shop, url, 2n * PRICE)).toBeNull()
  // A price of another endpoint that is in force comes before one that was replaced.
  const other = await registered(shop, url)
  expect(await endpointOf(shop, url)).toBe(other.id)
})

describe('patterns match what they match in stock middleware', () => {
  const PATTERNS = [
    '/x/:id',
    '/x/*',
    '/x*',
    '/*',
    '/x/[id]/y',
    '/x/:id/y/*',
    '/v1.0/a+b/:id',
    '/files/:name.json',
  ]
  const PATHS = [
    ...['/', '/x', '/x/', '/X/1', '/x/1', '/x/1/', '/x/1/2', '/xyz', '/x/1/y', '/x/1/y/z/w', '/y'],
    ...['/v1.0/a+b/3', '/v1x0/a+b/3', '/v1.0/aab/3', '/files/a.json', '/files/a.xml', '/files/a/b'],
    '/x/%2F',
  ]
  for (const pattern of PATTERNS) {
    test(pattern, async () => {
      const shop = await newShop(sql)
      await registered(shop, `https://shop.example${pattern}`)
      const ours = []
      for (const path of PATHS) {
        const found = await findByUrl(sql, shop.id, keyOf(`https://shop.example${path}`), [NETWORK])
        if (found.length > 0) ours.push(path)
      }
      expect(ours).toEqual(PATHS.filter((path) => stockMatches(pattern, path)))
      const elsewhere = keyOf(`https://other.example${PATHS[4]}`)
      expect(await findByUrl(sql, shop.id, elsewhere, [NETWORK])).toEqual([])
    })
  }
})

function stockMatches(pattern: string, path: string): boolean {
  const price = { scheme: 'exact', network: 'eip155:84532', payTo: '0x0', price: '$0.01' } as const
  const server = new x402ResourceServer(new HTTPFacilitatorClient())
  const http = new x402HTTPResourceServer(server, { [`GET ${pattern}`]: { accepts: price } })
  const adapter: HTTPAdapter = {
    getHeader: () => undefined,
    getMethod: () => 'GET',
    getPath: () => path,
    getUrl: () => `https://shop.example${path}`,
    getAcceptHeader: () => '*/*',
    getUserAgent: () => 'test',
  }
  return http.requiresPayment({ adapter, path, method: 'GET' })
}
