import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { EndpointJson } from '../../../core/x402/endpoint.ts'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import {
  body,
  endpointOf,
  endpointsOf,
  post,
  register,
  UNKNOWN_ID,
} from '../../support/api/x402Calls.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

function get(id: string): Promise<Answer> {
  return rig.call('GET', `/v1/x402/endpoints/${id}`)
}

function patch(id: string, change: unknown): Promise<Answer> {
  return rig.call('PATCH', `/v1/x402/endpoints/${id}`, { body: change })
}

function deactivate(id: string): Promise<Answer> {
  return rig.call('DELETE', `/v1/x402/endpoints/${id}`)
}

describe('an endpoint', () => {
  test('is read by its id, in capitals too', async () => {
    const endpoint = await register(rig)
    expect(endpointOf(await get(endpoint.id))).toEqual(endpoint)
    expect(endpointOf(await get(endpoint.id.toUpperCase()))).toEqual(endpoint)
  })

  test('is changed in the fields that are given', async () => {
    rig.setClock(new Date('2026-08-01T12:00:00Z'))
    const endpoint = await register(rig)
    rig.setClock(new Date('2026-08-01T12:30:00Z'))
    const priced = endpointOf(await patch(endpoint.id, { amountUsd: '2.5' }))
    const requirements = { ...endpoint.payment_requirements, amount: '2500000' }
    const expected: object = {
      ...endpoint,
      amountUsd: '2.50',
      amount: '2500000',
      updatedAt: '2026-08-01T12:30:00.000Z',
      payment_requirements: requirements,
    }
    expect<object>(priced).toEqual(expected)
    const change = { description: '', ownTransaction: true, acceptsWallets: false }
    expect<object>(endpointOf(await patch(endpoint.id, change))).toEqual({
      ...expected,
      ...change,
      payment_requirements: { ...requirements, description: '' },
    })
    rig.setClock(null)
    expect(endpointOf(await get(endpoint.id)).amount).toBe('2500000')
  })

  test('stays as it is when nothing changes', async () => {
    const endpoint = await register(rig)
    for (const change of [{}, { active: true, amountUsd: 0.01, description: 'A report' }]) {
      const answer = await patch(endpoint.id, change)
      expect([answer.status, endpointOf(answer)]).toEqual([200, endpoint])
    }
  })

  test('is deactivated, once and for all who ask again, and asks for nothing then', async () => {
    const endpoint = await register(rig)
    const first = await deactivate(endpoint.id)
    const expected: object = {
      ...endpoint,
      active: false,
      payment_requirements: null,
      updatedAt: endpointOf(first).updatedAt,
    }
    expect(first.status).toBe(200)
    expect<object>(endpointOf(first)).toEqual(expected)
    const second = await deactivate(endpoint.id)
    expect(second.status).toBe(200)
    expect<object>(endpointOf(second)).toEqual(expected)
    expect<object>(endpointOf(await get(endpoint.id))).toEqual(expected)
  })

  test('comes into service again by PATCH', async () => {
    const endpoint = await register(rig)
    expect(endpointOf(await patch(endpoint.id, { active: false })).active).toBe(false)
    const again = endpointOf(await patch(endpoint.id, { active: true }))
    expect(again).toEqual({ ...endpoint, updatedAt: again.updatedAt })
  })

  test('on a chain that is switched off can be read and asks for nothing', async () => {
    const endpoint = await register(rig, { network: 'sepolia' })
    const off = await openRig({
      databaseUrl: rig.config.databaseUrl,
      variables: { RPC_URL_SEPOLIA: '' },
    })
    const { secretKey: key } = rig.merchant
    const answer = await off.call('GET', `/v1/x402/endpoints/${endpoint.id}`, { key })
    expect(endpointOf(answer)).toEqual({ ...endpoint, payment_requirements: null })
    await off.close()
  })
})

describe('409 endpoint conflict', () => {
  async function two(): Promise<{ cheap: EndpointJson; dear: EndpointJson }> {
    const { endpointUrl } = body()
    const cheap = await register(rig, { endpointUrl })
    return { cheap, dear: await register(rig, { endpointUrl, amountUsd: 1 }) }
  }

  test('for the price of another active endpoint of the URL', async () => {
    const { cheap, dear } = await two()
    const answer = await patch(cheap.id, { amountUsd: 1 })
    expectError(answer, 409, 'endpoint conflict')
    expect(answer.json.details?.map(({ path }) => path)).toEqual(['amountUsd'])
    expect(endpointOf(await get(cheap.id))).toEqual(cheap)
    await deactivate(dear.id)
    expect((await patch(cheap.id, { amountUsd: 1 })).status).toBe(200)
  })

  test('for taking an endpoint into service whose place is taken', async () => {
    const { cheap, dear } = await two()
    await deactivate(cheap.id)
    expect((await patch(dear.id, { amountUsd: '0.01' })).status).toBe(200)
    const answer = await patch(cheap.id, { active: true })
    expectError(answer, 409, 'endpoint conflict')
    expect(answer.json.details?.map(({ path }) => path)).toEqual(['active'])
  })
})

