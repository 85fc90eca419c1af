import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiRig, openRig } from './rig.ts'

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly example?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly string[]
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly headers?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly description?: string
}
interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly operationId?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Schema & { readonly name: string; readonly schema: Schema })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, Content>>
  }
}

let rig: ApiRig
let document: Document
let operations: { name: string; operation: Operation }[]

beforeAll(async () => {
  rig = await openRig()
  const answer = await rig.call('GET', '/openapi.json', { key: null })
  expect(answer.status).toBe(200)
  document = JSON.parse(answer.text)
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
})
afterAll(() => rig.close())

/** Every field of a schema, with the way to it. */
function fields(place: string, schema: Schema): { place: string; field: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { place: `${place}.${name}`, field },
    ...fields(`${place}.${name}`, field),
  ])
  const items = schema.items ? fields(`${place}[]`, schema.items) : []
  const choices = (schema.oneOf ?? []).flatMap((choice, i) => [
    { place: `${place}|${i}`, field: choice },
    ...fields(`${place}|${i}`, choice),
  ])
  return [...own, ...items, ...choices]
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
    const bodies = Object.values(content?.content ?? {}).map(({ schema }) => schema)
    const headers = Object.entries(content?.headers ?? {}).map(([header, { schema }]) => ({
      place: `${place} ${header}`,
      field: schema,
    }))
    return [...headers, ...bodies.flatMap((field) => [{ place, field }, ...fields(place, field)])]
  })
}

function errorsOf(name: string): string[] {
  const found = operations.find((candidate) => candidate.name === name)
  return Object.entries(found?.operation.responses ?? {})
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      const schema = response.content?.['application/json']?.schema
      return (schema?.properties?.error?.enum ?? []).map((error) => `${status} ${error}`)
    })
    .sort()
}

