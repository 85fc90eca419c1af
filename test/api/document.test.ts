import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERRORS } from '../../core/errors.ts'
import { type ApiRig, openRig } from './rig.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

let rig: ApiRig
let document: Json = null

beforeAll(async () => {
  rig = await openRig()
  document = JSON.parse((await rig.call('GET', '/openapi.json', { key: null })).text)
}, 60_000)

afterAll(() => rig.close())

const OPERATIONS = [
  'get /health',
  'get /ready',
  'get /v1/invoices',
  'get /v1/invoices/{id}',
  'get /v1/invoices/{id}/transactions',
  'get /v1/utils/chains',
  'get /v1/utils/tokens',
  'post /v1/invoices',
  'post /v1/invoices/{id}/expire',
]

describe('the document', () => {
  test('has every route and no other', () => {
    const found = Object.entries(fields(at(document, 'paths'))).flatMap(([path, methods]) =>
      Object.keys(fields(methods)).map((method) => `${method} ${path}`),
    )
    expect(found.sort()).toEqual(OPERATIONS)
  })

  test('describes every field of every schema, with an example', () => {
    const bare: string[] = []
    let seen = 0
    walk(document, (path, schema) => {
      for (const [name, field] of Object.entries(fields(schema.properties ?? null))) {
        seen += 1
        const { description, example } = fields(field)
        if (typeof description !== 'string' || example === undefined) bare.push(`${path}.${name}`)
      }
    })
    expect(bare).toEqual([])
    expect(seen).toBeGreaterThan(400)
  })

  test('describes every parameter, with an example', () => {
    const bare: string[] = []
    for (const [path, operation] of operations()) {
      for (const parameter of list(operation.parameters ?? [])) {
        const { name, description, example, schema } = fields(parameter)
        const inner = fields(schema ?? null)
        if (!(description ?? inner.description)) bare.push(`${path} ${name}`)
        if ((example ?? inner.example) === undefined) bare.push(`${path} ${name}`)
      }
    }
    expect(bare).toEqual([])
    const names = list(at(document, 'paths', '/v1/invoices', 'get', 'parameters')).map(
      (parameter) => fields(parameter).name,
    )
    expect(names).toEqual([
      'limit',
      'page',
      'offset',
      'status',
      'externalRef',
      'reference',
      'createdFrom',
      'createdTo',
      'expired',
    ])
  })

  const errors: Record<string, (keyof typeof ERRORS)[]> = {
    'post /v1/invoices': [
      'invalid_request_body',
      'unknown_chain',
      'no_supported_chains',
      'invalid_recipient',
      'unauthorized',
      'external_ref_conflict',
      'body_too_large',
      'too_many_requests',
      'internal_error',
      'service_unavailable',
    ],
    'get /v1/invoices': ['invalid_query_parameters', 'unauthorized', 'too_many_requests'],
    'get /v1/invoices/{id}': ['invalid_invoice_id', 'unauthorized', 'invoice_not_found'],
    'get /v1/invoices/{id}/transactions': ['invalid_invoice_id', 'invoice_not_found'],
    'post /v1/invoices/{id}/expire': ['invoice_not_found', 'invoice_already_paid'],
    'get /v1/utils/chains': ['too_many_requests', 'internal_error'],
  }
  for (const [operation, codes] of Object.entries(errors)) {
    test(`lists the errors of ${operation}, each with an example`, () => {
      const [method = '', path = ''] = operation.split(' ')
      for (const code of codes) {
        const { status, text } = ERRORS[code]
        const body = at(document, 'paths', path, method, 'responses', String(status), 'content')
        const examples = fields(at(body, 'application/json', 'examples'))
        expect(Object.keys(examples)).toContain(text)
        expect(at(examples, text, 'value', 'error')).toBe(text)
      }
    })
  }

  test('lists every error of the table somewhere', () => {
    const text = JSON.stringify(document)
    const missing = Object.values(ERRORS).filter((error) => !text.includes(`"${error.text}"`))
    expect(missing).toEqual([])
  })

  test('has both kinds of keys, and says which routes need the secret one', () => {
    const schemes = fields(at(document, 'components', 'securitySchemes'))
    expect(Object.keys(schemes)).toEqual(['secretKey', 'publishableKey'])
    for (const scheme of Object.values(schemes)) {
      expect(scheme).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-Service-Key' })
    }
    for (const [path, operation] of operations()) {
      const expected = path.includes('/v1/invoices') ? [{ secretKey: [] }] : []
      expect([path, operation.security ?? null]).toEqual([path, expected])
    }
  })

  test('names the limit headers and Retry-After', () => {
    const headers = at(document, 'paths', '/v1/invoices', 'get', 'responses', '429', 'headers')
    expect(Object.keys(fields(headers))).toEqual([
      'X-Trace-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'Retry-After',
    ])
  })

  test('describes an invoice with exactly the fields that one has', async () => {
    const invoice = await rig.create()
    const schema = at(document, 'paths', '/v1/invoices/{id}', 'get', 'responses', '200', 'content')
    const data = at(schema, 'application/json', 'schema', 'properties', 'data', 'properties')
    expect(Object.keys(fields(data)).sort()).toEqual(Object.keys(invoice).sort())
  })
})

describe('Swagger UI', () => {
  test('is one page whose every part comes from this process', async () => {
    const page = await rig.call('GET', '/docs', { key: null })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(parts).toHaveLength(4)
    for (const part of parts) {
      expect(part.startsWith('/docs/')).toBe(true)
      const answer = await rig.call('GET', part, { key: null })
      expect([part, answer.status]).toEqual([part, 200])
      expect(answer.text.length).toBeGreaterThan(100)
    }
    expect(page.text).not.toMatch(/https?:\/\//)
    expect(page.text).not.toMatch(/<script>|style=|onload=/)
  })

  test('asks nobody else, and is not allowed to', async () => {
    const page = await rig.call('GET', '/docs', { key: null })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const start = await rig.call('GET', '/docs/start.js', { key: null })
    expect(start.text).toContain('validatorUrl: null')
    expect(start.text).toContain("url: '/openapi.json'")
  })
})

function operations(): [string, Record<string, Json>][] {
  return OPERATIONS.map((operation) => {
    const [method = '', path = ''] = operation.split(' ')
    return [operation, fields(at(document, 'paths', path, method))]
  })
}

function fields(value: Json): Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function list(value: Json): Json[] {
  return Array.isArray(value) ? value : []
}

function at(value: Json, ...path: string[]): Json {
  return path.reduce<Json>((inner, name) => fields(inner)[name] ?? null, value)
}

/** Shows every schema that has properties. Examples are data and not schemas. */
function walk(
  value: Json,
  show: (path: string, schema: Record<string, Json>) => void,
  path = '',
): void {
  for (const [i, item] of list(value).entries()) walk(item, show, `${path}[${i}]`)
  const own = fields(value)
  if (own.type === 'object' && own.properties !== undefined) show(path, own)
  for (const [name, inner] of Object.entries(own)) {
    if (name !== 'example' && name !== 'examples') walk(inner, show, `${path}.${name}`)
  }
}
