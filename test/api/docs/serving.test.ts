import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createApp } from '../../../api/app.ts'
import { content } from '../../../api/docs/content.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** The document and Swagger UI cost little to serve, and no one gets them without a limit. */

const PATHS = [
  '/openapi.json',
  '/docs',
  '/docs/start.js',
  '/docs/errors',
  '/docs/errors.css',
  '/docs/graphql',
  '/docs/graphql.js',
  '/docs/graphql.css',
  '/docs/graphql/schema',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/favicon-32x32.png',
]

let rig: ApiRig
let app: ReturnType<typeof createApp>

beforeAll(async () => {
  rig = await openRig({ variables: { RATE_LIMIT_UTILITY: '8' } })
  app = createApp(rig.deps)
})
afterAll(() => rig.close())

let clients = 0

/** A caller at an address of its own. */
function newClient() {
  clients += 1
  rig.setPeer(`198.51.100.${clients}`)
}

async function fetchFrom(path: string, headers: Readonly<Record<string, string>>) {
  return app.handle(new Request(`http://localhost${path}`, { headers }))
}

async function bytesOf(path: string, headers: Readonly<Record<string, string>>) {
  const response = await fetchFrom(path, headers)
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe.each(PATHS)('%s', (path) => {
  test('is compressed for callers that can read it, and the same in every form', async () => {
    newClient()
    const plain = await bytesOf(path, {})
    const br = await bytesOf(path, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await bytesOf(path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' })
    const encodings = [plain, br, gzip].map((one) => one.response.headers.get('content-encoding'))
    expect(encodings).toEqual([null, 'br', 'gzip'])
    expect(plain.response.headers.get('vary')).toBe('accept-encoding')
    expect(Buffer.compare(brotliDecompressSync(br.bytes), plain.bytes)).toBe(0)
    expect(Buffer.compare(gunzipSync(gzip.bytes), plain.bytes)).toBe(0)
    if (plain.bytes.length > 10_000) {
      expect(br.bytes.length).toBeLessThan(plain.bytes.length / 2.5)
      expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 2.5)
    }
  })

  test('answers 304 to a caller that has it, each form with a tag of its own', async () => {
    newClient()
    const first = await fetchFrom(path, { 'accept-encoding': 'br' })
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{32}-br"$/)
    const again = await bytesOf(path, { 'accept-encoding': 'br', 'if-none-match': `"x", ${tag}` })
    expect([again.response.status, again.bytes.length]).toEqual([304, 0])
    expect(again.response.headers.get('etag')).toBe(tag)
    const weak = await fetchFrom(path, { 'accept-encoding': 'br', 'if-none-match': `W/${tag}` })
    const plain = await fetchFrom(path, { 'if-none-match': tag })
    expect([weak.status, plain.status]).toEqual([304, 200])
    for (const [named, status] of [
      [`"a,*,b", W/"x", W/${tag}`, 304],
      [' * ', 304],
      ['"a,*,b"', 200],
      [`"x${tag.slice(1)}`, 200],
    ] as const) {
      const headers = { 'accept-encoding': 'br', 'if-none-match': named }
      expect([named, (await fetchFrom(path, headers)).status]).toEqual([named, status])
    }
  })

  test('counts against the limit of public endpoints, 304 as well', async () => {
    newClient()
    const statuses: number[] = []
    for (let i = 0; i < 9; i += 1) {
      const response = await fetchFrom(path, i % 2 === 0 ? {} : { 'if-none-match': '*' })
      expect(response.headers.get('x-ratelimit-limit')).toBe('8')
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, 7 - i)))
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 304, 200, 304, 200, 304, 200, 304, 429])
  })
})

describe('content', () => {
  const exchange = {
    request: new Request('http://localhost/'),
    server: null,
    set: { headers: {} },
    traceId: '',
    startedAt: 0,
    merchantId: null,
    operationId: '',
    keyHint: null,
    actor: null,
    errorCode: null,
    about: null,
    onSent: null,
    span: null,
  }
  const options = { type: 'text/plain', cacheControl: 'no-cache' }

  test('is made once, also for callers that come together', async () => {
    let made = 0
    const once = content(async () => `text ${++made}`, options)
    const responses = await Promise.all([1, 2, 3].map(() => once.answer(exchange)))
    responses.push(await once.answer(exchange))
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect(texts).toEqual(Array(4).fill('text 1'))
  })

  test('that could not be made is made again for the next caller', async () => {
    let tries = 0
    const made = content(async () => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
      return 'now'
    }, options)
    expect(made.answer(exchange)).rejects.toThrow('not yet')
    await Bun.sleep(1)
    expect(await (await made.answer(exchange)).text()).toBe('now')
  })
})
