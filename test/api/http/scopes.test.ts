import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OPENED_BY, opens, SCOPES, type Scope } from '../../../core/access/scopes.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { createKey } from '../../../store/access/apiKeys.ts'
import { fillLedger } from '../../support/api/belongings.ts'
import { type Operation, readDocument } from '../../support/api/document.ts'
import { followChains } from '../../support/api/ledger.ts'
import { sampleBody } from '../../support/api/prefilled.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'

/** Every route of the API's own description that a secret key opens, with keys of every scope, own and foreign. */

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly operationId: string
}

let rig: ApiRig
let routes: readonly Route[]
let owned: Readonly<Record<string, Readonly<Record<string, string>>>>
/** A key for each scope: the merchant's, and another one's. */
let keys: Readonly<Record<Scope, string>>
let foreign: Readonly<Record<Scope, string>>

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  keys = await scopedKeys(rig.merchant.merchant.id)
  foreign = await scopedKeys((await rig.newMerchant()).merchant.id)
  owned = await fillLedger(rig)
  const { paths, security: usual } = await readDocument(rig)
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security = usual }]) => security.some((one) => 'secretKey' in one))
      .map(([method, operation]) => ({
        ...{ method: method.toUpperCase(), path, operation },
        operationId: operation.operationId ?? '',
      })),
  )
}, 120_000)
afterAll(() => rig.close())

async function keyWith(merchantId: MerchantId, scopes: readonly Scope[]): Promise<string> {
  const key = await createKey(rig.database, 'sandbox', merchantId, 'secret')
  const hash = Bun.CryptoHasher.hash('sha256', key)
  await rig.database`update api_key set scopes = ${[...scopes]} where hash = ${hash}`
  return key
}

async function scopedKeys(merchantId: MerchantId): Promise<Record<Scope, string>> {
  return {
    read: await keyWith(merchantId, ['read']),
    invoices: await keyWith(merchantId, ['invoices']),
    refunds: await keyWith(merchantId, ['refunds']),
    x402: await keyWith(merchantId, ['x402']),
  }
}

function callWith(key: string, { method, path, operation }: Route): Promise<Answer> {
  const ids = Object.entries(owned).find(([beginning]) => path.startsWith(beginning))?.[1]
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => ids?.[name] ?? rig.merchant.secretKey,
  )
  const body = sampleBody(operation)
  return rig.call(method, filled, { key, ...(body === undefined ? {} : { body }) })
}

const codeOf = (answer: Answer): unknown => Object(JSON.parse(answer.text || '{}')).code

describe('a key with a scope', () => {
  test('opens the routes of its scope, and is refused by every other one', async () => {
    expect(routes.length).toBeGreaterThan(60)
    for (const route of routes) {
      for (const scope of SCOPES) {
        const answer = await callWith(keys[scope], route)
        const isOpen = opens([scope], route.operationId)
        const seen = {
          ...{ route: `${route.method} ${route.path}`, scope, isOpen },
          isRefused: answer.status === 403 && codeOf(answer) === 'scope_not_sufficient',
          isUnknown: answer.status === 401,
        }
        expect(seen).toEqual({ ...seen, isRefused: !isOpen, isUnknown: false })
      }
    }
  })

  test('is refused with the scopes that are needed, as the description names them', async () => {
    const refused = await rig.call('GET', '/v1/invoices', { key: keys.x402 })
    expect(refused.json).toMatchObject({
      ...{ success: false, error: 'scope not sufficient', code: 'scope_not_sufficient' },
      details: [{ path: 'key', message: 'needs the scope read or invoices' }],
    })
    expect(refused.headers.get('x-ratelimit-limit')).not.toBeNull()
    const full = await rig.call('GET', '/v1/settings/recipient', { key: keys.invoices })
    expect(full.json.details).toEqual([{ path: 'key', message: 'needs the scope read' }])
    for (const { operation, operationId } of routes) {
      const named = (operation.security ?? [{ secretKey: ['read'] }]).find(
        (one) => 'secretKey' in one,
      )
      expect({ operationId, named }).toEqual({
        operationId,
        named: { secretKey: [...(OPENED_BY[operationId] ?? ['full'])] },
      })
    }
  })

  test('sees nothing of another merchant, whatever its scope', async () => {
    const withId = routes.filter(({ path }) => /\{(?!address)/.test(path))
    expect(withId.length).toBeGreaterThan(20)
    for (const route of withId) {
      for (const scope of SCOPES) {
        const { status } = await callWith(foreign[scope], route)
        const seen = { route: `${route.method} ${route.path}`, scope, status }
        expect(seen).toEqual({ ...seen, status: opens([scope], route.operationId) ? 404 : 403 })
      }
    }
  })

  test('opens what any of its scopes opens', async () => {
    const key = await keyWith(rig.merchant.merchant.id, ['invoices', 'refunds'])
    expect((await rig.call('GET', '/v1/invoices', { key })).status).toBe(200)
    expect((await rig.call('GET', '/v1/recoveries', { key })).status).toBe(200)
    expect((await rig.call('GET', '/v1/balances', { key })).status).toBe(403)
  })

  test('is refused by GraphQL, and no key lists or makes keys', async () => {
    const body = { query: '{ __typename }' }
    for (const scope of SCOPES) {
      const refused = await rig.call('POST', '/v1/graphql', { key: keys[scope], body })
      expect(codeOf(refused)).toBe('scope_not_sufficient')
    }
    for (const key of [...Object.values(keys), rig.merchant.secretKey]) {
      expect((await rig.call('GET', '/v1/api-keys', { key })).status).toBe(404)
      const made = await rig.call('POST', '/v1/api-keys', { key, body: { name: 'Mine' } })
      expect(made.status).toBe(404)
    }
  })
})

describe('the table of scopes', () => {
  test('names operations of the API only', () => {
    const known = new Set(routes.map(({ operationId }) => operationId))
    expect(Object.keys(OPENED_BY).filter((operationId) => !known.has(operationId))).toEqual([])
  })

  test('lets the scope read change nothing', () => {
    const changing = routes.filter(({ method }) => method !== 'GET')
    expect(changing.filter(({ operationId }) => opens(['read'], operationId))).toEqual([])
  })

  test('leaves settings, payout addresses, webhook changes, GraphQL and the sandbox to full keys', () => {
    const closed = routes.filter(({ operationId }) => !opens(SCOPES, operationId))
    expect(closed.map(({ operationId }) => operationId).sort()).toEqual([
      'cancelRecipientChange',
      'changeCheckoutSettings',
      'changeRecipient',
      'changeWebhookEndpoint',
      'createWebhookEndpoint',
      'deleteWebhookEndpoint',
      'queryFigures',
      'redeliverWebhook',
      'registerOwnAddress',
      'removeLogo',
      'removeOwnAddress',
      'replaceLogo',
      'replayWebhooks',
      'rotateWebhookSecret',
      'sandboxFaucet',
      'sandboxScenario',
      'testWebhookEndpoint',
    ])
  })
})
