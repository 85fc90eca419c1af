import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { EURC, seeIndexed, seeListed, separateWrongly } from '../../support/servers/eurc.ts'

/** A token that came after hubs were deployed: it is offered where the hub lists it and the index follows it. */

let chain: HubChain
let rig: ApiRig

beforeAll(async () => {
  chain = await startHubChain({ mining: 200 })
  rig = await openRig({ variables: { RPC_URL_BASE_SEPOLIA: chain.node.url } })
}, 120_000)
afterAll(async () => {
  await rig?.close()
  await chain?.node.stop()
})

const INVOICE = { tokenSymbol: 'EURC', amountExpected: '25' }
const endpointUrl = 'https://shop.example/eurc'
const ENDPOINT = { endpointUrl, asset: 'EURC', network: 'eip155:84532', amount: '10000' }
const post = (path: string, body: object) => rig.call('POST', path, { body })

/** The token's entry at the public list, or undefined. */
async function listed(): Promise<unknown> {
  const tokens: { symbol: string }[] = JSON.parse(
    (await rig.call('GET', '/v1/utils/tokens', { key: null })).text,
  )
  return tokens.find(({ symbol }) => symbol === 'EURC')
}

async function expectNotOffered(): Promise<void> {
  expect(await listed()).toBeUndefined()
  const invoice = await post('/v1/invoices', INVOICE)
  expect([invoice.status, invoice.json.error]).toEqual([400, 'no supported chains for token'])
  const price = await post('/v1/prices', { amount: '25', currency: 'EUR', tokens: ['EURC'] })
  expect([price.status, price.json.error]).toEqual([400, 'no supported chains for token'])
  const endpoint = await post('/v1/x402/endpoints', ENDPOINT)
  expect([endpoint.status, endpoint.json.error]).toEqual([400, 'no supported chains for token'])
  expect(endpoint.json.details?.[0]?.message).toEndWith('on Base Sepolia: "USDC"')
}

describe('EURC is not offered', () => {
  test('before a worker has seen the hub', async () => {
    await rig.deps.tokens.refresh()
    await expectNotOffered()
    expect(rig.deps.tokens.warnings()).toEqual([])
  })

  test('while the hub does not list it, regardless of what the index follows', async () => {
    await seeIndexed(rig.database)
    await seeListed(rig.database, rig.config.hub, false)
    await rig.deps.tokens.refresh()
    await expectNotOffered()
    expect(rig.deps.tokens.warnings()).toEqual([])
  })

  test('because another hub lists it', async () => {
    await seeListed(rig.database, lowerCaseAddress(`0x${'77'.repeat(20)}`), true)
    await rig.deps.tokens.refresh()
    await expectNotOffered()
  })

  test('before the index follows it, which operators are told', async () => {
    await rig.database`delete from indexed_token`
    await seeListed(rig.database, rig.config.hub, true)
    await rig.deps.tokens.refresh()
    await expectNotOffered()
    expect(rig.deps.tokens.warnings()).toEqual([
      expect.stringContaining('base-sepolia: the hub lists EURC, but it is offered only once'),
    ])
  })
})

describe('EURC with a DOMAIN_SEPARATOR of something else', () => {
  beforeAll(async () => {
    await seeListed(rig.database, rig.config.hub, true)
    await seeIndexed(rig.database)
    await separateWrongly(chain, true)
    await rig.deps.tokens.refresh()
  })
  afterAll(() => separateWrongly(chain, false))

  test('pays invoices, and is refused for x402, which operators are told', async () => {
    expect((await post('/v1/invoices', INVOICE)).status).toBe(201)
    const refused = await post('/v1/x402/endpoints', ENDPOINT)
    expect(refused.json.details?.[0]?.message).toEndWith('on Base Sepolia: "USDC"')
    const warning =
      'base-sepolia: EURC accepts no x402 payments by EIP-3009: its DOMAIN_SEPARATOR is not that of its name "EURC" and version "2"'
    expect(rig.deps.tokens.warnings()).toEqual([warning])
    const { text } = await rig.call('GET', '/ready', { key: null })
    expect(text).toContain(JSON.stringify(warning).slice(1, -1))
    expect(rig.log.map(({ msg }) => msg)).toContain('a token accepts no x402 payments by EIP-3009')
  })

  test('no other token loses by it', async () => {
    const usdc = { ...ENDPOINT, asset: 'USDC', endpointUrl: `${endpointUrl}/usdc` }
    expect((await post('/v1/x402/endpoints', usdc)).status).toBe(201)
  })
})