describe('400 invalid request body', () => {
  test.each([
    [{ endpointUrl: 'https://shop.example/other' }, 'endpointUrl'],
    [{ network: 'sepolia' }, 'network'],
    [{ amountUsd: 0 }, 'amountUsd'],
    [{ amountUsd: '0.0000001' }, 'amountUsd'],
    [{ description: 'x'.repeat(1001) }, 'description'],
    [{ description: 5 }, 'description'],
    [{ active: 'no' }, 'active'],
    [{ ownTransaction: 1 }, 'ownTransaction'],
    [[], ''],
    [undefined, ''],
  ])('for a change to %p', async (change, path) => {
    const { id } = await register(rig)
    expectDetail(await patch(id, change), 'invalid request body', path)
  })

  test('for a price below what is worth settling on the chain', async () => {
    const dear = await openRig({ variables: { MIN_X402_USDC_BASE_SEPOLIA: '0.005' } })
    const { id } = await register(dear)
    const path = `/v1/x402/endpoints/${id}`
    const answer = await dear.call('PATCH', path, { body: { amountUsd: '0.004999' } })
    expectDetail(answer, 'invalid request body', 'amountUsd', 'at least 0.005 on Base Sepolia')
    await dear.close()
  })
})

test('400 invalid endpoint id', async () => {
  for (const id of ['7', `${UNKNOWN_ID}0`, '%zz', '%00']) {
    const answers = await Promise.all([get(id), patch(id, {}), deactivate(id)])
    for (const answer of answers) expectDetail(answer, 'invalid endpoint id', 'id')
  }
})

test('404 endpoint not found, for an unknown one and for another merchant’s', async () => {
  const { secretKey: key } = await rig.newMerchant()
  const theirs = await register(rig, {}, { key })
  for (const id of [UNKNOWN_ID, theirs.id]) {
    const answers = [await get(id), await patch(id, { active: false }), await deactivate(id)]
    for (const answer of answers) expectError(answer, 404, 'endpoint not found')
  }
  const untouched = await rig.call('GET', `/v1/x402/endpoints/${theirs.id}`, { key })
  expect(endpointOf(untouched)).toEqual(theirs)
})

describe('the list of endpoints', () => {
  /** The newest first. */
  const endpoints: EndpointJson[] = []
  let key: string

  beforeAll(async () => {
    key = (await rig.newMerchant()).secretKey
    for (let i = 0; i < 5; i++) {
      rig.setClock(new Date(Date.UTC(2026, 0, 1, 0, i)))
      const network = i === 3 ? 'sepolia' : 'base-sepolia'
      endpoints.unshift(await register(rig, { network }, { key }))
    }
    rig.setClock(null)
    const [, second] = endpoints
    await rig.call('DELETE', `/v1/x402/endpoints/${second?.id}`, { key })
  })

  async function ids(query: string): Promise<readonly string[]> {
    const answer = await rig.call('GET', `/v1/x402/endpoints${query}`, { key })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    return endpointsOf(answer).data.map(({ id }) => id)
  }

  function chosen(...places: number[]): string[] {
    return places.map((place) => endpoints[place]?.id ?? '')
  }

  test('has the newest first, deactivated ones included', async () => {
    expect(await ids('')).toEqual(chosen(0, 1, 2, 3, 4))
  })

  test('is paged like every list', async () => {
    expect(await ids('?limit=2&page=2')).toEqual(chosen(2, 3))
    expect(await ids('?limit=2&offset=3')).toEqual(chosen(3, 4))
    const answer = await rig.call('GET', '/v1/x402/endpoints?limit=2&page=3', { key })
    const pagination = { page: 3, limit: 2, total: 5, totalPages: 3 }
    expect(endpointsOf(answer).metadata).toEqual({ pagination })
  })

  test('is filtered by activity and network', async () => {
    expect(await ids('?active=true')).toEqual(chosen(0, 2, 3, 4))
    expect(await ids('?active=false')).toEqual(chosen(1))
    expect(await ids('?network=sepolia')).toEqual(chosen(1))
    expect(await ids('?network=eip155:84532&active=true&limit=2')).toEqual(chosen(0, 2))
    expect(await ids('?network=eip155:80002')).toEqual([])
  })

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['active', 'yes'],
    ['network', 'eip155:1'],
    ['network', ''],
    ['status', 'active'],
  ])('400 invalid query parameters, for %s=%s', async (name, value) => {
    const answer = await rig.call('GET', `/v1/x402/endpoints?${name}=${value}`)
    expectDetail(answer, 'invalid query parameters', name)
  })
})

test('a body is refused when it is too long', async () => {
  const long = { description: 'x'.repeat(256 * 1024) }
  const { id } = await register(rig)
  expectError(await patch(id, long), 413, 'request body too large')
  expectError(await post(rig, body(long)), 413, 'request body too large')
})