describe('/openapi.json', () => {
  test('is an OpenAPI 3 document of every endpoint', () => {
    expect(document.openapi).toStartWith('3.')
    expect(operations.map(({ name }) => name).sort()).toEqual([
      'DELETE /v1/webhooks/endpoints/{id}',
      'DELETE /v1/x402/endpoints/{id}',
      'GET /health',
      'GET /ready',
      'GET /v1/events',
      'GET /v1/events/{id}',
      'GET /v1/invoices',
      'GET /v1/invoices/{id}',
      'GET /v1/invoices/{id}/refunds',
      'GET /v1/invoices/{id}/transactions',
      'GET /v1/recoveries',
      'GET /v1/reports/daily',
      'GET /v1/reports/transactions.csv',
      'GET /v1/utils/chains',
      'GET /v1/utils/tokens',
      'GET /v1/webhooks/deliveries',
      'GET /v1/webhooks/deliveries/{id}',
      'GET /v1/webhooks/endpoints',
      'GET /v1/webhooks/endpoints/{id}',
      'GET /v1/x402/endpoints',
      'GET /v1/x402/endpoints/requirements',
      'GET /v1/x402/endpoints/{id}',
      'GET /v1/x402/endpoints/{id}/requirements',
      'GET /v1/x402/payments',
      'GET /v1/x402/payments/status',
      'GET /v1/x402/payments/{id}',
      'GET /v1/x402/supported',
      'PATCH /v1/webhooks/endpoints/{id}',
      'PATCH /v1/x402/endpoints/{id}',
      'POST /v1/invoices',
      'POST /v1/invoices/{id}/accept-partial',
      'POST /v1/invoices/{id}/expire',
      'POST /v1/invoices/{id}/refunds',
      'POST /v1/invoices/{id}/transactions',
      'POST /v1/invoices/{id}/transactions/{transactionId}/accept',
      'POST /v1/sandbox/faucet',
      'POST /v1/sandbox/scenarios',
      'POST /v1/webhooks/deliveries/{id}/redeliver',
      'POST /v1/webhooks/endpoints',
      'POST /v1/webhooks/endpoints/{id}/replay',
      'POST /v1/webhooks/endpoints/{id}/rotate-secret',
      'POST /v1/webhooks/endpoints/{id}/test',
      'POST /v1/x402/endpoints',
      'POST /v1/x402/settle',
      'POST /v1/x402/verify',
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

  test('gives every field and header a description and an example', () => {
    const all = operations.flatMap(({ name, operation }) => schemasOf(name, operation))
    expect(all.length).toBeGreaterThan(300)
    const poor = all.filter(({ field }) => !field.description || field.example === undefined)
    expect(poor.map(({ place }) => place)).toEqual([])
  })

  test('gives every parameter a description and an example', () => {
    const all = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter) => ({ name, parameter })),
    )
    expect(all.length).toBeGreaterThan(41)
    const poor = all.filter(({ parameter }) => {
      const example = parameter.example ?? parameter.schema.example
      return !(parameter.description ?? parameter.schema.description) || example === undefined
    })
    expect(poor.map(({ name, parameter }) => `${name} ${parameter.name}`)).toEqual([])
  })

  test.each([
    [
      'POST /v1/invoices',
      [
        '400 invalid request body',
        '400 unknown chain',
        '400 no supported chains for token',
        '400 invalid recipient address',
        '409 externalRef conflict',
        '413 request body too large',
      ],
    ],
    ['GET /v1/invoices', ['400 invalid query parameters']],
    ['GET /v1/invoices/{id}', ['400 invalid invoice id', '404 invoice not found']],
    ['GET /v1/invoices/{id}/transactions', ['400 invalid invoice id', '404 invoice not found']],
    [
      'POST /v1/invoices/{id}/expire',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '404 invoice not found',
        '409 invoice already paid',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/transactions/{transactionId}/accept',
      [
        '400 invalid invoice id',
        '400 invalid transaction id',
        '400 invalid request body',
        '404 invoice not found',
        '404 transaction not found',
        '409 transaction not late',
        '409 transaction reverted',
        '409 transaction refunded',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/accept-partial',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '404 invoice not found',
        '409 nothing received',
        '409 invoice already paid',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/refunds',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '400 invalid recipient address',
        '403 refund address not allowed',
        '404 invoice not found',
        '404 transaction not found',
        '409 refund not possible',
        '409 idempotencyKey conflict',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/transactions',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '400 unknown chain',
        '404 invoice not found',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/sandbox/faucet',
      [
        '400 invalid request body',
        '400 unknown chain',
        '400 no supported chains for token',
        '400 invalid recipient address',
        '409 chain not local',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/sandbox/scenarios',
      [
        '400 invalid request body',
        '400 invalid invoice id',
        '404 invoice not found',
        '409 scenario not possible',
        '413 request body too large',
      ],
    ],
    ['GET /v1/recoveries', ['400 invalid query parameters']],
    ['GET /v1/reports/daily', ['400 invalid query parameters']],
    ['GET /v1/reports/transactions.csv', ['400 invalid query parameters']],
    ['GET /v1/invoices/{id}/refunds', ['400 invalid invoice id', '404 invoice not found']],
    ['POST /v1/x402/verify', ['413 request body too large']],
    ['POST /v1/x402/settle', ['413 request body too large']],
    ['GET /v1/x402/supported', []],
    ['GET /v1/x402/payments/status', ['400 invalid query parameters']],
    ['GET /v1/x402/payments', ['400 invalid query parameters']],
    ['GET /v1/x402/payments/{id}', ['400 invalid payment id', '404 payment not found']],
    [
      'POST /v1/x402/endpoints',
      [
        '400 invalid request body',
        '400 unknown chain',
        '400 no supported chains for token',
        '409 endpoint conflict',
        '413 request body too large',
      ],
    ],
    ['GET /v1/x402/endpoints', ['400 invalid query parameters']],
    [
      'GET /v1/x402/endpoints/requirements',
      ['400 invalid query parameters', '404 endpoint not found'],
    ],
    ['GET /v1/x402/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'PATCH /v1/x402/endpoints/{id}',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '409 endpoint conflict',
        '413 request body too large',
      ],
    ],
    ['DELETE /v1/x402/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'GET /v1/x402/endpoints/{id}/requirements',
      ['400 invalid endpoint id', '404 endpoint not found'],
    ],
    [
      'POST /v1/webhooks/endpoints',
      ['400 invalid request body', '409 too many endpoints', '413 request body too large'],
    ],
    ['GET /v1/webhooks/endpoints', ['400 invalid query parameters']],
    ['GET /v1/webhooks/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'PATCH /v1/webhooks/endpoints/{id}',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '413 request body too large',
      ],
    ],
    ['DELETE /v1/webhooks/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'POST /v1/webhooks/endpoints/{id}/rotate-secret',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/webhooks/endpoints/{id}/test',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '409 endpoint disabled',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/webhooks/endpoints/{id}/replay',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '409 endpoint disabled',
        '413 request body too large',
      ],
    ],
    ['GET /v1/webhooks/deliveries', ['400 invalid query parameters']],
    ['GET /v1/webhooks/deliveries/{id}', ['400 invalid delivery id', '404 delivery not found']],
    [
      'POST /v1/webhooks/deliveries/{id}/redeliver',
      [
        '400 invalid delivery id',
        '400 invalid request body',
        '404 delivery not found',
        '409 endpoint disabled',
        '413 request body too large',
      ],
    ],
    ['GET /v1/events', ['400 invalid query parameters']],
    ['GET /v1/events/{id}', ['400 invalid event id', '404 event not found']],
  ])('lists every error of %s', (name, own) => {
    const common = ['401 unauthorized', '429 too many requests', '500 internal error']
    expect(errorsOf(name)).toEqual([...own, ...common, '503 service unavailable'].sort())
  })

  test.each(['GET /v1/utils/chains', 'GET /v1/utils/tokens'])('lists every error of %s', (name) => {
    expect(errorsOf(name)).toEqual(['429 too many requests', '500 internal error'])
  })

  test('says what unknown paths and wrong methods answer', () => {
    const { notFound, methodNotAllowed } = document.components.responses
    expect([notFound?.description, methodNotAllowed?.description]).toEqual([
      'not found',
      'method not allowed',
    ])
  })

  test('knows both kinds of key, and which endpoints need which', () => {
    const scheme = { type: 'apiKey', in: 'header', name: 'X-Service-Key' }
    expect(document.components.securitySchemes).toMatchObject({
      secretKey: scheme,
      publishableKey: scheme,
    })
    const isFacilitator = /\/v1\/x402\/(verify|settle|supported|payments\/status)$/
    const isMerchants = /\/v1\/(invoices|x402|webhooks|events|recoveries|reports|sandbox)/
    for (const { name, operation } of operations) {
      const forMerchants = isMerchants.test(name) ? [{ secretKey: [] }] : []
      const expected = isFacilitator.test(name) ? [{}, { secretKey: [] }] : forMerchants
      expect({ name, security: operation.security }).toEqual({ name, security: expected })
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
    const described = schema?.properties?.data?.properties ?? {}
    expect(Object.keys(described).sort()).toEqual(Object.keys(created.json.data).sort())
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
