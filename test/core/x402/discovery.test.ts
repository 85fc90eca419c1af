import { describe, expect, test } from 'bun:test'
import { readEcho } from '../../../core/x402/echo.ts'
import { jsonProblem, MAX_JSON_LENGTH } from '../../../core/x402/jsonBounds.ts'
import { metadataProblems, shownMetadata, toolOf } from '../../../core/x402/metadata.ts'
import { searchQuery } from '../../../core/x402/searchWords.ts'

/** What strangers may be shown of a resource, and what is refused of what strangers write. */

const INFO = { input: { type: 'http', method: 'GET', queryParams: { city: 'Oslo' } } }
const GOOD = {
  mimeType: 'application/json',
  serviceName: 'Weather & more',
  tags: ['weather', 'C++', 'Open Data'],
  iconUrl: 'https://cdn.shop.example/icon.png?size=64',
  info: INFO,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { city: { type: 'string' } },
    properties: { input: { $ref: '#/$defs/city' } },
  },
  routeTemplate: '/weather/:city',
}

test('metadata as stock servers declare it may be shown', () => {
  expect(metadataProblems(GOOD)).toEqual([])
  expect(metadataProblems({})).toEqual([])
})

test('as the specification admits it: any printable words, and examples with any names', () => {
  expect(metadataProblems({ tags: ['weather & climate (EU)', '#1'] })).toEqual([])
  const output = { example: { $ref: 'https://shop.example/other', $id: 'urn:x' } }
  const info = { input: { type: 'mcp', toolName: 'forecast', inputSchema: {} }, output }
  expect(metadataProblems({ info })).toEqual([])
  expect(toolOf({ info })).toBe('forecast')
  expect(toolOf({ info: INFO })).toBeNull()
})

describe('of stored metadata', () => {
  test('nothing is left out that may be shown', () => {
    expect(shownMetadata(GOOD)).toEqual(GOOD)
    expect(shownMetadata({})).toEqual({})
  })

  test.each([
    [{ serviceName: '<b>Shop</b>' }, { serviceName: undefined }],
    [{ iconUrl: 'https://169.254.169.254/i.png' }, { iconUrl: undefined }],
    [{ routeTemplate: '/a/../b' }, { routeTemplate: undefined }],
    [
      { tags: ['a', 'A', '<script>', 1, 'b', 'c', 'd', 'e', 'f'] },
      { tags: ['a', 'b', 'c', 'd', 'e'] },
    ],
    [{ tags: ['<script>'] }, { tags: undefined }],
    [{ tags: 'weather' }, { tags: undefined }],
    [{ schema: { $ref: 'http://x.example' } }, { schema: undefined, info: undefined }],
    [{ info: { input: { type: 'ftp' } } }, { schema: undefined, info: undefined }],
    [{ other: 1 }, {}],
  ])('%j is left out, and the rest stays', (stored, shown) => {
    expect(shownMetadata({ ...GOOD, ...stored })).toEqual(
      Object.fromEntries(
        Object.entries({ ...GOOD, ...shown }).filter(([, value]) => value !== undefined),
      ),
    )
  })
})

