import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { checksumAddress } from '../../../core/chain/evm.ts'
import { forwarderAddress } from '../../../core/hub/deposit.ts'
import { setRecipient } from '../../../store/access/merchants.ts'
import { expectDetail, expectError, ISO_TIME, UUID } from '../../support/api/answers.ts'
import { type ApiRig, HUB, openRig } from '../../support/api/rig.ts'
import {
  body,
  endpointOf,
  post,
  register,
  registered,
  SEPOLIA_USDC,
  USDC,
} from '../../support/api/x402Calls.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

interface Item {
  readonly networkId: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
}

function workOf(merchantId: MerchantId): Promise<Item[]> {
  return rig.database<Item[]>`
    select network_id, kind, payload from work_item
    where payload->>'merchantId' = ${merchantId} order by id`
}

describe('registering an endpoint', () => {
  test('answers 201 with the endpoint and what to put into a 402 body', async () => {
    const answer = await post(rig, body({ endpointUrl: 'https://Shop.example/report' }))
    expect(answer.status).toBe(201)
    const { merchant } = rig.merchant
    const payTo = checksumAddress(forwarderAddress(HUB, merchant.id))
    const endpoint = endpointOf(answer)
    const requirements = {
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: USDC,
      payTo,
      maxTimeoutSeconds: 300,
      extra: { name: 'USDC', version: '2', merchantId: merchant.id, endpointId: endpoint.id },
      description: 'A report',
    }
    expect<object>(registered(answer)).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(UUID),
        merchantId: merchant.id,
        endpointUrl: 'https://Shop.example/report',
        description: 'A report',
        network: 'eip155:84532',
        networkId: 'base-sepolia',
        asset: 'USDC',
        assetAddress: USDC,
        amountUsd: '0.01',
        amount: '10000',
        payTo,
        active: true,
        ownTransaction: false,
        acceptsWallets: true,
        discoverable: false,
        discovery: null,
        createdAt: expect.stringMatching(ISO_TIME),
        updatedAt: endpoint.createdAt,
        payment_requirements: requirements,
      },
      payment_requirements: requirements,
    })
  })

  test('takes a networkId, a price as text, and no description', async () => {
    const { description: _, ...rest } = body({ network: 'sepolia', amountUsd: '12.345678' })
    const endpoint = endpointOf(
      await post(rig, { ...rest, ownTransaction: true, acceptsWallets: false }),
    )
    expect(endpoint).toMatchObject({
      network: 'eip155:11155111',
      networkId: 'sepolia',
      assetAddress: SEPOLIA_USDC,
      amountUsd: '12.345678',
      amount: '12345678',
      description: '',
      ownTransaction: true,
      acceptsWallets: false,
    })
  })

  test.each([
    [1, '1.00', '1000000'],
    ['0.1', '0.10', '100000'],
    [0.000001, '0.000001', '1'],
    ['999999999999.999999', '999999999999.999999', '999999999999999999'],
  ])('turns %p dollars into base units exactly', async (amountUsd, shown, amount) => {
    expect(await register(rig, { amountUsd })).toMatchObject({ amountUsd: shown, amount })
  })

  test('gives the merchant one forwarder, watched, regardless of the chain', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant()
    const first = await register(rig, {}, { key })
    const second = await register(rig, { network: 'sepolia' }, { key })
    expect(second.payTo).toBe(first.payTo)
    expect(first.payTo).toBe(checksumAddress(forwarderAddress(HUB, merchant.id)))
    const address = first.payTo.toLowerCase()
    const rows = await rig.database`
      select f.address, f.hub, w.kind from forwarder f join watched w using (address)
      where f.merchant_id = ${merchant.id}`
    expect([...rows]).toEqual([{ address, hub: HUB, kind: 'forwarder' }])
  })

  test('queues the forwarder and its registry entry once per chain, and rings there', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant()
    rig.bells.length = 0
    await register(rig, {}, { key })
    await register(rig, {}, { key })
    await register(rig, { network: 'sepolia' }, { key })
    const { id: merchantId } = merchant
    const configured = { merchantId, treasury: merchant.recipient, version: 1 }
    expect<object[]>(await workOf(merchantId)).toMatchObject([
      { networkId: 'base-sepolia', kind: 'deploy', payload: { merchantId } },
      { networkId: 'base-sepolia', kind: 'configure', payload: configured },
      { networkId: 'sepolia', kind: 'deploy', payload: { merchantId } },
      { networkId: 'sepolia', kind: 'configure', payload: configured },
    ])
    expect(rig.bells).toEqual(
      ['base-sepolia', 'base-sepolia', 'sepolia'].map((networkId) => ({
        networkIds: [networkId],
        message: { type: 'work_waiting' },
      })),
    )
  })

  test('queues no registry entry for a merchant without a recipient', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant(null)
    await register(rig, {}, { key })
    expect((await workOf(merchant.id)).map(({ kind }) => kind)).toEqual(['deploy'])
  })

  test('makes the forwarder no recipient of its own money', async () => {
    const { merchant, secretKey: key } = await rig.newMerchant()
    const { payTo } = await register(rig, {}, { key })
    const change = await setRecipient(rig.database, rig.config, merchant.id, payTo)
    expect(change).toMatchObject({ ok: false, reason: 'invalid_recipient' })
  })
})

