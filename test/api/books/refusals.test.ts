import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectRefusal } from '../../support/api/answers.ts'
import { createIndex } from '../../support/api/figures.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'

/** What is no query for figures, costs too much, or meets a fault: each answer says so, and little else. */

const RANGE = 'from: "2026-06-01", to: "2026-06-30"'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({ variables: { RATE_LIMIT_AUTHENTICATED: '10000' } })
  await createIndex(rig.database)
}, 120_000)
afterAll(() => rig?.close())

const send = (body: unknown, options: Parameters<ApiRig['call']>[2] = {}) =>
  rig.call('POST', '/v1/graphql', { body, ...options })
const FIELD = `volume(${RANGE}) { day }`

function refusals(): readonly (readonly [string, unknown, string])[] {
  const doubling = Array.from(
    { length: 40 },
    (_, i) => `fragment f${i} on Volume { ...f${i + 1} ...f${i + 1} }`,
  )
  const deep = `${'{ payers '.repeat(400)}{ a }${' }'.repeat(400)}`
  return [
    ['no query', {}, 'invalid request body'],
    ['a batch', [{ query: `{ ${FIELD} }` }], 'invalid request body'],
    ['another field', { query: `{ ${FIELD} }`, extensions: {} }, 'invalid request body'],
    ['an empty query', { query: '' }, 'invalid GraphQL query'],
    ['what is no query', { query: 'select 1' }, 'invalid GraphQL query'],
    [
      'two queries',
      { query: `query a { ${FIELD} } query b { ${FIELD} }` },
      'invalid GraphQL query',
    ],
    ['a mutation', { query: 'mutation { volume }' }, 'invalid GraphQL query'],
    ['a subscription', { query: 'subscription { volume }' }, 'invalid GraphQL query'],
    ['the schema', { query: '{ __schema { types { name } } }' }, 'invalid GraphQL query'],
    ['a type', { query: 'query { a: __type(name: "Query") { name } }' }, 'invalid GraphQL query'],
    [
      'the schema in a fragment',
      { query: '{ ...a } fragment a on Query { __schema { types { name } } }' },
      'invalid GraphQL query',
    ],
    [
      'one statement under many aliases',
      { query: `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: ${FIELD}`).join(' ')} }` },
      'invalid GraphQL query',
    ],
    [
      'costly statements under a few aliases',
      {
        query: `{ ${['a', 'b', 'c', 'd', 'e'].map((name) => `${name}: settleTimes(${RANGE}) { kind }`).join(' ')} }`,
      },
      'invalid GraphQL query',
    ],
    [
      'many fields',
      {
        query: `{ volume(${RANGE}) { ${Array.from({ length: 250 }, (_, i) => `a${i}: day`).join(' ')} } }`,
      },
      'invalid GraphQL query',
    ],
    ['many tokens', { query: `{ ${'a '.repeat(2_000)} }` }, 'invalid GraphQL query'],
    ['a long query', { query: `{ ${FIELD} #${'x'.repeat(20_000)}\n }` }, 'invalid GraphQL query'],
    ['a deep query', { query: `{ topPayers(${RANGE}) ${deep} }` }, 'invalid GraphQL query'],
    [
      'fragments that double',
      {
        query: `{ volume(${RANGE}) { ...f0 } } ${doubling.join(' ')} fragment f40 on Volume { day }`,
      },
      'invalid GraphQL query',
    ],
    [
      'a fragment in itself',
      {
        query: `{ volume(${RANGE}) { ...a } } fragment a on Volume { ...b } fragment b on Volume { ...a }`,
      },
      'invalid GraphQL query',
    ],
    ['an unknown field', { query: `{ ${'x'.repeat(900)} }` }, 'invalid GraphQL query'],
    ['a missing argument', { query: '{ volume { day } }' }, 'invalid GraphQL query'],
    [
      'too many days',
      { query: '{ volume(from: "2020-01-01", to: "2026-01-01") { day } }' },
      'invalid GraphQL query',
    ],
    [
      'days backwards',
      { query: '{ volume(from: "2026-06-02", to: "2026-06-01") { day } }' },
      'invalid GraphQL query',
    ],
    [
      'a day that is none',
      { query: '{ volume(from: "2026-02-30", to: "2026-03-01") { day } }' },
      'invalid GraphQL query',
    ],
    [
      'too many rows',
      { query: `{ topPayers(${RANGE}, first: 101) { addedUp } }` },
      'invalid GraphQL query',
    ],
    [
      'no rows',
      { query: `{ topPayers(${RANGE}, first: 0) { addedUp } }` },
      'invalid GraphQL query',
    ],
    [
      'a number too large',
      { query: `{ topPayers(${RANGE}, first: 99999999999) { addedUp } }` },
      'invalid GraphQL query',
    ],
    [
      'another chain',
      { query: `{ volume(${RANGE}, chain: "nowhere") { day } }` },
      'invalid GraphQL query',
    ],
    [
      'a wrong cursor',
      { query: `{ movements(kind: REFUND, ${RANGE}, after: "AAAA") { next } }` },
      'invalid GraphQL query',
    ],
    [
      'an id that is none',
      { query: `{ volume(${RANGE}, merchant: "' or true --") { day } }` },
      'invalid GraphQL query',
    ],
    [
      'SQL instead of a day',
      {
        query: '{ volume(from: "2026-06-01\'; drop table payment; --", to: "2026-07-01") { day } }',
      },
      'invalid GraphQL query',
    ],
    [
      'a variable of another type',
      {
        query:
          'query ($a: Int!) { topPayers(from: "2026-06-01", to: "2026-06-02", first: $a) { addedUp } }',
        variables: { a: 'y'.repeat(5_000) },
      },
      'invalid GraphQL query',
    ],
    [
      'an object instead of a day',
      {
        query: `query ($a: Day!) { volume(from: $a, to: "2026-06-02") { day } }`,
        variables: { a: { b: ['z'] } },
      },
      'invalid GraphQL query',
    ],
  ]
}

