import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendError } from '../../../api/http/errors.ts'
import { headersOf } from '../../../api/http/exchange.ts'
import {
  type Body,
  bodyOf,
  MAX_BODY_BYTES,
  NO_FIELDS,
  readBodyBytes,
} from '../../../api/request/body.ts'
import { parseJson } from '../../../api/request/json.ts'
import { list, text } from '../../../api/request/schema.ts'
import { AppError, MOST_DETAILS } from '../../../core/base/errors.ts'
import { parseInstant } from '../../../core/base/instant.ts'
import { shortMessage } from '../../../core/base/logging.ts'
import { parseAmount } from '../../../core/base/money.ts'
import { parseAddress } from '../../../core/chain/evm.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import { webhookUrlProblem } from '../../../core/webhook/endpoint.ts'
import { endpointUrlKey } from '../../../core/x402/url.ts'
import { type NamedOperation, operationsOf, readDocument } from '../../support/api/document.ts'
import { exchangeWith } from '../../support/api/people.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Requests of 250 KB that are made to cost as much as possible. */

const LONG = 250_000
const FLOOD = `Flood${'d'.repeat(LONG)}`

let rig: ApiRig
let operations: readonly NamedOperation[]

beforeAll(async () => {
  rig = await openRig()
  operations = operationsOf(await readDocument(rig))
})
afterAll(() => rig.close())

const FIELDS = { tokenSymbol: 'USDC', amountExpected: 1 }
const MANY = Array.from({ length: 9_000 }, () => 1)

describe('the problems of a request', () => {
  test.each([
    ['elements of a wrong type', { ...FIELDS, chains: MANY }],
    ['texts that can not be stored', `{"tokenSymbol":["${'\\u0000","'.repeat(9_000)}"]}`],
    ['numbers that lose digits', `{"amountExpected":[${'12345678901234567,'.repeat(9_000)}1]}`],
    ['unknown fields', Object.fromEntries(MANY.map((_, i) => [`f${i}`, 1]))],
  ])('are searched for until there are 20: %s', async (_, body) => {
    const { status, json, text } = await rig.call('POST', '/v1/invoices', { body })
    expect([status, json.error]).toEqual([400, 'invalid request body'])
    expect(json.details?.length).toBeLessThanOrEqual(MOST_DETAILS)
    expect(text.length).toBeLessThan(5_000)
  })

  test('are not searched for in a body of more values than any request has', async () => {
    const body = `{"tokenSymbol":"USDC","amountExpected":1,"chains":[${'1,'.repeat(120_000)}1]}`
    const { status, json } = await rig.call('POST', '/v1/invoices', { body })
    const message = 'must not have more than 10000 values'
    expect([status, json.details]).toEqual([400, [{ path: '', message }]])
  })

  test('are not even counted beyond that', async () => {
    const words = list('Words.', text('A word.', 'a'))
    const parsed = parseJson(`[${'"\\u0000",'.repeat(9_000)}1]`)
    const found = [
      await problemsOf(bodyOf('Words.', { words }), { words: MANY }),
      await problemsOf(NO_FIELDS, Object.fromEntries(MANY.map((_, i) => [`f${i}`, 1]))),
      parsed.ok ? 0 : parsed.details.length,
    ]
    expect(found).toEqual([MOST_DETAILS, MOST_DETAILS, MOST_DETAILS])
  })

  test('of a query are searched for in the same way', async () => {
    const query = MANY.slice(0, 2_000).map((_, i) => `q${i}=1`)
    const { status, json } = await rig.call('GET', `/v1/invoices?${query.join('&')}`)
    expect([status, json.details?.length]).toEqual([400, MOST_DETAILS])
  })
})

/** How many problems reading a body collects. */
async function problemsOf(reader: Body<unknown>, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const sent = new Request('http://localhost/', init)
  const outcome = await reader.read(sent).catch((error: unknown) => error)
  return outcome instanceof AppError ? outcome.details.length : 0
}

describe('an array', () => {
  test('has a most, which the error says and the document as well', async () => {
    const chains = Array.from({ length: 101 }, () => 'base-sepolia')
    const { status, json } = await rig.call('POST', '/v1/invoices', { body: { ...FIELDS, chains } })
    expect([status, json.details]).toEqual([
      400,
      [{ path: 'chains', message: 'must be an array of at most 100 strings' }],
    ])
    const fits = await rig.call('POST', '/v1/invoices', {
      body: { ...FIELDS, chains: chains.slice(1) },
    })
    expect(fits.status).toBe(201)
  })
})