describe('the same URL at the same price again', () => {
  const url = 'https://shop.example/again'

  test('answers 200 with the original, however the URL is written', async () => {
    const original = await register(rig, { endpointUrl: url })
    rig.bells.length = 0
    for (const endpointUrl of [url, 'HTTPS://SHOP.example:443/again/', `${url}?day=1#top`]) {
      const answer = await post(rig, body({ endpointUrl, amountUsd: '0.010' }))
      expect(answer.status).toBe(200)
      expect(endpointOf(answer)).toEqual(original)
    }
    expect(rig.bells).toEqual([])
  })

  test('answers 200 when a field is not mentioned', async () => {
    const { description: _, ...rest } = body({ endpointUrl: url })
    expect((await post(rig, rest)).status).toBe(200)
  })

  test.each([
    ['description', 'Another report', 'PATCH'],
    ['ownTransaction', true, 'PATCH'],
    ['acceptsWallets', false, 'PATCH'],
  ])('answers 409 when %s is another one, and changes nothing', async (field, value, advice) => {
    const answer = await post(rig, body({ endpointUrl: url, [field]: value }))
    expectError(answer, 409, 'endpoint conflict')
    expect(answer.json.details).toEqual([{ path: field, message: expect.stringContaining(advice) }])
    expect((await post(rig, body({ endpointUrl: url }))).status).toBe(200)
  })

  test('is another endpoint at another price, on another chain or for another merchant', async () => {
    const endpointUrl = 'https://shop.example/prices'
    const { secretKey: key } = await rig.newMerchant()
    const ids = [
      await register(rig, { endpointUrl }),
      await register(rig, { endpointUrl, amountUsd: 0.02 }),
      await register(rig, { endpointUrl, network: 'sepolia' }),
      await register(rig, { endpointUrl }, { key }),
    ].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  test('makes one endpoint of ten requests at once, for a merchant without any before', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const sent = body()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(rig, sent, { key })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map((answer) => endpointOf(answer).id)).size).toBe(1)
  })

  test('is a new endpoint once the old one is deactivated', async () => {
    const sent = body()
    const old = endpointOf(await post(rig, sent))
    await rig.call('DELETE', `/v1/x402/endpoints/${old.id}`)
    const answer = await post(rig, sent)
    expect(answer.status).toBe(201)
    expect(endpointOf(answer).id).not.toBe(old.id)
  })
})

describe('400 invalid request body', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['with an unknown field', { price: 1 }, 'price'],
    ['without a URL', { endpointUrl: undefined }, 'endpointUrl'],
    ['with a URL that is no string', { endpointUrl: 7 }, 'endpointUrl'],
    ['with a path for a URL', { endpointUrl: '/report' }, 'endpointUrl'],
    ['with an ftp URL', { endpointUrl: 'ftp://shop.example/a' }, 'endpointUrl'],
    ['with credentials', { endpointUrl: 'https://me:pw@shop.example/a' }, 'endpointUrl'],
    ['with a long URL', { endpointUrl: `https://shop.example/${'a'.repeat(2048)}` }, 'endpointUrl'],
    [
      'with a URL that grows when it is encoded',
      { endpointUrl: `https://shop.example/${'ü'.repeat(1000)}` },
      'endpointUrl',
    ],
    ['with NUL', { endpointUrl: 'https://shop.example/\0' }, 'endpointUrl'],
    ['with a long description', { description: 'x'.repeat(1001) }, 'description'],
    ['without an asset', { asset: undefined }, 'asset'],
    ['without a network', { network: undefined }, 'network'],
    ['without a price', { amountUsd: undefined }, 'amountUsd'],
    ['with a price of zero', { amountUsd: 0 }, 'amountUsd'],
    ['with a negative price', { amountUsd: '-1' }, 'amountUsd'],
    ['with seven decimals', { amountUsd: '0.0000001' }, 'amountUsd'],
    ['with an exponent', { amountUsd: '1e3' }, 'amountUsd'],
    ['with a boolean price', { amountUsd: true }, 'amountUsd'],
    ['with text for ownTransaction', { ownTransaction: 'yes' }, 'ownTransaction'],
    ['with text for acceptsWallets', { acceptsWallets: 'no' }, 'acceptsWallets'],
  ]
  test.each(cases)('%s', async (_what, change, path) => {
    expectDetail(await post(rig, body(change)), 'invalid request body', path)
  })

  test('for a body that is no object', async () => {
    expectDetail(await post(rig, '[]'), 'invalid request body', '')
    expectDetail(await post(rig, '{'), 'invalid request body', '')
  })

  test('for less than is worth settling on the chain, whatever is worth it elsewhere', async () => {
    const dear = await openRig({ variables: { MIN_X402_USDC_SEPOLIA: '0.5' } })
    const answer = await post(dear, body({ network: 'sepolia', amountUsd: '0.499999' }))
    expectDetail(answer, 'invalid request body', 'amountUsd', 'at least 0.5 on Sepolia')
    await register(dear, { network: 'sepolia', amountUsd: '0.5' })
    await register(dear, { amountUsd: '0.499999' })
    await dear.close()
  })
})

test.each(['eip155:1', 'polygon-amoy', 'base', 'EIP155:84532', '84532', ''])(
  '400 unknown chain, for %p',
  async (network) => {
    expectDetail(await post(rig, body({ network })), 'unknown chain', 'network', 'eip155:84532')
  },
)

test.each(['USDT', 'EURe', 'usdc', '', '__proto__'])(
  '400 no supported chains for token, for %p, which takes no signed authorizations',
  async (asset) => {
    const answer = await post(rig, body({ asset }))
    expectDetail(answer, 'no supported chains for token', 'asset', 'USDC')
  },
)
