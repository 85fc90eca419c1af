import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { declareDiscoveryExtension, withBazaar } from '@x402/extensions/bazaar'
import { toolOf } from '../../../../core/x402/metadata.ts'
import { expectSettled, present } from '../../../support/x402/cases.ts'
import { channelOf } from '../../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** The catalogue of what can be paid for, and metadata that comes back with payments, by the stock client. */

const declared = declareDiscoveryExtension({
  input: { city: 'Oslo' },
  inputSchema: { properties: { city: { type: 'string' } } },
  output: { example: { sky: 'blue' } },
})
const bazaar = { info: declared.bazaar?.info, schema: declared.bazaar?.schema }
const DISCOVERY = {
  mimeType: 'application/json',
  serviceName: 'Nordlys',
  tags: ['weather', 'north'],
  iconUrl: 'https://cdn.shop.example/icon.png',
  ...bazaar,
}

let stack: X402Stack
let server: ReturnType<typeof Bun.serve>
let client: ReturnType<typeof openClient>

beforeAll(async () => {
  stack = await startX402Stack({ variables: { RATE_LIMIT_UTILITY: '100000' } })
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      return stack.fetch(pathname + search, request)
    },
  })
  client = openClient()
}, 120_000)

afterAll(async () => {
  await server.stop(true)
  await stack.close()
})

function openClient() {
  return withBazaar(new HTTPFacilitatorClient({ url: `http://127.0.0.1:${server.port}/v1/x402` }))
}

let registered = 0

async function register(
  change: object = {},
): Promise<{ readonly id: string; readonly url: string }> {
  registered += 1
  const url = `https://shop.example/forecast-${registered}`
  const sent = { endpointUrl: url, asset: 'USDC', network: 'base-sepolia', amountUsd: '0.01' }
  const { data } = await call('POST', '', { ...sent, ...change }, 201)
  return { id: data.id, url: data.endpointUrl }
}

