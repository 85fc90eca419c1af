import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERRORS } from '../../core/errors.ts'
import { baseUnits } from '../../core/money.ts'
import { newInvoice } from '../../core/newInvoice.ts'
import { openCreations } from '../../store/creations.ts'
import { type Answer, type ApiRig, HUB, openRig } from './rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 60_000)

afterAll(() => rig.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UNKNOWN_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'
const GOOD = { tokenSymbol: 'USDC', amountExpected: '10' }

function post(body: unknown, headers?: Record<string, string>): Promise<Answer> {
  return rig.call('POST', '/v1/invoices', { body, ...(headers ? { headers } : {}) })
}

function expectError(answer: Answer, status: number, error: string): void {
  expect([answer.status, answer.json.error]).toEqual([status, error])
  expect(answer.json.success).toBe(false)
  expect(answer.json.traceId).toMatch(UUID)
  expect(answer.headers.get('x-trace-id')).toBe(answer.json.traceId ?? '')
  const isBadRequest = status === 400
  expect(Array.isArray(answer.json.details)).toBe(isBadRequest)
  if (isBadRequest) expect(answer.json.details?.length).toBeGreaterThan(0)
}

describe('400 invalid request body', () => {
  const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]))
  const cases: [string, unknown, string][] = [
    ['without tokenSymbol', { amountExpected: 1 }, 'tokenSymbol'],
    ['without amountExpected', { tokenSymbol: 'USDC' }, 'amountExpected'],
    ['with an unknown field', { ...GOOD, expireAt: '2030-01-01T00:00:00Z' }, 'expireAt'],
    [
      'with a field called __proto__',
      '{"tokenSymbol":"USDC","amountExpected":1,"__proto__":{}}',
      '__proto__',
    ],
    ['with a token that is no string', { ...GOOD, tokenSymbol: 1 }, 'tokenSymbol'],
    ['with null for an amount', { ...GOOD, amountExpected: null }, 'amountExpected'],
    ['with a boolean amount', { ...GOOD, amountExpected: true }, 'amountExpected'],
    ['with an amount of zero', { ...GOOD, amountExpected: 0 }, 'amountExpected'],
    ['with an amount of "0.000000"', { ...GOOD, amountExpected: '0.000000' }, 'amountExpected'],
    ['with a negative amount', { ...GOOD, amountExpected: -1 }, 'amountExpected'],
    ['with "-1"', { ...GOOD, amountExpected: '-1' }, 'amountExpected'],
    ['with "+1"', { ...GOOD, amountExpected: '+1' }, 'amountExpected'],
    ['with "01"', { ...GOOD, amountExpected: '01' }, 'amountExpected'],
    ['with "1e3"', { ...GOOD, amountExpected: '1e3' }, 'amountExpected'],
    ['with " 1"', { ...GOOD, amountExpected: ' 1' }, 'amountExpected'],
    ['with "1."', { ...GOOD, amountExpected: '1.' }, 'amountExpected'],
    ['with ".5"', { ...GOOD, amountExpected: '.5' }, 'amountExpected'],
    ['with "1,5"', { ...GOOD, amountExpected: '1,5' }, 'amountExpected'],
    ['with an empty amount', { ...GOOD, amountExpected: '' }, 'amountExpected'],
    ['with seven decimals', { ...GOOD, amountExpected: 0.0000001 }, 'amountExpected'],
    ['with "1.0000000"', { ...GOOD, amountExpected: '1.0000000' }, 'amountExpected'],
    ['with a million million', { ...GOOD, amountExpected: '1000000000000' }, 'amountExpected'],
    [
      'with sixteen digits',
      '{"tokenSymbol":"USDC","amountExpected":1234567890.123456}',
      'amountExpected',
    ],
    [
      'with digits that JSON.parse drops',
      '{"tokenSymbol":"USDC","amountExpected":0.10000000000000000001}',
      'amountExpected',
    ],
    ['with an infinite amount', '{"tokenSymbol":"USDC","amountExpected":1e999}', 'amountExpected'],
    ['with chains that are no list', { ...GOOD, chains: 'sepolia' }, 'chains'],
    ['with a chain that is no string', { ...GOOD, chains: ['sepolia', 1] }, 'chains.1'],
    ['with an externalRef that is no string', { ...GOOD, externalRef: 7 }, 'externalRef'],
    ['with an empty externalRef', { ...GOOD, externalRef: '' }, 'externalRef'],
    ['with a longer externalRef', { ...GOOD, externalRef: 'x'.repeat(256) }, 'externalRef'],
    ['with NUL in externalRef', { ...GOOD, externalRef: 'a\0b' }, 'externalRef'],
    [
      'with half a surrogate pair',
      '{"tokenSymbol":"USDC","amountExpected":1,"externalRef":"\\ud83d"}',
      'externalRef',
    ],
    ['with a recipient that is no string', { ...GOOD, recipient: 5 }, 'recipient'],
    ['with an expiry that is no string', { ...GOOD, expiresAt: 1_900_000_000 }, 'expiresAt'],
    ['with an expiry without zone', { ...GOOD, expiresAt: '2030-01-01T00:00:00' }, 'expiresAt'],
    ['with an expiry that is a day', { ...GOOD, expiresAt: '2030-01-01' }, 'expiresAt'],
    ['with 30 February', { ...GOOD, expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt'],
    ['with an expiry in the past', { ...GOOD, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['with an expiry far ahead', { ...GOOD, expiresAt: inDays(367) }, 'expiresAt'],
    ['with metadata that are a list', { ...GOOD, metadata: [] }, 'metadata'],
    ['with metadata that are null', { ...GOOD, metadata: null }, 'metadata'],
    ['with 51 keys', { ...GOOD, metadata: tooMany }, 'metadata'],
    ['with metadata of more than 8 KB', { ...GOOD, metadata: { a: 'ü'.repeat(4096) } }, 'metadata'],
    ['with NUL in a metadata key', { ...GOOD, metadata: { 'a\0': 1 } }, 'metadata'],
    ['with NUL in metadata', { ...GOOD, metadata: { a: ['\0'] } }, 'metadata.a.0'],
    [
      'with a metadata number that loses digits',
      '{"tokenSymbol":"USDC","amountExpected":1,"metadata":{"a":12345678901234567890}}',
      'metadata.a',
    ],
    [
      'nested ten thousand levels deep',
      `{"metadata":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      '',
    ],
    [
      'nested a hundred thousand levels deep',
      `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      '',
    ],
    ['that is a list', [GOOD], ''],
    ['that is null', 'null', ''],
    ['that is a string', '"USDC"', ''],
    ['that is malformed', '{"tokenSymbol":"USDC",', ''],
    ['that is empty', '', ''],
    ['with a trailing comma', '{"tokenSymbol":"USDC","amountExpected":1,}', ''],
    ['that is no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), ''],
  ]
  for (const [what, body, path] of cases) {
    test(`a body ${what}`, async () => {
      const answer = await post(body)
      expectError(answer, 400, 'invalid request body')
      expect(answer.json.details?.map((detail) => detail.path)).toContain(path)
    })
  }

  test('a body that is not declared as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await post(JSON.stringify(GOOD), { 'content-type': type })
      expectError(answer, 400, 'invalid request body')
    }
    const kinds = [
      'application/json; charset=utf-8',
      'application/vnd.api+json',
      'Application/JSON',
    ]
    for (const type of kinds) {
      expect((await post(JSON.stringify(GOOD), { 'content-type': type })).status).toBe(201)
    }
  })

  test('says everything that is wrong at once', async () => {
    const answer = await post({ ...GOOD, amountExpected: 0, externalRef: '', expiresAt: 'soon' })
    const paths = answer.json.details?.map((detail) => detail.path)
    expect(paths).toEqual(['amountExpected', 'externalRef', 'expiresAt'])
  })

  test('advises a string for an amount with too many digits', async () => {
    const answer = await post('{"tokenSymbol":"USDC","amountExpected":1234567890.123456}')
    expect(answer.json.details?.[0]?.message).toContain('string')
  })

  test('takes metadata numbers that a double keeps, and __proto__ as a key like any other', async () => {
    const metadata = '{"pi":3.141592653589793,"big":1e21,"__proto__":{"x":1}}'
    const answer = await post(`{"tokenSymbol":"USDC","amountExpected":1.50,"metadata":${metadata}}`)
    expect(answer.status).toBe(201)
    expect(answer.text).toContain('"__proto__":{"x":1}')
    const read = await rig.call('GET', `/v1/invoices/${answer.json.data.id}`)
    expect(Object.keys(read.json.data.metadata).sort()).toEqual(['__proto__', 'big', 'pi'])
  })
})

test('400 unknown chain', async () => {
  const answer = await post({ ...GOOD, chains: ['sepolia', 'solana'] })
  expectError(answer, 400, 'unknown chain')
  expect(answer.json.details?.[0]?.path).toBe('chains.1')
  expectError(await post({ ...GOOD, chains: ['ethereum'] }), 400, 'unknown chain')
  expectError(await post({ ...GOOD, chains: ['polygon-amoy'] }), 400, 'unknown chain')
})

test('400 no supported chains for token', async () => {
  for (const tokenSymbol of ['EURC', 'usdc', '', '__proto__']) {
    expectError(await post({ ...GOOD, tokenSymbol }), 400, 'no supported chains for token')
  }
})

describe('400 invalid recipient address', () => {
  const cases: [string, string][] = [
    ['no address', 'somebody'],
    ['an empty string', ''],
    ['an address without 0x', '70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ['a short address', '0x70997970C51812dc3A010C7d01b50e0d17dc79C'],
    ['a wrong checksum', '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'],
    ['all upper case', '0x70997970C51812DC3A010C7D01B50E0D17DC79C8'],
    ['the zero address', '0x0000000000000000000000000000000000000000'],
    ['the hub', HUB],
    ['the token', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
    ['a token of the other environment', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ]
  for (const [what, recipient] of cases) {
    test(what, async () => {
      expectError(await post({ ...GOOD, recipient }), 400, 'invalid recipient address')
    })
  }

  test('an address on which we receive payments, whoever created it', async () => {
    const other = await rig.newMerchant()
    const theirs = await rig.call('POST', '/v1/invoices', { key: other.secretKey, body: GOOD })
    const recipient = theirs.json.data.addresses[0]?.address
    const answer = await post({ ...GOOD, recipient, externalRef: 'watched' })
    expectError(answer, 400, 'invalid recipient address')
    expect(await rig.database`select from invoice where external_ref = 'watched'`).toHaveLength(0)
  })
})

describe('400 invalid invoice id', () => {
  for (const id of [
    '7',
    'not-a-uuid',
    `${UNKNOWN_ID}0`,
    '%zz',
    '%00',
    UNKNOWN_ID.replaceAll('-', ''),
  ]) {
    test(`for ${id}`, async () => {
      const answers = await Promise.all([
        rig.call('GET', `/v1/invoices/${id}`),
        rig.call('GET', `/v1/invoices/${id}/transactions`),
        rig.call('POST', `/v1/invoices/${id}/expire`),
      ])
      for (const answer of answers) expectError(answer, 400, 'invalid invoice id')
    })
  }
})

describe('400 invalid query parameters', () => {
  const queries = [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=ten',
    'limit=',
    'limit=5&limit=6',
    'page=0',
    'page=-1',
    'page=x',
    'offset=-1',
    'offset=99999999999999999999',
    'page=1&offset=0',
    'status=expired',
    'status=PAID',
    'status=',
    'state=paid',
    'externalRef=',
    'externalRef=%00',
    `externalRef=${'x'.repeat(256)}`,
    'reference=',
    'createdFrom=yesterday',
    'createdFrom=2026-01-01',
    'createdTo=2026-02-30T00:00:00Z',
    'createdTo=0000-01-01T00:00:00Z',
    'expired=yes',
    'expired=1',
  ]
  for (const query of queries) {
    test(`for ?${query.slice(0, 40)}`, async () => {
      expectError(await rig.call('GET', `/v1/invoices?${query}`), 400, 'invalid query parameters')
    })
  }
})

describe('401 unauthorized', () => {
  test('without a key, with a wrong, a revoked or a publishable one, or one of live', async () => {
    const { secretKey, publishableKey } = rig.merchant
    const keys = [
      null,
      '',
      'sk_test_',
      `${secretKey}x`,
      secretKey.slice(0, -1),
      secretKey.toUpperCase(),
      `sk_test_${'A'.repeat(43)}`,
      secretKey.replace('sk_test_', 'sk_live_'),
      publishableKey,
    ]
    for (const key of keys) {
      expectError(await rig.call('GET', '/v1/invoices', { key }), 401, 'unauthorized')
    }
  })

  test('on every invoice endpoint, before anything else of the request is looked at', async () => {
    const answers = await Promise.all([
      rig.call('POST', '/v1/invoices', { key: null, body: '{' }),
      rig.call('GET', '/v1/invoices?limit=x', { key: null }),
      rig.call('GET', '/v1/invoices/7', { key: null }),
      rig.call('GET', '/v1/invoices/7/transactions', { key: null }),
      rig.call('POST', '/v1/invoices/7/expire', { key: null, body: '{' }),
    ])
    for (const answer of answers) expectError(answer, 401, 'unauthorized')
  })
})

test('404 invoice not found, for an unknown one and for another merchant’s', async () => {
  const other = await rig.newMerchant()
  const theirs = await rig.call('POST', '/v1/invoices', { key: other.secretKey, body: GOOD })
  for (const id of [UNKNOWN_ID, theirs.json.data.id, UNKNOWN_ID.toUpperCase()]) {
    expectError(await rig.call('GET', `/v1/invoices/${id}`), 404, 'invoice not found')
    expectError(await rig.call('GET', `/v1/invoices/${id}/transactions`), 404, 'invoice not found')
    expectError(await rig.call('POST', `/v1/invoices/${id}/expire`), 404, 'invoice not found')
  }
  const untouched = await rig.call('GET', `/v1/invoices/${theirs.json.data.id}`, {
    key: other.secretKey,
  })
  expect(untouched.json.data.closedAt).toBeNull()
})

test('404 not found, for a path that nobody knows', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v2/invoices',
    '/v1/invoices/1/2/3',
    '/docs/../x',
    '/docs/nope',
  ]) {
    expectError(await rig.call('GET', path), 404, 'not found')
  }
})

test('405 method not allowed, with the methods that are', async () => {
  const list = await rig.call('DELETE', '/v1/invoices')
  expectError(list, 405, 'method not allowed')
  expect(list.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  const one = await rig.call('PATCH', `/v1/invoices/${UNKNOWN_ID}`)
  expectError(one, 405, 'method not allowed')
  expect(one.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expectError(await rig.call('GET', `/v1/invoices/${UNKNOWN_ID}/expire`), 405, 'method not allowed')
  expectError(await rig.call('POST', '/health'), 405, 'method not allowed')
})

test('OPTIONS names the methods and HEAD answers like GET without a body', async () => {
  const options = await rig.call('OPTIONS', '/v1/utils/chains')
  expect([options.status, options.headers.get('allow'), options.text]).toEqual([
    204,
    'GET, HEAD, OPTIONS',
    '',
  ])
  const head = await rig.call('HEAD', '/v1/invoices')
  expect([head.status, head.text]).toEqual([200, ''])
  expect(head.headers.get('content-type')).toContain('application/json')
})

test('409 externalRef conflict', async () => {
  await rig.create({ externalRef: 'conflict' })
  const answer = await post({ ...GOOD, amountExpected: '11', externalRef: 'conflict' })
  expectError(answer, 409, 'externalRef conflict')
})

test('409 invoice already paid', async () => {
  for (const status of ['paid', 'completed']) {
    const { id } = await rig.create()
    await rig.database`update invoice set status = ${status} where id = ${id}`
    const answer = await rig.call('POST', `/v1/invoices/${id}/expire`)
    expectError(answer, 409, 'invoice already paid')
  }
})

describe('413 request body too large', () => {
  test('for a body that announces too much, or only turns out to be too long', async () => {
    const long = JSON.stringify({ ...GOOD, metadata: { a: 'x'.repeat(256 * 1024) } })
    expectError(await post(long), 413, 'request body too large')
    const announced = await post(long, { 'content-length': String(long.length) })
    expectError(announced, 413, 'request body too large')
  })

  test('without reading to the end of it', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    })
    expectError(await post(endless), 413, 'request body too large')
    expect(sent).toBeLessThan(1_000_000)
  })

  test('but not for one of exactly 256 KB', async () => {
    const text = JSON.stringify(GOOD)
    const padded = text + ' '.repeat(256 * 1024 - text.length)
    expect((await post(padded)).status).toBe(201)
    expectError(await post(`${padded} `), 413, 'request body too large')
  })
})

