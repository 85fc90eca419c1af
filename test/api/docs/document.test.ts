import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERRORS, isErrorCode } from '../../../core/base/errors.ts'
import { EVENT_TYPE_NAMES } from '../../../core/events/eventTypes.ts'
import { sampleEvent } from '../../../core/webhook/samples.ts'
import {
  type Content,
  type Document,
  type NamedOperation,
  type Operation,
  operationsOf,
  readDocument,
  type Schema,
} from '../../support/api/document.ts'
import { type ApiRig, HUB, openRig } from '../../support/api/rig.ts'

let rig: ApiRig
let document: Document
let operations: readonly NamedOperation[]

beforeAll(async () => {
  rig = await openRig()
  document = await readDocument(rig)
  operations = operationsOf(document)
})
afterAll(() => rig.close())

const ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'

/** Every field of a schema, with the way to it. */
function fields(place: string, schema: Schema): { place: string; field: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { place: `${place}.${name}`, field },
    ...fields(`${place}.${name}`, field),
  ])
  const items = schema.items ? fields(`${place}[]`, schema.items) : []
  // What is composed of several has their fields already.
  const choices = (schema.oneOf ?? []).flatMap((choice, i) => [
    { place: `${place}|${i}`, field: choice },
    ...fields(`${place}|${i}`, choice),
  ])
  return [...own, ...items, ...choices]
}

/** The example of an object or a list may follow from those of its parts. */
function isDescribed(schema: Schema): boolean {
  if (schema.type === 'null') return true
  const { description, example, properties, items, allOf, oneOf } = schema
  const parts = properties ?? items ?? allOf ?? oneOf ?? schema.const
  return Boolean(description) && (example !== undefined || parts !== undefined)
}

function schemasOf(name: string, operation: Operation): { place: string; field: Schema }[] {
  const contents: [string, Content | undefined][] = [
    [`${name} request`, operation.requestBody],
    ...Object.entries(operation.responses).map(([status, response]): [string, Content] => [
      `${name} ${status}`,
      response,
    ]),
  ]
  return contents.flatMap(([place, content]) => {
    const about = content?.description
    // An envelope is described by the answer that it is the whole of.
    const bodies = Object.values(content?.content ?? {}).map(({ schema }) =>
      about === undefined ? schema : { description: about, ...schema },
    )
    const headers = Object.entries(content?.headers ?? {}).map(([header, { schema }]) => ({
      place: `${place} ${header}`,
      field: schema,
    }))
    return [...headers, ...bodies.flatMap((field) => [{ place, field }, ...fields(place, field)])]
  })
}

