import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import { body, register, requirementsOf, UNKNOWN_ID } from '../../support/api/x402Calls.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

function find(url: string, key?: string): Promise<Answer> {
  const path = `/v1/x402/endpoints/requirements?url=${encodeURIComponent(url)}`
  return rig.call('GET', path, key === undefined ? {} : { key })
}

describe('the requirements of a URL', () => {
  test('are what registration answered, in the envelope with the version to use', async () => {
    const endpoint = await register(rig)
    const answer = await find(endpoint.endpointUrl)
    expect(answer.status).toBe(200)
    const requirements = endpoint.payment_requirements
    expect<object>(requirementsOf(answer)).toEqual({
      x402Version: 2,
      requirements,
      accepts: [requirements],
    })
  })

  test('are found however the URL is written, but not by another path', async () => {
    await register(rig, { endpointUrl: 'https://Shop.example/Report' })
    for (const url of [
      'https://shop.example/Report/',
      'HTTPS://SHOP.EXAMPLE:443/Report?day=1&x=%20#top',
    ]) {
      expect((await find(url)).status).toBe(200)
    }
    for (const url of [
      'http://shop.example/Report',
      'https://shop.example/report',
      'https://shop.example:444/Report',
      'https://shop.example/Report/1',
      'https://shop.example',
    ]) {
      expectError(await find(url), 404, 'endpoint not found')
    }
  })

  test('list all active prices, the newest first', async () => {
    const { endpointUrl } = body()
    const first = await register(rig, { endpointUrl })
    const second = await register(rig, { endpointUrl, amountUsd: 2 })
    const third = await register(rig, { endpointUrl, network: 'sepolia' })
    const all = [third, second, first].map((endpoint) => endpoint.payment_requirements)
    const { requirements, accepts } = requirementsOf(await find(endpointUrl))
    expect<object>({ requirements, accepts }).toEqual({ requirements: all[0], accepts: all })
    await rig.call('DELETE', `/v1/x402/endpoints/${third.id}`)
    expect<unknown>(requirementsOf(await find(endpointUrl)).accepts).toEqual(all.slice(1))
  })

  test('are found by the merchant only who registered it', async () => {
    const { endpointUrl } = await register(rig)
    const { secretKey } = await rig.newMerchant()
    expectError(await find(endpointUrl, secretKey), 404, 'endpoint not found')
  })

  test('are gone when it is deactivated', async () => {
    const { id, endpointUrl } = await register(rig)
    await rig.call('DELETE', `/v1/x402/endpoints/${id}`)
    expectError(await find(endpointUrl), 404, 'endpoint not found')
  })

  test('are gone while the chain is switched off', async () => {
    const { id, endpointUrl } = await register(rig, { network: 'sepolia' })
    const off = await openRig({
      databaseUrl: rig.config.databaseUrl,
      variables: { RPC_URL_SEPOLIA: '' },
    })
    const { secretKey: key } = rig.merchant
    const url = encodeURIComponent(endpointUrl)
    const paths = [`requirements?url=${url}`, `${id}/requirements`]
    for (const path of paths) {
      const answer = await off.call('GET', `/v1/x402/endpoints/${path}`, { key })
      expectError(answer, 404, 'endpoint not found')
    }
    await off.close()
  })
})

describe('400 invalid query parameters', () => {
  test.each([
    ['without a URL', '', 'url'],
    ['for an empty one', 'url=', 'url'],
    ['for something that is no full URL', 'url=shop.example', 'url'],
    ['for another scheme', 'url=ftp://shop.example/', 'url'],
    ['for a URL with credentials', 'url=https://me:pw@shop.example/', 'url'],
    ['for two', 'url=https://shop.example/&url=https://shop.example/', 'url'],
    ['for a URL that was not encoded', 'url=https://shop.example/?a=1&day=2', 'day'],
  ])('%s', async (_what, query, path) => {
    const answer = await rig.call('GET', `/v1/x402/endpoints/requirements?${query}`)
    expectDetail(answer, 'invalid query parameters', path)
  })
})

describe('the requirements of an endpoint by its id', () => {
  test('are of this one, though its URL has a newer price', async () => {
    const endpoint = await register(rig)
    await register(rig, { endpointUrl: endpoint.endpointUrl, amountUsd: 3 })
    const answer = await rig.call('GET', `/v1/x402/endpoints/${endpoint.id}/requirements`)
    const requirements = endpoint.payment_requirements
    expect<object>(requirementsOf(answer)).toEqual({
      x402Version: 2,
      requirements,
      accepts: [requirements],
    })
  })

  test('are not found of an unknown, another merchant’s or a deactivated one', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const theirs = await register(rig, {}, { key })
    const old = await register(rig)
    await rig.call('DELETE', `/v1/x402/endpoints/${old.id}`)
    for (const id of [UNKNOWN_ID, theirs.id, old.id]) {
      const answer = await rig.call('GET', `/v1/x402/endpoints/${id}/requirements`)
      expectError(answer, 404, 'endpoint not found')
    }
  })

  test('need an id that is a UUID', async () => {
    const answer = await rig.call('GET', '/v1/x402/endpoints/7/requirements')
    expectDetail(answer, 'invalid endpoint id', 'id')
  })
})