describe('refused is', () => {
  test.each(refusals())('%s', async (_what, body, error) => {
    const answer = await send(body)
    expectRefusal(answer, 400, error)
    // Nothing internal, and little of what the caller wrote.
    expect(answer.text.length).toBeLessThan(4_000)
    for (const word of [/node_modules/, /\.ts\b/, /select /, /postgres/i, /x{80}/, /y{80}/]) {
      expect(answer.text.replace('select 1', '')).not.toMatch(word)
    }
  })

  test('a body that is too large', async () => {
    expectRefusal(await send({ query: 'x'.repeat(300_000) }), 413, 'request body too large')
  })

  test('a GET', async () => {
    expectRefusal(
      await rig.call('GET', '/v1/graphql?query={__typename}'),
      405,
      'method not allowed',
    )
  })

  test('more than a merchant may spend, and another one goes on', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const costly = `{ a: settleTimes(${RANGE}) { kind } b: settleTimes(${RANGE}) { kind }
      c: settleTimes(${RANGE}) { kind } d: settleTimes(${RANGE}) { kind } }`
    let refused: Answer | null = null
    for (let i = 0; i < 14 && refused === null; i++) {
      const answer = await send({ query: costly }, { key })
      if (answer.status !== 200) refused = answer
    }
    if (refused === null) throw new Error('nothing was refused')
    expectRefusal(refused, 429, 'request budget exceeded')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send({ query: `{ ${FIELD} }` })).status).toBe(200)
  })
})

test('a fault of the database tells nothing of it', async () => {
  const broken = await openRig()
  await broken.database`alter view seen_movement rename to elsewhere`
  const answer = await broken.call('POST', '/v1/graphql', { body: { query: `{ ${FIELD} }` } })
  await broken.close()
  expectRefusal(answer, 500, 'internal error')
  expect(Object.keys(answer.json).sort()).toEqual(['code', 'docs', 'error', 'success', 'traceId'])
})