describe('work on a text grows with its length and not with its square', () => {
  const zeros = (n: number) => `[1.${'0'.repeat(n)}1]`
  test.each<[string, (length: number) => unknown]>([
    ['a number with zeros in its midst', (n) => parseJson(zeros(n))],
    ['a URL of slashes', (n) => endpointUrlKey(`http://a/${'/'.repeat(n)}b`)],
    ['a webhook URL of slashes', (n) => webhookUrlProblem(`http://a/${'/'.repeat(n)}b`, 'sandbox')],
    ['a tree of arrays', (n) => parseJson(`[${'[],'.repeat(n / 3)}"\\u0000"]`)],
    ['a row of exact numbers', (n) => parseJson(`[${'1e3,'.repeat(n / 4)}1]`)],
    ['names that can not be stored', (n) => parseJson(`{${'"\\u0000":1,'.repeat(n / 11)}"a":1}`)],
    ['brackets in a text', (n) => parseJson(`["${'[\\"'.repeat(n / 3)}"]`)],
    ['an amount of zeros', (n) => parseAmount(`1.${'0'.repeat(n)}1`, TOKENS.USDC.decimals)],
    ['a time of digits', (n) => parseInstant(`2030-01-31T12:00:00.${'0'.repeat(n)}`)],
    ['a message of URLs', (n) => shortMessage(new Error('a.'.repeat(n / 2)))],
  ])('%s', (_, work) => {
    const started = performance.now()
    work(LONG)
    // The square of the length would be 31 billion steps.
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

test('texts that are no addresses are not remembered', () => {
  const memory = () => {
    Bun.gc(true)
    return process.memoryUsage().heapUsed
  }
  const before = memory()
  for (let i = 0; i < 400; i += 1) expect(parseAddress(`${i}${FLOOD}`)).toBeNull()
  expect(memory() - before).toBeLessThan(40_000_000)
})

describe('what a caller wrote', () => {
  test('comes back cut, from every route and every field, and is logged cut', async () => {
    rig.log.splice(0)
    for (const { name, operation } of operations) {
      const [method = '', path = ''] = name.split(' ')
      const filled = path.replace(/\{\w+\}/g, () => 'x'.repeat(2_000))
      const schema = operation.requestBody?.content?.['application/json']?.schema
      const names = [...Object.keys(schema?.properties ?? {}), FLOOD.slice(0, 100_000)]
      const bodies = schema === undefined ? [undefined] : names.map((field) => ({ [field]: FLOOD }))
      const query = (operation.parameters ?? []).map(({ name }) => `${name}=${FLOOD.slice(0, 500)}`)
      for (const body of bodies) {
        const answer = await rig.call(method, `${filled}?${query.join('&')}`, { body })
        expect({ name, length: answer.text.length < 5_000 }).toEqual({ name, length: true })
        expect(answer.text).not.toContain('d'.repeat(64))
      }
    }
    const lines = rig.log.map((line) => JSON.stringify(line))
    expect(lines.length).toBeGreaterThan(operations.length)
    for (const line of lines) {
      expect(line.length).toBeLessThan(2_000)
      expect(line).not.toContain('d'.repeat(64))
    }
  }, 120_000)

  test('comes back cut where x402 repeats it: the network', async () => {
    rig.log.splice(0)
    const part = FLOOD.slice(0, LONG / 3)
    const paymentRequirements = { scheme: 'exact', network: part }
    for (const path of ['/v1/x402/verify', '/v1/x402/settle']) {
      for (const payload of [{ x402Version: 1, ...paymentRequirements }, part]) {
        const body = { x402Version: 1, paymentPayload: payload, paymentRequirements }
        const { status, text } = await rig.call('POST', path, { key: null, body })
        expect([status, text.length < 1_000]).toEqual([200, true])
      }
    }
    expect(rig.log.length).toBeGreaterThanOrEqual(4)
    expect(JSON.stringify(rig.log).length).toBeLessThan(4_000)
  })
})

test.each([
  ['of a known length', 'Content-Length: 40', 'x'],
  ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
])(
  'a body %s that comes byte by byte is not waited for, and its connection ends',
  async (_, header, byte) => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const exchange = { ...exchangeWith(null), request }
        const fault = await readBodyBytes(request, MAX_BODY_BYTES, 300).catch((error) => error)
        if (!(fault instanceof AppError)) return new Response('it was waited for')
        const text = sendError(exchange, fault, { details: fault.details })
        return new Response(text, { status: fault.status, headers: headersOf(exchange) })
      },
    })
    const ended = Promise.withResolvers<string>()
    let answer = ''
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: server.port ?? 0,
      socket: {
        open: (opened) => void opened.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`),
        data: (_socket, bytes) => {
          answer += bytes.toString()
        },
        close: () => ended.resolve(answer),
      },
    })
    const drip = setInterval(() => socket.write(byte), 100)
    const text = await ended.promise
    expect(text).toContain('was not received completely within 0.3 s')
    expect(text.toLowerCase()).toContain('connection: close')
    clearInterval(drip)
    await server.stop(true)
  },
  30_000,
)
