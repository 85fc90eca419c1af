import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { SCHEMA } from '../../../api/analytics/execution.ts'
import { withSight } from '../../../store/analytics/sight.ts'
import { openDatabase } from '../../../store/database.ts'
import type { NewMerchant } from '../../../store/merchant/merchants.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import { expectRefusal } from '../answers.ts'
import { type Answer, type ApiRig, openRig } from '../rig.ts'
import { createIndex, type Figures, storeFigures } from './figures.ts'

/** Who sees what: every field of the schema, and whatever else somebody may try. */

const TOKEN = 'operator-token-of-this-test'
const RANGE = 'from: "2026-06-01", to: "2026-06-30"'

let rig: ApiRig
let other: NewMerchant
let mine: Figures
let theirs: Figures
beforeAll(async () => {
  rig = await openRig({
    variables: { OPERATOR_TOKEN: TOKEN, RATE_LIMIT_AUTHENTICATED: '10000' },
  })
  await createIndex(rig.database)
  other = await rig.newMerchant()
  mine = await storeFigures(rig.database, rig.merchant.merchant.id, 7n)
  theirs = await storeFigures(rig.database, other.merchant.id, 1_000_003n)
}, 120_000)
afterAll(() => rig?.close())

const send = (body: unknown, options: Parameters<ApiRig['call']>[2] = {}) =>
  rig.call('POST', '/v1/graphql', { body, ...options })
const asOperator = { key: null, headers: { authorization: `Bearer ${TOKEN}` } }

/** All leaves below a type. */
function leavesOf(type: GraphQLOutputType): string {
  const named = getNamedType(type)
  if (!isObjectType(named)) return ''
  const fields = Object.values(named.getFields()).map(
    ({ name, type: of }) => `${name} ${leavesOf(of)}`,
  )
  return `{ ${fields.join(' ')} }`
}

/** A field with each way to give its enums and flags, so that no branch of it is left out. */
function queriesOf(field: GraphQLField<unknown, unknown>): string[] {
  const choices = field.args.flatMap((argument) => {
    const type = getNamedType(argument.type)
    if (isEnumType(type)) return [type.getValues().map(({ name }) => `${argument.name}: ${name}`)]
    if (type.name === 'Boolean') return [[`${argument.name}: true`, `${argument.name}: false`]]
    if (argument.name === 'chain') {
      const given = 'chain: "base-sepolia"'
      return [isRequiredArgument(argument) ? [given] : [given, '']]
    }
    return []
  })
  const combined = choices.reduce<string[]>(
    (all, some) => all.flatMap((one) => some.map((choice) => `${one}, ${choice}`)),
    [RANGE],
  )
  return combined.map((args) => `{ ${field.name}(${args}) ${leavesOf(field.type)} }`)
}

const FIELDS = Object.values(SCHEMA.getQueryType()?.getFields() ?? {})

/** Amounts of the merchants, which no sum of the other's can be: they are multiples of a number of their own. */
function unitsIn(text: string): bigint[] {
  return [...text.matchAll(/"units":"(\d+)"/g)].map(([, digits = '']) => BigInt(digits))
}