test('500 internal error, with nothing internal in it', async () => {
  const broken = await openRig()
  await broken.database`alter table invoice rename to elsewhere`
  const answer = await broken.call('GET', '/v1/invoices')
  await Bun.sleep(10)
  await broken.close()
  expectError(answer, 500, 'internal error')
  expect(Object.keys(answer.json).sort()).toEqual(['error', 'success', 'traceId'])
  const line = broken.log.find((entry) => entry.msg?.includes('nobody foresaw'))
  expect(line?.traceId).toBe(answer.json.traceId ?? '')
})

test('a reference that is taken is drawn anew and never shown', async () => {
  const { merchantId, reference } = await rig.create()
  const draft = {
    tokenSymbol: 'USDC',
    chains: ['sepolia'],
    amountExpected: baseUnits(1n),
    platformFee: baseUnits(0n),
    externalRef: null,
    recipient: null,
    expiresAt: null,
    metadata: {},
    metadataJson: '{}',
  } as const
  const id = Bun.randomUUIDv7()
  const invoice = newInvoice(draft, { id, reference, merchantId, hub: HUB, now: new Date() })
  expect(
    await openCreations(rig.database).create({ invoice, metadataJson: '{}', eventJson: '{}' }),
  ).toBe('reference_taken')
  expect(await rig.database`select from watched where invoice_id = ${id}`).toHaveLength(0)
})