describe('EURC that is listed and followed', () => {
  beforeAll(async () => {
    await seeListed(rig.database, rig.config.hub, true)
    await seeIndexed(rig.database)
    await rig.deps.tokens.refresh()
  })

  test('is offered where its contract is', async () => {
    const chains = [{ networkId: 'base-sepolia', address: checksumAddress(EURC) }]
    expect(await listed()).toEqual({ symbol: 'EURC', name: 'EURC', decimals: 6, chains })
    expect(rig.deps.tokens.warnings()).toEqual([])
  })

  test('pays an invoice in euros one to one, and none in another currency without a rate', async () => {
    const made = await post('/v1/invoices', { ...INVOICE, currency: 'EUR' })
    expect(made.json.data).toMatchObject({
      ...{ tokenSymbol: 'EURC', amountExpected: '25', tokenAddress: checksumAddress(EURC) },
      fiat: { currency: 'EUR', amount: '25', rate: '1', source: 'fixed' },
      addresses: [{ networkId: 'base-sepolia' }],
    })
    const dollars = await post('/v1/invoices', { ...INVOICE, currency: 'USD' })
    expect([dollars.status, dollars.json.details]).toEqual([
      400,
      [{ path: 'currency', message: 'must be one of EUR' }],
    ])
    const euros = await post('/v1/invoices', { ...INVOICE, tokenSymbol: 'USDC', currency: 'EUR' })
    expect(euros.json.details).toEqual([{ path: 'currency', message: 'must be one of USD' }])
  })

  test('shares no price without a currency with tokens that stand for another one', async () => {
    const price = (body: object) => post('/v1/prices', { amount: '25', ...body })
    const mixed = await price({ tokens: ['USDC', 'EURC'] })
    const message = 'must be given: USDC and EURC are in different currencies'
    expect(mixed.json.details).toEqual([{ path: 'currency', message }])
    expect((await price({ tokens: ['EURC'] })).status).toBe(201)
    expect((await price({ tokens: ['USDC', 'USDT'] })).status).toBe(201)
  })

  test('is asked for by x402 with the domain that its contract tells', async () => {
    const made = await post('/v1/x402/endpoints', ENDPOINT)
    expect(made.status).toBe(201)
    const endpoint = JSON.parse(made.text).data
    expect(endpoint).toMatchObject({
      ...{ asset: 'EURC', amount: '10000', amountUsd: null },
      payment_requirements: {
        ...{ asset: checksumAddress(EURC), amount: '10000', extra: { name: 'EURC', version: '2' } },
      },
    })
    const path = `/v1/x402/endpoints/requirements?url=${encodeURIComponent(endpointUrl)}`
    const { requirements } = JSON.parse((await rig.call('GET', path)).text).data
    expect(requirements).toEqual(endpoint.payment_requirements)
    const change = (body: object) =>
      rig.call('PATCH', `/v1/x402/endpoints/${endpoint.id}`, { body })
    expect((await change({ amountUsd: '0.02' })).json.details?.[0]?.path).toBe('amountUsd')
    expect(JSON.parse((await change({ amount: '20000' })).text).data.amount).toBe('20000')
  })

  test('is not asked for in dollars', async () => {
    const { amount: _, ...rest } = ENDPOINT
    const made = await post('/v1/x402/endpoints', { ...rest, amountUsd: '0.01' })
    expect([made.status, made.json.details?.[0]?.path]).toEqual([400, 'amountUsd'])
  })

  test('is not offered any more once the hub has taken it off its list', async () => {
    const invoice = await rig.create(INVOICE)
    await seeListed(rig.database, rig.config.hub, false)
    await rig.deps.tokens.refresh()
    await expectNotOffered()
    const path = `/v1/x402/endpoints/requirements?url=${encodeURIComponent(endpointUrl)}`
    expect((await rig.call('GET', path)).status).toBe(404)
    // What was made stays as it is, for payers, too.
    const { json } = await rig.call('GET', `/v1/invoices/${invoice.id}`)
    expect(json.data).toMatchObject({ tokenSymbol: 'EURC', tokenAddress: checksumAddress(EURC) })
    const session = await post('/v1/checkout/sessions', { invoice: invoice.id })
    expect(session.status).toBe(200)
    expect(session.text).toContain(checksumAddress(EURC))
  })
})