async function call(method: string, path: string, body: object, status = 200) {
  const answer = await stack.fetch(`/v1/x402/endpoints${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-service-key': stack.merchant.secretKey },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const json = await answer.json()
  expect({ status: answer.status, json }).toMatchObject({ status })
  return json
}

async function found(query: string): Promise<string[]> {
  const { resources } = await client.extensions.bazaar.search({ query })
  return resources.map(({ resource }) => resource)
}

describe('an endpoint that its merchant lists', () => {
  test('is found at once, before any payment, with all that was said of it', async () => {
    const description = 'Northern lights tonight'
    const { id, url } = await register({ discoverable: true, discovery: DISCOVERY, description })
    const dear = { endpointUrl: url, amountUsd: '0.02' }
    await register({ ...dear, discoverable: true, discovery: DISCOVERY, description })
    const { items, pagination } = await client.extensions.bazaar.listResources({ type: 'http' })
    expect(pagination).toEqual({ limit: 20, offset: 0, total: 1 })
    const { info, schema, ...about } = DISCOVERY
    expect(items).toMatchObject([
      {
        ...{ resource: url, type: 'http', x402Version: 2, description, ...about },
        extensions: { bazaar: { info, schema } },
      },
    ])
    expect(items[0]?.accepts.map(({ amount }) => amount)).toEqual(['20000', '10000'])
    for (const query of ['northern', 'LIGHTS ton', 'Nordlys weather', 'forecast 1']) {
      expect(await found(query)).toEqual([url])
    }
    expect(await found('southern')).toEqual([])
    expect(await found('northern southern')).toEqual([])
    await call('PATCH', `/${id}`, { discoverable: false })
    expect(await found('northern')).toEqual([url])
  })

  test('is found by the first search after the answer, however many others there are', async () => {
    await stack.database`
      insert into x402_endpoint (id, merchant_id, url, url_key, description, network_id, token_symbol,
        asset, amount, discoverable)
      select gen_random_uuid(), ${stack.merchant.id}, url, url, 'Northern ' || md5(url),
        'base-sepolia', 'USDC', ${stack.chain.usdc.address}, 10000, true
      from (select 'https://many.example/' || i as url from generate_series(1, 5000) i) many`
    const { url } = await register({ discoverable: true, description: 'Aurora borealis' })
    const answeredAt = performance.now()
    expect(await found('borealis')).toEqual([url])
    console.log(`found ${(performance.now() - answeredAt).toFixed(1)} ms after the answer`)
    await stack.database`delete from x402_endpoint where url like 'https://many.example/%'`
  })

  test('is found by what it has, and no longer than it is listed', async () => {
    const { id, url } = await register({ discoverable: true, description: 'Tides of Bergen' })
    const { bazaar: catalogue } = client.extensions
    const { forwarder: payTo } = stack.merchant
    const search = async (filter: object) =>
      (await catalogue.search({ query: 'bergen', ...filter })).resources.length
    expect(await search({ payTo, scheme: 'exact', network: 'eip155:84532' })).toBe(1)
    const { forwarder: other } = await stack.newMerchant()
    for (const filter of [
      { payTo: other },
      { scheme: 'upto' },
      { extensions: 'bazaar' },
      { type: 'mcp' },
    ]) {
      expect(await search(filter)).toBe(0)
    }
    expect(await found('Tides')).toEqual([url])
    await call('PATCH', `/${id}`, { active: false })
    expect(await found('Tides')).toEqual([])
  })

  test('is on one page of several', async () => {
    for (let i = 0; i < 3; i += 1) await register({ discoverable: true, description: 'Pages' })
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = { limit: 2, ...(cursor && { cursor }) }
      const answer = await client.extensions.bazaar.search({ query: 'pages', ...page })
      seen.push(...answer.resources.map(({ resource }) => resource))
      cursor = answer.pagination?.cursor ?? null
    }
    expect(seen).toHaveLength(3)
    expect(new Set(seen).size).toBe(3)
  })
})

describe('tools of one MCP server', () => {
  const tool = (toolName: string) => ({
    info: { input: { type: 'mcp', toolName, inputSchema: {} } },
  })
  const register = (path: string, name: string | null, amountUsd: string, status = 201) =>
    call(
      'POST',
      '',
      {
        ...{ endpointUrl: `https://mcp.example/${path}`, asset: 'USDC', network: 'base-sepolia' },
        ...{ amountUsd, discoverable: true },
        ...(name === null ? {} : { discovery: tool(name) }),
      },
      status,
    )
  const listed = async (query: string, filter: object = {}) => {
    const { resources } = await client.extensions.bazaar.search({ query, ...filter })
    return resources.map(({ type, accepts, extensions }) => [
      type,
      toolOf(Object(extensions).bazaar),
      accepts.map(({ amount }) => amount),
    ])
  }
  const required = async (path: string, name?: string) => {
    const query = new URLSearchParams({ url: `https://mcp.example/${path}` })
    if (name !== undefined) query.set('toolName', name)
    const { data } = await call('GET', `/requirements?${query}`, {})
    return data.accepts.map(({ amount }: { amount: string }) => amount)
  }

  test('are listings of their own, each with its own prices', async () => {
    await register('two', 'cheap', '0.01')
    await register('two', 'dear', '0.02')
    await register('two', 'dear', '0.03')
    const both = [
      ['mcp', 'dear', ['30000', '20000']],
      ['mcp', 'cheap', ['10000']],
    ]
    expect(await listed('mcp two')).toEqual(both)
    expect(await listed('mcp two', { type: 'mcp' })).toEqual(both)
    expect(await listed('mcp two', { type: 'http' })).toEqual([])
    expect(await listed('two cheap')).toEqual(both.slice(1))
    expect(await required('two', 'cheap')).toEqual(['10000'])
    // Never the price of the cheap one for the dear one.
    expect(await required('two')).toEqual(['30000', '20000'])
    await call('GET', `/requirements?url=https://mcp.example/two&toolName=none`, {}, 404)
  })

  test('may cost the same, which is registered once for each', async () => {
    const { data: one } = await register('same', 'one', '0.01')
    const { data: two } = await register('same', 'two', '0.01')
    expect(two.id).not.toBe(one.id)
    expect((await register('same', 'one', '0.01', 200)).data.id).toBe(one.id)
    expect((await register('same', 'two', '0.01', 200)).data.id).toBe(two.id)
    // What describes nothing is what is there.
    expect([one.id, two.id]).toContain((await register('same', null, '0.01', 200)).data.id)
    expect(await listed('same')).toHaveLength(2)
    const refused = await call('PATCH', `/${two.id}`, { discovery: tool('one') }, 409)
    expect(refused.code).toBe('endpoint_conflict')
    await call('PATCH', `/${two.id}`, { discovery: tool('three') })
    expect((await register('same', 'two', '0.01')).data.id).not.toBe(two.id)
    expect((await listed('same')).map(([, name]) => name).sort()).toEqual(['one', 'three', 'two'])
  })

  test('that were registered before each had a key are told apart too', async () => {
    await stack.database`
      insert into x402_endpoint (id, merchant_id, url, url_key, description, network_id, token_symbol,
        asset, amount, discoverable, discovery)
      select gen_random_uuid(), ${stack.merchant.id}, 'https://mcp.example/old', 'https://mcp.example/old', '',
        'base-sepolia', 'USDC', ${stack.chain.usdc.address}, amount, true,
        jsonb_build_object('info', jsonb_build_object('input',
          jsonb_build_object('type', 'mcp', 'toolName', tool, 'inputSchema', '{}'::jsonb)))
      from (values ('a', 10000), ('b', 20000)) t (tool, amount)`
    expect((await listed('old')).map(([, name]) => name).sort()).toEqual(['a', 'b'])
    const before = await register('old', 'a', '0.01', 200)
    await call('PATCH', `/${before.data.id}`, { description: 'Still the same' })
    expect(await listed('old a')).toEqual([['mcp', 'a', ['10000']]])
  })

  test('have payments booked by their URL where one has that price', async () => {
    await register('paid', 'left', '0.02')
    const { data } = await register('paid', 'right', '0.01')
    const presented = await present(stack)
    const { paymentPayload, ...rest } = presented.body
    const resource = { url: 'https://mcp.example/paid' }
    await expectSettled(stack, {
      ...presented,
      body: { ...rest, paymentPayload: { ...Object(paymentPayload), resource } },
    })
    const [row] = await stack.database`
      select endpoint_id from x402_payment where endpoint_id = ${data.id}`
    expect(row).toBeDefined()
  })
})