describe('metadata is refused', () => {
  test.each([
    ['mimeType', 'text'],
    ['mimeType', '<script>/x'],
    ['serviceName', 'x'.repeat(33)],
    ['serviceName', ''],
    ['serviceName', '<b>Shop</b>'],
    ['serviceName', 'Wetter für alle'],
    ['tags', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['tags', ['<script>alert(1)</script>']],
    ['tags', ['x'.repeat(33)]],
    ['tags', 'weather'],
    ['tags', [1]],
    ['iconUrl', 'https://169.254.169.254/icon.png'],
    ['iconUrl', 'https://2130706433/icon.png'],
    ['iconUrl', 'https://0x7f.1/icon.png'],
    ['iconUrl', 'https://[::1]/icon.png'],
    ['iconUrl', 'https://localhost/icon.png'],
    ['iconUrl', 'https://redis.internal/icon.png'],
    ['iconUrl', 'https://user:secret@shop.example/icon.png'],
    ['iconUrl', 'javascript:alert(1)'],
    ['iconUrl', 'data:image/png;base64,AA'],
    ['iconUrl', `https://shop.example/${'x'.repeat(2048)}`],
    ['routeTemplate', '/a/../b'],
    ['routeTemplate', '/a/%2e%2e/b'],
    ['routeTemplate', '/https://other.example'],
    ['routeTemplate', 'weather'],
    ['routeTemplate', '/<script>'],
    ['info', { input: { type: 'ftp' } }],
    ['info', 'weather'],
    ['info', { input: { type: 'mcp' } }],
    ['info', { input: { type: 'mcp', toolName: '' } }],
    ['info', { input: { type: 'mcp', toolName: 'a\u0007b' } }],
    ['info', { input: { type: 'mcp', toolName: 'a', inputSchema: { $ref: 'http://x.example' } } }],
    ['info', { ...INFO, output: { example: 'x'.repeat(MAX_JSON_LENGTH) } }],
    ['schema', { $ref: 'https://other.example/schema' }],
    ['schema', { properties: { a: [{ $id: 'http://169.254.169.254/' }] } }],
    ['schema', { $schema: 'https://other.example/schema' }],
    ['schema', 'true'],
    ['other', 1],
  ])('for its %s: %p', (name, value) => {
    expect(metadataProblems({ ...GOOD, [name]: value }).map(({ path }) => path)).toEqual([name])
  })

  test('for a schema of any depth, or of any size, without looking at all of it', () => {
    let deep: object = {}
    for (let level = 0; level < 100_000; level += 1) deep = { not: deep }
    expect(jsonProblem(deep)).toContain('deep')
    const wide = new Proxy(
      Array.from({ length: 1_000_000 }, () => 'x'),
      {
        ownKeys: () => {
          throw new Error('it was looked at')
        },
      },
    )
    expect(jsonProblem({ enum: wide })).toContain(`${MAX_JSON_LENGTH} characters`)
  })
})

describe('an echo', () => {
  const resource = { url: 'https://shop.example/weather', description: 'Weather', mimeType: '' }
  const { info, schema, routeTemplate, mimeType: _, ...about } = GOOD
  const bazaar = { info, schema, routeTemplate }

  test('is none without the extension', () => {
    expect(readEcho({})).toBeNull()
    expect(readEcho({ extensions: { other: {} }, resource })).toBeNull()
  })

  test('is good as stock clients send it', () => {
    const payment = { extensions: { bazaar }, resource: { ...resource, ...about } }
    expect(readEcho(payment)).toEqual({ problem: null })
  })

  test.each([
    [{ extensions: { bazaar: 'x' } }, 'must be an object'],
    [{ extensions: { bazaar: {} } }, 'info is missing'],
    [{ extensions: { bazaar }, resource: { description: 'x'.repeat(1001) } }, 'description'],
    [{ extensions: { bazaar }, resource: { tags: ['<script>'] } }, 'tags'],
    [{ extensions: { bazaar: { ...bazaar, schema: { $ref: 'http://x.example' } } } }, '$ref'],
  ])('%p is refused', (payment, problem) => {
    expect(readEcho(payment)?.problem).toContain(problem)
  })
})

test('a search is words and nothing that Postgres could take for an operator', () => {
  expect(searchQuery("Wetter in 'Oslo' & !x | (y):*")).toBe('wetter:* & in:* & oslo:* & x:* & y:*')
  expect(searchQuery('grüße 東京')).toBe('grüße:* & 東京:*')
  expect(searchQuery(' !&|:* ')).toBeNull()
  expect(searchQuery('a '.repeat(50))?.split(' & ')).toHaveLength(8)
})
