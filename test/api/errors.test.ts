import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../api/app.ts'
import { watchAvailability } from '../../store/availability.ts'
import { openDatabase } from '../../store/database.ts'
import { expectDetail, expectError, UUID } from './answers.ts'
import { confirm, pay } from './ledger.ts'
import { type ApiRig, openRig } from './rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.close())

const NOBODYS = '019a0000-0000-7000-8000-000000000000'
const READS = ['/v1/invoices/ID', '/v1/invoices/ID/transactions'] as const

function post(body: unknown, headers?: Record<string, string>) {
  return rig.call('POST', '/v1/invoices', { body, ...(headers ? { headers } : {}) })
}

describe('POST /v1/invoices', () => {
  test('400 "invalid request body" when tokenSymbol is missing', async () => {
    const answer = await post({ amountExpected: '1' })
    expectDetail(answer, 'invalid request body', 'tokenSymbol', 'is required')
  })

  test('400 "invalid request body" when amountExpected is missing', async () => {
    const answer = await post({ tokenSymbol: 'USDC' })
    expectDetail(answer, 'invalid request body', 'amountExpected', 'is required')
  })

  test.each([0, -1, '0', '0.000', '-1'])(
    '400 "invalid request body" when amountExpected is %p, which is not more than 0',
    async (amountExpected) => {
      const answer = await post({ tokenSymbol: 'USDC', amountExpected })
      expectDetail(answer, 'invalid request body', 'amountExpected')
    },
  )

  test.each(['{"tokenSymbol":', 'USDC', '{} {}', "{'tokenSymbol':'USDC'}"])(
    '400 "invalid request body" for the malformed JSON %s',
    async (body) => expectDetail(await post(body), 'invalid request body', '', 'must be JSON'),
  )

  test.each([undefined, 'null', '[]', '"USDC"', '7'])(
    '400 "invalid request body" for %p, which is no object',
    async (body) => expectDetail(await post(body), 'invalid request body', ''),
  )

  test('400 "unknown chain" when a value in chains is not recognised', async () => {
    const answer = await post({
      tokenSymbol: 'USDC',
      amountExpected: '1',
      chains: ['sepolia', 'atlantis'],
    })
    expectDetail(answer, 'unknown chain', 'chains.1', 'must be one of sepolia, base-sepolia')
  })

  test('400 "no supported chains for token" for a token that no chain has', async () => {
    const answer = await post({ tokenSymbol: 'DOGE', amountExpected: '1' })
    expectDetail(answer, 'no supported chains for token', 'tokenSymbol')
  })

  test('400 "invalid recipient address" when recipient is no EVM address', async () => {
    const answer = await post({ tokenSymbol: 'USDC', amountExpected: '1', recipient: '0x12' })
    expectDetail(answer, 'invalid recipient address', 'recipient', 'must be an EVM address')
  })

  test('401 "unauthorized" without a key, before the body is even looked at', async () => {
    const answer = await rig.call('POST', '/v1/invoices', { key: null, body: '{' })
    expectError(answer, 401, 'unauthorized')
  })

  test('409 "externalRef conflict" when the reference was used with other parameters', async () => {
    await rig.create({ externalRef: 'taken' })
    const answer = await post({ tokenSymbol: 'USDC', amountExpected: '11', externalRef: 'taken' })
    expectError(answer, 409, 'externalRef conflict')
  })

  test('413 "request body too large" when more than 256 KB are announced', async () => {
    const answer = await post(`"${'x'.repeat(256 * 1024)}"`)
    expectError(answer, 413, 'request body too large')
  })

  test('413 "request body too large" while a stream is still being read', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(16 * 1024).fill(32))
      },
    })
    const answer = await post(endless)
    expectError(answer, 413, 'request body too large')
    expect(pulled).toBeLessThan(30)
  })

  test('a body of exactly 256 KB is read', async () => {
    const answer = await post('{}'.padEnd(256 * 1024, ' '))
    expectDetail(answer, 'invalid request body', 'tokenSymbol')
  })
})

describe('GET /v1/invoices', () => {
  test('400 "invalid query parameters" names the parameter that is wrong', async () => {
    const answer = await rig.call('GET', '/v1/invoices?limit=0')
    expectDetail(answer, 'invalid query parameters', 'limit', 'from 1 to 100')
  })

  test('401 "unauthorized" without a key', async () => {
    expectError(await rig.call('GET', '/v1/invoices', { key: null }), 401, 'unauthorized')
  })
})

describe.each([...READS])('GET %s', (path) => {
  test.each(['7', 'not-a-uuid', `${NOBODYS}0`, '%E0%A4%A'])(
    '400 "invalid invoice id" for %s',
    async (id) => {
      const answer = await rig.call('GET', path.replace('ID', id))
      expectDetail(answer, 'invalid invoice id', 'id', 'must be a UUID')
    },
  )

  test('401 "unauthorized" without a key, even when the id is wrong as well', async () => {
    const answer = await rig.call('GET', path.replace('ID', '7'), { key: null })
    expectError(answer, 401, 'unauthorized')
  })

  test('404 "invoice not found" when there is no such invoice', async () => {
    expectError(await rig.call('GET', path.replace('ID', NOBODYS)), 404, 'invoice not found')
  })

  test('404 "invoice not found" for another merchant\'s invoice', async () => {
    const { id } = await rig.create()
    const other = await rig.newMerchant()
    const answer = await rig.call('GET', path.replace('ID', id), { key: other.secretKey })
    expectError(answer, 404, 'invoice not found')
  })
})

