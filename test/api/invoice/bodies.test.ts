import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectRefusal } from '../../support/api/answers.ts'
import { type Answer, type ApiRig, HUB, openRig } from '../../support/api/rig.ts'

/** How POST /v1/invoices rejects a body. */

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

const GOOD = { tokenSymbol: 'USDC', amountExpected: '10' }

function post(body: unknown, headers?: Record<string, string>): Promise<Answer> {
  return rig.call('POST', '/v1/invoices', { body, ...(headers ? { headers } : {}) })
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
    ['with "1.0000001"', { ...GOOD, amountExpected: '1.0000001' }, 'amountExpected'],
    ['with "1 000"', { ...GOOD, amountExpected: '1 000' }, 'amountExpected'],
    ['with "1\\n"', { ...GOOD, amountExpected: '1\n' }, 'amountExpected'],
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
      expectRefusal(answer, 400, 'invalid request body')
      expect(answer.json.details?.map((detail) => detail.path)).toContain(path)
    })
  }

  test('a body that is not declared as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await post(JSON.stringify(GOOD), { 'content-type': type })
      expectRefusal(answer, 400, 'invalid request body')
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
  expectRefusal(answer, 400, 'unknown chain')
  expect(answer.json.details?.[0]?.path).toBe('chains.1')
  expectRefusal(await post({ ...GOOD, chains: ['ethereum'] }), 400, 'unknown chain')
  expectRefusal(await post({ ...GOOD, chains: ['polygon-amoy'] }), 400, 'unknown chain')
})

test('400 no supported chains for token', async () => {
  for (const tokenSymbol of ['EURC', 'usdc', '', '__proto__']) {
    expectRefusal(await post({ ...GOOD, tokenSymbol }), 400, 'no supported chains for token')
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
      expectRefusal(await post({ ...GOOD, recipient }), 400, 'invalid recipient address')
    })
  }

  test('an address on which we receive payments, regardless of who created it', async () => {
    const other = await rig.newMerchant()
    const theirs = await rig.call('POST', '/v1/invoices', { key: other.secretKey, body: GOOD })
    const recipient = theirs.json.data.addresses[0]?.address
    const answer = await post({ ...GOOD, recipient, externalRef: 'watched' })
    expectRefusal(answer, 400, 'invalid recipient address')
    expect(await rig.database`select from invoice where external_ref = 'watched'`).toHaveLength(0)
  })
})

test('409 externalRef conflict', async () => {
  await rig.create({ externalRef: 'conflict' })
  const answer = await post({ ...GOOD, amountExpected: '11', externalRef: 'conflict' })
  expectRefusal(answer, 409, 'externalRef conflict')
  expect(answer.json.details?.map(({ path }) => path)).toEqual(['amountExpected'])
})

test('409 externalRef conflict names the invoice that has it, by id and reference', async () => {
  const { id, reference } = await rig.create({ externalRef: 'named' })
  const answer = await post({ ...GOOD, amountExpected: '11', externalRef: 'named' })
  const [detail] = answer.json.details ?? []
  expect(detail?.message).toContain(id)
  expect(detail?.message).toContain(reference)
})

describe('413 request body too large', () => {
  test('for a body that announces too much, or only turns out to be too long', async () => {
    const long = JSON.stringify({ ...GOOD, metadata: { a: 'x'.repeat(256 * 1024) } })
    expectRefusal(await post(long), 413, 'request body too large')
    const announced = await post(long, { 'content-length': String(long.length) })
    expectRefusal(announced, 413, 'request body too large')
  })

  test('without reading to the end of it', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    })
    expectRefusal(await post(endless), 413, 'request body too large')
    expect(sent).toBeLessThan(1_000_000)
  })

  test('but not for one of exactly 256 KB', async () => {
    const text = JSON.stringify(GOOD)
    const padded = text + ' '.repeat(256 * 1024 - text.length)
    expect((await post(padded)).status).toBe(201)
    expectRefusal(await post(`${padded} `), 413, 'request body too large')
  })
})

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