describe('a merchant sees nothing of another’s', () => {
  test('there are fields to try', () => expect(FIELDS.length).toBeGreaterThan(4))

  test.each(FIELDS.map((field) => field.name))(
    'by %s',
    async (name) => {
      const field = FIELDS.find((one) => one.name === name)
      if (field === undefined) throw new Error('no such field')
      let seen = 0
      for (const query of queriesOf(field)) {
        const answer = await send({ query })
        const all = (await send({ query }, asOperator)).text
        for (const secret of theirs.own) expect(answer.text.toLowerCase()).not.toContain(secret)
        if (name === 'hubEvents') {
          expectRefusal(answer, 400, 'invalid GraphQL query')
          continue
        }
        expect(answer.status).toBe(200)
        for (const units of unitsIn(answer.text)) expect(units % 7n).toBe(0n)
        const ofOther = (await send({ query }, { key: other.secretKey })).text
        for (const units of unitsIn(ofOther)) expect(units % 1_000_003n).toBe(0n)
        // What is hidden from one is there for the other, and for the operator.
        if (unitsIn(ofOther).some((units) => units > 0n)) seen += 1
        if (unitsIn(all).some((units) => units > 0n)) seen += 1
      }
      expect(seen).toBeGreaterThan(name === 'settleTimes' || name === 'hubEvents' ? -1 : 1)
    },
    60_000,
  )

  test('by no id, and learns nothing of whether there is one', async () => {
    const unknown = Bun.randomUUIDv7()
    const asked = (merchant: string) =>
      send({ query: `{ volume(${RANGE}, merchant: "${merchant}") { day } }` })
    const [real, none] = [await asked(theirs.merchantId), await asked(unknown)]
    for (const answer of [real, none]) expectRefusal(answer, 400, 'invalid GraphQL query')
    expect(real.json.details).toEqual(none.json.details ?? [])
    expect((await asked(mine.merchantId)).status).toBe(200)
    const endpoint = await send({
      query: `{ endpointRevenue(${RANGE}, endpoint: "${theirs.endpoints[0]}") { url } }`,
    })
    expect(endpoint.text).toBe('{"success":true,"data":{"endpointRevenue":[]}}')
  })

  test('by no cursor of another’s list', async () => {
    const page = async (key: string, after: string) => {
      const query = `{ movements(kind: SETTLEMENT, ${RANGE}, first: 1${after}) { items { merchantId } next } }`
      return send({ query }, { key })
    }
    const first = await page(other.secretKey, '')
    const [, cursor = ''] = /"next":"([^"]+)"/.exec(first.text) ?? []
    const stolen = await page(rig.merchant.secretKey, `, after: "${cursor}"`)
    expect(stolen.text).not.toContain(theirs.merchantId)
  })

  test('even where a statement forgets whose rows it wants', async () => {
    const database = openDatabase(await roleUrl(rig.config.databaseUrl, 'api'), { name: 'test' })
    const views = await rig.database<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'v' and relname like 'seen_%'`
    expect(views.length).toBeGreaterThan(8)
    for (const { name } of views) {
      const of = name === 'seen_merchant' ? 'id' : 'merchant_id'
      const count = (merchantId: Figures['merchantId'] | null) =>
        withSight(database, merchantId, 5_000, async ({ sql }) => {
          const isOfAll = name === 'seen_money_day'
          const foreign = isOfAll ? sql`true` : sql`${sql(of)} <> ${mine.merchantId}`
          const rows = await sql`select from ${sql(name)} where ${foreign}`
          return rows.length
        })
      expect({ name, rows: await count(mine.merchantId) }).toEqual({ name, rows: 0 })
      expect(await count(null)).toBeGreaterThan(0)
      // A transaction that has named nobody sees nothing.
      expect(await database`select from ${database(name)}`).toHaveLength(0)
    }
    await database.end({ timeout: 1 })
  })

  test('without a key, by a publishable one, or by a token that is not the operator’s', async () => {
    const query = `{ volume(${RANGE}) { day } }`
    const tries = [
      ...[{ key: null }, { key: rig.merchant.publishableKey }, { key: TOKEN }],
      ...['', 'Bearer', 'Bearer ', TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, 'Bearer null'].map(
        (authorization) => ({ key: null, headers: { authorization } }),
      ),
    ]
    for (const options of tries) expectRefusal(await send({ query }, options), 401, 'unauthorized')
    // A merchant's key is what counts when both are shown.
    const both = await send({ query }, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(both.status).toBe(200)
    const without = await openRig()
    const answer = await without.call('POST', '/v1/graphql', { ...asOperator, body: { query } })
    expectRefusal(answer, 401, 'unauthorized')
    await without.close()
  })
})

const field = (name = 'volume') => `${name}(${RANGE}) { day }`

function refusals(): readonly (readonly [string, unknown, string])[] {
  const doubling = Array.from(
    { length: 40 },
    (_, i) => `fragment f${i} on Volume { ...f${i + 1} ...f${i + 1} }`,
  )
  const deep = `${'{ payers '.repeat(400)}{ a }${' }'.repeat(400)}`
  return [
    ['no query', {}, 'invalid request body'],
    ['a batch', [{ query: `{ ${field()} }` }], 'invalid request body'],
    ['another field', { query: `{ ${field()} }`, extensions: {} }, 'invalid request body'],
    ['an empty query', { query: '' }, 'invalid GraphQL query'],
    ['what is no query', { query: 'select 1' }, 'invalid GraphQL query'],
    [
      'two queries',
      { query: `query a { ${field()} } query b { ${field()} }` },
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
      { query: `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: ${field()}`).join(' ')} }` },
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
    ['a long query', { query: `{ ${field()} #${'x'.repeat(20_000)}\n }` }, 'invalid GraphQL query'],
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
    expect((await send({ query: `{ ${field()} }` })).status).toBe(200)
  })
})

test('a fault of the database tells nothing of it', async () => {
  const broken = await openRig()
  await broken.database`alter view seen_movement rename to elsewhere`
  const answer = await broken.call('POST', '/v1/graphql', { body: { query: `{ ${field()} }` } })
  await broken.close()
  expectRefusal(answer, 500, 'internal error')
  expect(Object.keys(answer.json).sort()).toEqual(['code', 'docs', 'error', 'success', 'traceId'])
})

test('nothing can be written where figures are read', async () => {
  const database = openDatabase(rig.config.databaseUrl, { name: 'test', poolSize: 1 })
  const writing = withSight(database, null, 5_000, ({ sql }) => sql`delete from payment`)
  // A server that can't be written to counts as one that is away: the connection ends with the error.
  await expect(writing).rejects.toThrow()
  await database.end({ timeout: 1 })
  const [row] = await rig.database<{ count: number }[]>`select count(*)::integer from payment`
  expect(row?.count).toBeGreaterThan(0)
})

test('queries by other names, with variables and fragments, are answered', async () => {
  const query = `query Mine($from: Day!, $kind: PaymentKind! = X402) {
    __typename
    all: topPayers(from: $from, to: "2026-06-30", kind: $kind) { ...some }
  } fragment some on TopPayers { addedUp ... @include(if: false) { isComplete } }`
  const variables = { from: '2026-06-01', none: ['x'] }
  const answer = await send({ query, variables, operationName: 'Mine' })
  expect(answer.text).toBe('{"success":true,"data":{"__typename":"Query","all":{"addedUp":4}}}')
})
