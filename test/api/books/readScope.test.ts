import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { answer as answerQuery, prepare, SCHEMA } from '../../../api/books/graphqlExecution.ts'
import type { NewMerchant } from '../../../store/access/merchants.ts'
import { withReadScope } from '../../../store/books/readScope.ts'
import { DatabaseUnavailable } from '../../../store/database/availability.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { expectRefusal } from '../../support/api/answers.ts'
import { createIndex, type Figures, storeFigures } from '../../support/api/figures.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { roleUrl } from '../../support/servers/roles.ts'

/** Who sees what: every field of the schema, and whatever else someone may try. */

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
        withReadScope(database, merchantId, 5_000, async ({ sql }) => {
          const isOfAll = name === 'seen_money_day'
          const foreign = isOfAll ? sql`true` : sql`${sql(of)} <> ${mine.merchantId}`
          const rows = await sql`select from ${sql(name)} where ${foreign}`
          return rows.length
        })
      expect({ name, rows: await count(mine.merchantId) }).toEqual({ name, rows: 0 })
      expect(await count(null)).toBeGreaterThan(0)
      // A transaction that has named no one sees nothing.
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

test('nothing can be written where figures are read', async () => {
  const database = openDatabase(rig.config.databaseUrl, { name: 'test', poolSize: 1 })
  const writing = withReadScope(database, null, 5_000, ({ sql }) => sql`delete from payment`)
  // A server that can't be written to counts as one that is away: the connection ends with the error.
  await expect(writing).rejects.toThrow()
  await database.end({ timeout: 1 })
  const [row] = await rig.database<{ count: number }[]>`select count(*)::integer from payment`
  expect(row?.count).toBeGreaterThan(0)
})

test('of statements in turn none is begun after their time, nor after their transaction', async () => {
  const database = openDatabase(rig.config.databaseUrl, { name: 'test', poolSize: 1 })
  let begun = 0
  const reading = withReadScope(database, null, 250, ({ sql, inTurn }) =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        inTurn(() => {
          begun += 1
          return sql`select pg_sleep(0.1)`
        }),
      ),
    ),
  )
  await expect(reading).rejects.toThrow(DatabaseUnavailable)
  expect(begun).toBeLessThanOrEqual(3)
  const failing = withReadScope(database, null, 5_000, ({ sql, inTurn }) =>
    Promise.all([
      inTurn(() => sql`select pg_sleep(0.1)`),
      inTurn(() => {
        begun = Number.POSITIVE_INFINITY
      }),
      Promise.reject(new Error('wrong')),
    ]),
  )
  await expect(failing).rejects.toThrow('wrong')
  expect(begun).toBeFinite()
  await database.end({ timeout: 1 })
})

test('a query reads nothing more when its time is over', async () => {
  const prepared = prepare({ query: `{ volume(${RANGE}) { day } }`, variables: null })
  const chains = rig.config.registry
  const querying = (delayMs: number) =>
    withReadScope(rig.database, null, 1_000, async (scope) => {
      await Bun.sleep(delayMs)
      return answerQuery(prepared, { scope, chains })
    })
  expect(await querying(0)).toHaveProperty('volume')
  await expect(querying(1_010)).rejects.toThrow(DatabaseUnavailable)
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