test('every answer has a trace id of its own, which its log line has too', async () => {
  const answers = [
    await rig.call('GET', '/v1/invoices'),
    await rig.call('GET', '/v1/utils/chains', { key: null }),
    await rig.call('GET', '/nowhere'),
    await rig.call('GET', '/health'),
  ]
  await Bun.sleep(20)
  const ids = answers.map((answer) => answer.headers.get('x-trace-id') ?? '')
  expect(new Set(ids).size).toBe(answers.length)
  const lines = ids.map((id) => rig.log.find((line) => line.traceId === id && line.status))
  expect(lines.map((line) => [line?.method, line?.path, line?.status])).toEqual([
    ['GET', '/v1/invoices', 200],
    ['GET', '/v1/utils/chains', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/health', 200],
  ])
  expect(lines[0]?.merchantId).toBe(rig.merchant.merchant.id)
  const { secretKey } = rig.merchant
  expect(JSON.stringify(rig.log)).not.toContain(secretKey)
})

test('the table of errors is the one of the specification and of the decisions', () => {
  const table = Object.values(ERRORS).map(({ status, text }) => `${status} ${text}`)
  expect(table).toEqual([
    '400 invalid request body',
    '400 invalid query parameters',
    '400 unknown chain',
    '400 no supported chains for token',
    '400 invalid recipient address',
    '400 invalid invoice id',
    '400 invalid endpoint id',
    '400 invalid payment id',
    '400 invalid transaction id',
    '400 invalid delivery id',
    '400 invalid event id',
    '401 unauthorized',
    '403 refund address not allowed',
    '404 not found',
    '404 invoice not found',
    '404 endpoint not found',
    '404 payment not found',
    '404 transaction not found',
    '404 delivery not found',
    '404 event not found',
    '405 method not allowed',
    '409 externalRef conflict',
    '409 invoice already paid',
    '409 nothing received',
    '409 transaction not late',
    '409 transaction reverted',
    '409 transaction refunded',
    '409 chain not local',
    '409 scenario not possible',
    '409 refund not possible',
    '409 idempotencyKey conflict',
    '409 endpoint conflict',
    '409 endpoint disabled',
    '409 too many endpoints',
    '413 request body too large',
    '429 too many requests',
    '500 internal error',
    '503 service unavailable',
  ])
})

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
