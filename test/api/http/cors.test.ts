import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { choose, newSession, ORIGIN } from '../../support/api/checkoutCalls.ts'
import { followChains } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Which answers pages of other origins may read: exactly those that the documents list. */

const EVIL = 'https://evil.example'
const DOCS = join(import.meta.dirname, '../../../docs/api.md')

let rig: ApiRig
/** Who may read what, e.g. `GET /health` and `any`, as documented. */
let table: ReadonlyMap<string, string>

beforeAll(async () => {
  rig = await openRig({
    variables: {
      DASHBOARD_SECRET: 'a secret of thirty-two characters',
      RATE_LIMIT_UTILITY: '100000',
      RATE_LIMIT_AUTHENTICATED: '100000',
    },
  })
  await followChains(rig)
  const rows = (await Bun.file(DOCS).text()).matchAll(
    /^\| (`[A-Z]+ \/.*?) \| (any|listed|none) \|/gm,
  )
  table = new Map(
    [...rows].flatMap(([, routes = '', origins = '']) =>
      [...routes.matchAll(/`(.*?)`/g)].map(([, route = '']) => [route, origins] as const),
    ),
  )
}, 120_000)
afterAll(() => rig.close())

const isOpen = (route: string) => ['any', 'listed'].includes(table.get(route) ?? 'none')
/** Stock clients of x402 write a slash too many. */
const named = (method: string, path: string) => `${method} ${path.replace('//', '/')}`
const pathOf = (route: string) => (route.split(' ')[1] ?? '').replaceAll(/:\w+/g, 'x')
const openOf = (headers: Headers) => headers.get('access-control-allow-origin')

describe('the table of the documents', () => {
  test('has a row for every GET that needs neither a key nor a cookie', async () => {
    const missing: string[] = []
    for (const { method, path } of rig.routes) {
      const route = named(method, path)
      if (method !== 'GET' || table.has(route) || /^\/(dashboard|docs)(\/|$)/.test(path)) continue
      const { status } = await rig.call(method, pathOf(`GET ${path}`), { key: null })
      if (status !== 401) missing.push(route)
    }
    expect(missing).toEqual([])
  })

  test('names routes, and all that answer a preflight', () => {
    const known = new Set(rig.routes.map(({ method, path }) => named(method, path)))
    expect([...table.keys()].filter((route) => isOpen(route) && !known.has(route))).toEqual([])
    const preflights = rig.routes.filter(({ method }) => method === 'OPTIONS')
    const answered = new Set(preflights.map(({ path }) => path.replace('//', '/')))
    const files = ['/pay/:slug/qr', '/checkout/logo/:logoId']
    const open = [...table.keys()].filter(isOpen).map((route) => route.split(' ')[1] ?? '')
    expect([...answered, ...files].sort()).toEqual([...new Set(open)].sort())
  })

  test('tells who may read: no credentials, and nothing of what takes a key or a cookie', async () => {
    const wrong: string[] = []
    for (const { method, path } of rig.routes) {
      if (method === 'OPTIONS' || method === 'ALL') continue
      const route = named(method, path)
      const { headers } = await rig.call(method, pathOf(`${method} ${path}`), {
        key: null,
        headers: { origin: EVIL },
      })
      // Where nothing is found, these answer with a page.
      const isFile = /qr$|logo/.test(path)
      const isRight = isFile || (openOf(headers) === '*') === isOpen(route)
      if (!isRight || headers.has('access-control-allow-credentials')) wrong.push(route)
    }
    expect(wrong).toEqual([])
  })
})

describe('a public answer', () => {
  test('is read by any page, errors too, with the headers that say how it went', async () => {
    for (const path of ['/v1/x402/supported', '/v1/x402//supported', '/v1/utils/chains']) {
      for (const call of [path, `${path}?nonsense=1`]) {
        const { headers } = await rig.call('GET', call, { key: null, headers: { origin: EVIL } })
        expect(openOf(headers)).toBe('*')
        const exposed = headers.get('access-control-expose-headers') ?? ''
        for (const name of ['payment-required', 'payment-response', 'extension-responses']) {
          expect(exposed).toContain(name)
        }
        // Shared caches hold one answer for all origins.
        expect(headers.get('vary') ?? '').not.toContain('origin')
      }
    }
  })

  test('is preceded by a preflight that admits what stock clients send', async () => {
    for (const path of ['/v1/x402/discovery/search', '/v1/x402//supported', '/openapi.json']) {
      const { status, headers } = await rig.call('OPTIONS', path, {
        key: null,
        headers: { origin: EVIL, 'access-control-request-headers': 'content-type, traceparent' },
      })
      expect([status, openOf(headers), headers.get('access-control-allow-methods')]).toEqual([
        204,
        '*',
        'GET',
      ])
      const allowed = headers.get('access-control-allow-headers') ?? ''
      expect(allowed.split(', ')).toEqual(
        expect.arrayContaining(['content-type', 'payment-signature', '*']),
      )
    }
  })
})

describe('a session', () => {
  test('is paid by pages that the merchant has listed, and by its own, and no others', async () => {
    const { id } = await newSession(rig)
    await rig.database`
      insert into merchant_page (merchant_id, name, allowed_origins)
      values (${rig.merchant.merchant.id}, 'Tea & Sons', ${[ORIGIN]})`
    await choose(rig, id)
    const path = `/v1/checkout/sessions/${id}`
    const calls = [
      ['GET', '/events', undefined],
      ['POST', '/choice', { tokenSymbol: 'USDC' }],
      ['POST', '/transactions', { hash: `0x${'1'.repeat(64)}` }],
      ['POST', '/refund-address', { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }],
    ] as const
    for (const [method, end, body] of calls) {
      const visit = async (headers: Record<string, string>) => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) }
        const response = await rig.fetch(path + end, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...init,
        })
        await response.body?.cancel()
        return [response.status, openOf(response.headers)]
      }
      expect(await visit({ origin: ORIGIN })).toEqual([200, ORIGIN])
      expect(await visit({ origin: EVIL })).toEqual([403, '*'])
      expect(await visit({ origin: rig.config.publicUrl })).toEqual([200, '*'])
      expect((await visit({ origin: EVIL, 'sec-fetch-site': 'same-origin' }))[0]).toBe(200)
      expect((await visit({ origin: EVIL, 'sec-fetch-site': 'cross-site' }))[0]).toBe(403)
      expect((await visit({}))[0]).toBe(200)
    }
  })
})

describe('the widget', () => {
  test('may be read, and has the same bytes each time, so that its hash can be named', async () => {
    const other = await openRig()
    const read = async (from: ApiRig) => {
      const response = await from.fetch('/widget.js', { headers: { origin: EVIL } })
      expect(openOf(response.headers)).toBe('*')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      return response.text()
    }
    expect(await read(rig)).toBe(await read(other))
    await other.close()
  })
})