test('an endpoint that no one lists is not found, and metadata that is refused is told by its field', async () => {
  await register({ description: 'Secret saga' })
  expect(await found('saga')).toEqual([])
  const discovery = { tags: ['<script>alert(1)</script>'] }
  const sent = { endpointUrl: 'https://shop.example/x', asset: 'USDC', network: 'base-sepolia' }
  const refused = await call('POST', '', { ...sent, amountUsd: '0.01', discovery }, 400)
  expect(refused.details).toMatchObject([{ path: 'discovery.tags' }])
})

describe('metadata that comes back with a payment', () => {
  const HOSTILE: Readonly<Record<string, { extension?: object; resource?: object }>> = {
    'a schema of 200 KB': { extension: { schema: { enum: ['x'.repeat(200_000)] } } },
    'a reference to elsewhere': { extension: { schema: { $ref: 'http://169.254.169.254/' } } },
    'an icon at an address': { resource: { iconUrl: 'https://127.0.0.1/icon.png' } },
    'a script in a tag': { resource: { tags: ['<script>alert(1)</script>'] } },
  }

  test('is answered in the header of stock facilitators: under way, and taken', async () => {
    const { url } = await register({ discoverable: true, description: 'Echo' })
    expect(await paid({ resource: { url } })).toEqual(['processing', 'success'])
    expect(await paid({ resource: { url: 'https://shop.example/elsewhere' } })).toEqual([
      'rejected',
      'rejected',
    ])
  })

  test('of a deposit into a channel is answered, too, and costs the channel nothing', async () => {
    const { url } = await register({ discoverable: true, description: 'Echo of channels' })
    const deposited = async (resource: string) => {
      const { deposit } = await channelOf(stack, await stack.newPayer(1_000n))
      const { paymentPayload, paymentRequirements, ...rest } = await deposit(500n)
      const priced = { ...paymentRequirements, amount: '10000' }
      const body = {
        ...rest,
        paymentRequirements: priced,
        paymentPayload: {
          ...paymentPayload,
          accepted: priced,
          resource: { url: resource },
          extensions: { bazaar },
        },
      }
      const statuses: string[] = []
      const { verify, settle } = answering(statuses)
      expect(await verify(body)).toMatchObject({ isValid: true })
      expect(await settle(body)).toMatchObject({ success: true })
      return statuses
    }
    expect(await deposited(url)).toEqual(['processing', 'success'])
    const elsewhere = 'https://shop.example/elsewhere'
    expect(await deposited(elsewhere)).toEqual(['rejected', 'rejected'])
  })

  for (const [name, change] of Object.entries(HOSTILE)) {
    test(`is rejected for ${name}, and the payment is carried out as any other`, async () => {
      const { url } = await register({ discoverable: true, description: 'Hostile' })
      const before = await client.extensions.bazaar.listResources()
      const resource = { url, ...change.resource }
      expect(await paid({ resource, extension: change.extension })).toEqual([
        'rejected',
        'rejected',
      ])
      expect(await client.extensions.bazaar.listResources()).toEqual(before)
    })
  }

  /** Pays, and says what verify and settle answered of the extension. */
  async function paid({
    resource,
    extension = {},
  }: {
    resource: object
    extension?: object | undefined
  }) {
    const presented = await present(stack)
    const { paymentPayload, ...rest } = presented.body
    const extensions = { bazaar: { ...bazaar, ...extension }, 'offer-receipt': { info: {} } }
    const body = { ...rest, paymentPayload: { ...Object(paymentPayload), resource, extensions } }
    const statuses: string[] = []
    await expectSettled({ ...stack, ...answering(statuses) }, { ...presented, body })
    return statuses
  }

  /** verify and settle, which note what they answered of the extension. */
  function answering(statuses: string[]) {
    const calling = (path: string) => async (sent: unknown) => {
      const answer = await stack.fetch(`/v1/x402/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      const header = answer.headers.get('EXTENSION-RESPONSES') ?? ''
      const { bazaar: echo } = JSON.parse(Buffer.from(header, 'base64').toString())
      statuses.push(echo?.status)
      const json = await answer.json()
      if (path === 'settle') expect(json.extensions.bazaar).toEqual(echo)
      return json
    }
    return { verify: calling('verify'), settle: calling('settle') }
  }
})
