import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../../api/app.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { insertRelayerKey } from '../../../store/relayer/keys.ts'
import { expectError } from '../../support/api/answers.ts'
import { randomHash } from '../../support/api/ledger.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import { register, UNKNOWN_ID } from '../../support/api/x402Calls.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig({
    variables: { RATE_LIMIT_X402: '4', RATE_LIMIT_AUTHENTICATED: '6' },
  })
}, 120_000)

afterAll(() => rig.close())

/** Both limits at once would hide which of them counted. */
function limitOf(answer: Answer): (string | null)[] {
  return ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => answer.headers.get(name))
}

const STATUS = `/v1/x402/payments/status?nonce=${randomHash()}`
const REQUIREMENTS = '/v1/x402/endpoints/requirements?url=https://shop.example/none'
const OPEN = ['/v1/x402/supported', STATUS]
const LOCKED: [string, string][] = [
  ['POST', '/v1/x402/endpoints'],
  ['GET', '/v1/x402/endpoints'],
  ['GET', `/v1/x402/endpoints/${UNKNOWN_ID}`],
  ['PATCH', `/v1/x402/endpoints/${UNKNOWN_ID}`],
  ['DELETE', `/v1/x402/endpoints/${UNKNOWN_ID}`],
  ['GET', REQUIREMENTS],
  ['GET', `/v1/x402/endpoints/${UNKNOWN_ID}/requirements`],
  ['GET', '/v1/x402/payments'],
  ['GET', `/v1/x402/payments/${UNKNOWN_ID}`],
]

let peers = 0

/** A client that no one has counted yet. */
function newPeer(): void {
  peers += 1
  rig.setPeer(`198.51.100.${peers}`)
}

describe('a key', () => {
  test.each(LOCKED)('is needed for %s %s, a secret one', async (method, path) => {
    for (const key of [null, 'sk_test_wrong', rig.merchant.publishableKey]) {
      newPeer()
      expectError(await rig.call(method, path, { key }), 401, 'unauthorized')
    }
  })

  test.each(OPEN)('is not needed for %s, but must be valid when it is given', async (path) => {
    newPeer()
    expect((await rig.call('GET', path, { key: null })).status).toBe(200)
    const { secretKey } = await rig.newMerchant()
    expect((await rig.call('GET', path, { key: secretKey })).status).toBe(200)
    for (const key of ['', 'sk_test_wrong', rig.merchant.publishableKey]) {
      newPeer()
      const headers = { 'x-service-key': key }
      expectError(await rig.call('GET', path, { headers }), 401, 'unauthorized')
    }
  })
})

describe('the limit of pay-per-request endpoints', () => {
  test('counts by client address without a key', async () => {
    newPeer()
    const answers: Answer[] = []
    for (const path of [STATUS, '/v1/x402/supported', STATUS, '/v1/x402/payments/status', STATUS]) {
      answers.push(await rig.call('GET', path, { key: null }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 429])
    expect(answers.map(limitOf)).toEqual(['3', '2', '1', '0', '0'].map((left) => ['4', left]))
    newPeer()
    expect((await rig.call('GET', STATUS, { key: null })).status).toBe(200)
  })

  test('counts by merchant with a key, lookups of requirements included', async () => {
    newPeer()
    const { secretKey: key } = await rig.newMerchant()
    const { id } = await register(rig, {}, { key })
    const answers: Answer[] = []
    for (const path of [STATUS, REQUIREMENTS, `/v1/x402/endpoints/${id}/requirements`, STATUS]) {
      answers.push(await rig.call('GET', path, { key }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200])
    expect(answers.map(limitOf)).toEqual(['3', '2', '1', '0'].map((left) => ['4', left]))
    const refused = await rig.call('GET', REQUIREMENTS, { key })
    expectError(refused, 429, 'too many requests')
    expect(refused.headers.get('retry-after')).not.toBeNull()
  })

  test('is not that of the merchants’ other endpoints', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const answers: Answer[] = []
    for (const path of ['endpoints', 'payments', `payments/${UNKNOWN_ID}`]) {
      answers.push(await rig.call('GET', `/v1/x402/${path}`, { key }))
    }
    expect(answers.map(limitOf)).toEqual(['5', '4', '3'].map((left) => ['6', left]))
    expect(limitOf(await rig.call('GET', STATUS, { key }))).toEqual(['4', '3'])
  })
})

describe('/v1/x402/supported', () => {
  test('is a bare object with each chain as both versions name it, and the relayers', async () => {
    newPeer()
    const addresses = [
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ]
    for (const networkId of ['sepolia', 'base-sepolia', 'polygon-amoy']) {
      for (const address of addresses.map(lowerCaseAddress)) {
        await insertRelayerKey(rig.database, { networkId, address, nextNonce: 0n })
      }
    }
    const stolen = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
    await insertRelayerKey(rig.database, { networkId: 'sepolia', address: stolen, nextNonce: 0n })
    await rig.database`
      update relayer_key set status = 'quarantined' where address = ${stolen}`
    const answer = await rig.call('GET', '/v1/x402/supported', { key: null })
    expect(answer.status).toBe(200)
    const supported: Record<string, unknown> = JSON.parse(answer.text)
    expect(supported).toEqual({
      kinds: expect.any(Array),
      extensions: ['bazaar', 'eip2612GasSponsoring'],
      signers: { 'eip155:*': expect.any(Array) },
    })
    expect(supported.kinds).toHaveLength(6)
    expect(supported.kinds).toEqual(
      expect.arrayContaining([
        { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
        // Without a receiverAuthorizer: no one here signs for servers.
        { x402Version: 2, scheme: 'batch-settlement', network: 'eip155:84532' },
        { x402Version: 2, scheme: 'batch-settlement', network: 'eip155:11155111' },
        { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
        { x402Version: 2, scheme: 'exact', network: 'eip155:11155111' },
        { x402Version: 1, scheme: 'exact', network: 'sepolia' },
      ]),
    )
    const { signers } = supported
    expect(signers).toEqual({ 'eip155:*': addresses.toReversed() })
  })
})

describe('a doubled slash before the path', () => {
  test('is tolerated everywhere, over a socket as well', async () => {
    newPeer()
    const { secretKey: key } = await rig.newMerchant()
    const { id } = await register(rig, {}, { key })
    const app = createApp(rig.deps).listen({ hostname: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${app.server?.port}/v1/x402/`
    const statuses: number[] = []
    for (const path of ['/supported', '/payments', `/endpoints/${id}`, '/endpoints?limit=1']) {
      const response = await fetch(`${base}${path}`, { headers: { 'x-service-key': key } })
      statuses.push(response.status)
      await response.body?.cancel()
    }
    for (const path of ['/verify', '/settle']) {
      const response = await fetch(`${base}${path}`, { method: 'POST', body: '{}' })
      statuses.push(response.status)
      await response.body?.cancel()
    }
    await app.stop(true)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200])
  })

  test('leads to 404 and 405 like a single one', async () => {
    expectError(await rig.call('GET', '/v1/x402//nothing'), 404, 'not found')
    const answer = await rig.call('POST', '/v1/x402//supported')
    expectError(answer, 405, 'method not allowed')
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})