describe('POST /v1/invoices/:id/expire', () => {
  test('400 "invalid invoice id" for what is no UUID', async () => {
    const answer = await rig.call('POST', '/v1/invoices/7/expire')
    expectDetail(answer, 'invalid invoice id', 'id')
  })

  test('404 "invoice not found" when there is no such invoice', async () => {
    const answer = await rig.call('POST', `/v1/invoices/${NOBODYS}/expire`)
    expectError(answer, 404, 'invoice not found')
  })

  test('409 "invoice already paid" when it was paid', async () => {
    const invoice = await rig.create()
    await pay(rig, invoice, 10_000_000n)
    await confirm(rig, invoice)
    const answer = await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
    expectError(answer, 409, 'invoice already paid')
  })
})

describe('every endpoint', () => {
  test.each(['/', '/v1', '/v1/invoice', '/v2/invoices', '/v1/invoices/a/b/c'])(
    '404 "not found" for the unknown route %s',
    async (path) => expectError(await rig.call('GET', path), 404, 'not found'),
  )

  test.each([
    ['PUT', '/v1/invoices', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', `/v1/invoices/${NOBODYS}`, 'GET, HEAD, OPTIONS'],
    ['GET', `/v1/invoices/${NOBODYS}/expire`, 'POST, OPTIONS'],
    ['POST', '/v1/utils/chains', 'GET, HEAD, OPTIONS'],
  ])('405 "method not allowed" for %s %s, with Allow: %s', async (method, path, allow) => {
    const answer = await rig.call(method, path)
    expectError(answer, 405, 'method not allowed')
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test('OPTIONS answers 204 with the methods that there are', async () => {
    const answer = await rig.call('OPTIONS', '/v1/invoices', { key: null })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })

  test('HEAD answers as GET does', async () => {
    expect((await rig.call('HEAD', '/v1/utils/chains')).status).toBe(200)
  })

  test('429 "too many requests" when the limit is exceeded, with Retry-After', async () => {
    const strict = await openRig({ variables: { RATE_LIMIT_AUTHENTICATED: '1' } })
    await strict.call('GET', '/v1/invoices')
    const answer = await strict.call('GET', '/v1/invoices')
    expectError(answer, 429, 'too many requests')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await strict.close()
  })

  test('500 "internal error" tells nothing of what happened inside, but the log does', async () => {
    await rig.database`alter table invoice rename to mislaid`
    const answer = await rig.call('GET', '/v1/invoices')
    await rig.database`alter table mislaid rename to invoice`
    expectError(answer, 500, 'internal error')
    expect(Object.keys(answer.json).sort()).toEqual(['error', 'success', 'traceId'])
    expect(answer.text).not.toContain('relation')
    const line = rig.log.find(({ traceId, err }) => traceId === answer.json.traceId && err)
    expect(JSON.stringify(line)).toContain('invoice')
  })

  test('503 "service unavailable" while the database is away', async () => {
    const gone = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { name: 'gone' })
    const availability = watchAvailability(gone, { onOutage() {}, onRecovery() {} })
    const app = createApp({ ...rig.deps, database: gone, keyDatabase: gone, availability })
    const headers = { 'x-service-key': rig.merchant.secretKey }
    const response = await app.handle(new Request('http://localhost/v1/invoices', { headers }))
    const body: unknown = await response.json()
    availability.stop()
    await gone.end({ timeout: 0 })
    expect(response.status).toBe(503)
    expect(body).toEqual({
      success: false,
      error: 'service unavailable',
      traceId: expect.stringMatching(UUID),
    })
  })
})

describe('traceId', () => {
  test('names a request in the body, in the header X-Trace-Id and in the log', async () => {
    const answer = await rig.call('GET', `/v1/invoices/${NOBODYS}`)
    const { traceId } = answer.json
    expect(answer.headers.get('x-trace-id')).toBe(traceId)
    await Bun.sleep(20)
    const line = rig.log.find((entry) => entry.traceId === traceId)
    expect(line).toMatchObject({ method: 'GET', status: 404 })
  })

  test('X-Trace-Id is on successes too and differs from request to request', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await rig.call('GET', '/health')).headers.get('x-trace-id')),
    )
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(3)
  })

  test('no key is ever in the log', async () => {
    await rig.create()
    await rig.call('GET', '/v1/invoices', { key: `sk_test_${'x'.repeat(43)}` })
    await Bun.sleep(20)
    const log = JSON.stringify(rig.log)
    expect(log).not.toContain(rig.merchant.secretKey.slice(8))
    expect(log).not.toContain('x'.repeat(43))
  })
})