describe('/openapi.json', () => {
  test('has at most 250 KB, because what is named or repeated stands in it once', async () => {
    const { text } = await rig.call('GET', '/openapi.json', { key: null })
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(250_000)
    const { components } = JSON.parse(text)
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Invoice', 'Transaction', 'Refund', 'PaymentRequirements', 'Event']),
    )
    expect(Object.keys(components.responses)).toEqual(
      expect.arrayContaining(['NoKey', 'Limit', 'InvoiceNotFound']),
    )
  })

  test('is an OpenAPI 3.1 document of every endpoint', () => {
    expect(document.openapi).toStartWith('3.1')
    expect(operations.map(({ name }) => name).sort()).toEqual([
      'DELETE /v1/prices/{id}',
      'DELETE /v1/settings/checkout/logo',
      'DELETE /v1/settings/recipient/changes/{id}',
      'DELETE /v1/webhooks/endpoints/{id}',
      'DELETE /v1/x402/addresses/{address}',
      'DELETE /v1/x402/endpoints/{id}',
      'GET /health',
      'GET /ready',
      'GET /v1/balances',
      'GET /v1/checkout/sessions/{id}',
      'GET /v1/checkout/sessions/{id}/events',
      'GET /v1/events',
      'GET /v1/events/{id}',
      'GET /v1/invoices',
      'GET /v1/invoices/{id}',
      'GET /v1/invoices/{id}/refunds',
      'GET /v1/invoices/{id}/transactions',
      'GET /v1/payment-links',
      'GET /v1/payment-links/{id}',
      'GET /v1/prices',
      'GET /v1/prices/{id}',
      'GET /v1/recoveries',
      'GET /v1/reports/daily',
      'GET /v1/reports/transactions.csv',
      'GET /v1/search',
      'GET /v1/settings/checkout',
      'GET /v1/settings/recipient',
      'GET /v1/utils/chains',
      'GET /v1/utils/tokens',
      'GET /v1/webhooks/deliveries',
      'GET /v1/webhooks/deliveries/{id}',
      'GET /v1/webhooks/endpoints',
      'GET /v1/webhooks/endpoints/{id}',
      'GET /v1/x402/addresses',
      'GET /v1/x402/channels',
      'GET /v1/x402/channels/{id}',
      'GET /v1/x402/channels/{id}/voucher',
      'GET /v1/x402/discovery/resources',
      'GET /v1/x402/discovery/search',
      'GET /v1/x402/endpoints',
      'GET /v1/x402/endpoints/requirements',
      'GET /v1/x402/endpoints/{id}',
      'GET /v1/x402/endpoints/{id}/requirements',
      'GET /v1/x402/payments',
      'GET /v1/x402/payments/status',
      'GET /v1/x402/payments/{id}',
      'GET /v1/x402/payments/{id}/refunds',
      'GET /v1/x402/supported',
      'PATCH /v1/payment-links/{id}',
      'PATCH /v1/prices/{id}',
      'PATCH /v1/settings/checkout',
      'PATCH /v1/webhooks/endpoints/{id}',
      'PATCH /v1/x402/endpoints/{id}',
      'POST /v1/checkout/sessions',
      'POST /v1/checkout/sessions/{id}/authorizations',
      'POST /v1/checkout/sessions/{id}/choice',
      'POST /v1/checkout/sessions/{id}/refund-address',
      'POST /v1/checkout/sessions/{id}/transactions',
      'POST /v1/graphql',
      'POST /v1/invoices',
      'POST /v1/invoices/{id}/accept-partial',
      'POST /v1/invoices/{id}/expire',
      'POST /v1/invoices/{id}/refunds',
      'POST /v1/invoices/{id}/refunds/external',
      'POST /v1/invoices/{id}/transactions',
      'POST /v1/invoices/{id}/transactions/{transactionId}/accept',
      'POST /v1/payment-links',
      'POST /v1/prices',
      'POST /v1/sandbox/faucet',
      'POST /v1/sandbox/scenarios',
      'POST /v1/settings/checkout/logo',
      'POST /v1/settings/recipient',
      'POST /v1/webhooks/deliveries/{id}/redeliver',
      'POST /v1/webhooks/endpoints',
      'POST /v1/webhooks/endpoints/{id}/replay',
      'POST /v1/webhooks/endpoints/{id}/rotate-secret',
      'POST /v1/webhooks/endpoints/{id}/test',
      'POST /v1/x402/addresses/{address}',
      'POST /v1/x402/endpoints',
      'POST /v1/x402/payments/{id}/refunds',
      'POST /v1/x402/settle',
      'POST /v1/x402/verify',
      'PUT /v1/x402/channels/{id}/voucher',
    ])
  })

  test('describes every endpoint', () => {
    for (const { name, operation } of operations) {
      expect({ name, operation }).toMatchObject({
        operation: {
          summary: expect.stringMatching(/./),
          description: expect.stringMatching(/./),
          operationId: expect.stringMatching(/./),
        },
      })
    }
  })

  test('gives every webhook a summary', () => {
    const webhooks = Object.entries(document.webhooks)
    expect(webhooks.length).toBeGreaterThan(20)
    for (const [type, { post }] of webhooks) expect(post).toMatchObject({ summary: type })
  })

  test('gives every field and header a description and an example', () => {
    const all = operations.flatMap(({ name, operation }) => schemasOf(name, operation))
    expect(all.length).toBeGreaterThan(300)
    const poor = all.filter(({ field }) => !isDescribed(field))
    expect(poor.map(({ place }) => place)).toEqual([])
  })

  test('gives every parameter a description and an example', () => {
    const all = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter) => ({ name, parameter })),
    )
    expect(all.length).toBeGreaterThan(41)
    const poor = all.filter(({ parameter }) => {
      const example =
        parameter.example ?? parameter.schema.example ?? parameter.schema.examples?.[0]
      return !(parameter.description ?? parameter.schema.description) || example === undefined
    })
    expect(poor.map(({ name, parameter }) => `${name} ${parameter.name}`)).toEqual([])
  })

  test('lists what an operation reads from its path and from its headers together', () => {
    const parametersOf = (path: string) =>
      document.paths[path]?.post?.parameters?.map(({ name }) => name)
    expect(parametersOf('/v1/invoices')).toEqual(['Idempotency-Key'])
    expect(parametersOf('/v1/invoices/{id}/refunds')).toEqual(['id', 'Idempotency-Key'])
    expect(parametersOf('/v1/x402/payments/{id}/refunds')).toEqual(['id', 'Idempotency-Key'])
  })

  test('says what unknown paths and wrong methods answer', () => {
    expect(document.info.description).toContain('404 "not found"')
    expect(document.info.description).toContain('405 "method not allowed"')
  })

  test('tells successes and errors apart by literals, and errors by their code', () => {
    const isBare = /\/v1\/(utils|x402\/(verify|settle|supported|discovery))/
    const literals = operations.flatMap(({ name, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        if (schema === undefined) return []
        const choices = schema.oneOf ?? [schema]
        return choices.map(({ properties }) => ({ name, status, properties }))
      }),
    )
    for (const { name, status: written, properties } of literals) {
      const isError = /^[45]/.test(written)
      if (!isError && isBare.test(name)) continue
      expect({ name, written, success: properties?.success?.const }).toEqual({
        name,
        written,
        success: !isError,
      })
      if (!isError) continue
      const code = String(properties?.code?.const)
      const known = isErrorCode(code) ? ERRORS[code] : null
      expect(String(known?.status)).toMatch(written === '5XX' ? /^5/ : written)
      expect(properties?.error?.const).toBe(known?.text ?? '')
      expect(properties?.docs?.description).toBe('A link to its documentation.')
    }
  })

  test('describes every type of event as a webhook, told apart by its type', () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPE_NAMES])
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const body = post.requestBody?.content?.['application/json']?.schema
      expect(body?.properties?.type?.const).toBe(type)
      expect(post.parameters?.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ])
    }
  })

  test('describes every field that the data of an event has', () => {
    const given = { objectId: ID, merchantId: rig.merchant.merchant.id, hub: HUB, now: new Date() }
    for (const type of EVENT_TYPE_NAMES) {
      const body = document.webhooks[type]?.post.requestBody?.content?.['application/json']?.schema
      const data = body?.properties?.data
      const parts = data?.allOf ?? (data ? [data] : [])
      const described = parts.flatMap(({ properties = {} }) => Object.keys(properties))
      const required = parts.flatMap(({ required = [] }) => required)
      const shown = Object.keys(sampleEvent(type, 'sandbox', given))
      expect({ type, missing: shown.filter((name) => !described.includes(name)) }).toEqual({
        type,
        missing: [],
      })
      expect({ type, missing: required.filter((name) => !shown.includes(name)) }).toEqual({
        type,
        missing: [],
      })
    }
  })

  test('refers to nothing that is not there', async () => {
    const { text } = await rig.call('GET', '/openapi.json', { key: null })
    const raw = JSON.parse(text)
    const references = [...text.matchAll(/"#\/([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(references.length).toBeGreaterThan(200)
    const missing = references.filter(
      (path) => path.split('/').reduce((inner, key) => Object(inner)[key], raw) === undefined,
    )
    expect(missing).toEqual([])
    expect(text).not.toContain('"nullable"')
    expect(text).not.toContain('"required":[]')
  })

  test('knows both kinds of key, and which endpoints need which', () => {
    const scheme = { type: 'apiKey', in: 'header', name: 'X-Service-Key' }
    expect(document.components.securitySchemes).toMatchObject({
      secretKey: scheme,
      publishableKey: scheme,
    })
    const isFacilitator = /\/v1\/x402\/(verify|settle|supported|payments\/status)$/
    const isMerchants =
      /\/v1\/(invoices|prices|payment-links|settings|x402(?!\/discovery)|webhooks|events|recoveries|reports|sandbox|search|balances)/
    for (const { name, operation } of operations) {
      // The scopes are examined with requests: test/api/http/scopes.test.ts.
      const secret = { secretKey: expect.arrayContaining([expect.any(String)]) }
      const forMerchants = isMerchants.test(name) ? [secret] : []
      const expected = isFacilitator.test(name) ? [{}, secret] : forMerchants
      const isForBoth = name === 'POST /v1/checkout/sessions'
      const forTwo = name === 'POST /v1/graphql' ? [secret, { operatorToken: [] }] : expected
      const security = isForBoth ? [secret, { publishableKey: [] }] : forTwo
      expect({ name, security: operation.security }).toEqual({ name, security })
    }
  })

  test('shows errors with details where the answer has them', () => {
    const conflict = document.paths['/v1/x402/endpoints']?.post?.responses['409']
    const schema = conflict?.content?.['application/json']?.schema
    expect(Object.keys(schema?.properties ?? {})).toContain('details')
  })

  test('describes exactly the fields that invoices and transactions have', async () => {
    const created = await rig.call('POST', '/v1/invoices', {
      body: { tokenSymbol: 'USDC', amountExpected: 1 },
    })
    const operation = document.paths['/v1/invoices']?.post
    const schema = operation?.responses['201']?.content?.['application/json']?.schema
    const parts = schema?.properties?.data?.allOf ?? []
    const described = parts.flatMap(({ properties = {} }) => Object.keys(properties))
    expect(described.sort()).toEqual(Object.keys(created.json.data).sort())
  })
})

describe('/docs', () => {
  test('is a page that loads nothing from another host', async () => {
    const { status, headers, text } = await rig.call('GET', '/docs', { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*|unsafe/)
    const references = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1] ?? '')
    expect(references.length).toBeGreaterThan(2)
    for (const reference of references) {
      expect(reference).toStartWith('/docs/')
      expect((await rig.call('GET', reference, { key: null })).status).toBe(200)
    }
    expect(text).not.toMatch(/<script>|<style>|style="/)
  })

  test('starts Swagger UI on our document and without a validator elsewhere', async () => {
    const { text } = await rig.call('GET', '/docs/start.js', { key: null })
    expect(text).toContain("url: '/openapi.json'")
    expect(text).toContain('validatorUrl: null')
    expect(text).not.toContain('http')
  })
})
