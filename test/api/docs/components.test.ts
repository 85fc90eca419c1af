import { expect, test } from 'bun:test'
import { shareComponents } from '../../../api/docs/components.ts'
import { errorResponse } from '../../../api/openapi/responses.ts'
import { list, named, nullable, object, text } from '../../../api/openapi/schema.ts'

const coin = named('Coin', 'A coin.', { symbol: text('The ticker.', 'USDC') })
const answer = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const REFERENCE = { $ref: '#/components/schemas/Coin' }

test('an object with a name becomes a component, wherever it stands', () => {
  const inside = object('A purse.', { coin, coins: list('All of them.', coin) })
  const { paths, schemas } = shareComponents({ '/a': answer(coin), '/b': answer(inside) })
  expect(paths).toMatchObject({
    '/a': answer(REFERENCE),
    '/b': answer({ properties: { coin: REFERENCE, coins: { items: REFERENCE } } }),
  })
  expect(Object.keys(schemas)).toEqual(['Coin'])
  expect(schemas.Coin).toEqual({
    description: 'A coin.',
    type: 'object',
    required: ['symbol'],
    properties: { symbol: text('The ticker.', 'USDC') },
  })
})

test('one that may be null refers to it', () => {
  const maybe = object('A purse.', { coin: nullable(coin), other: coin })
  const { paths } = shareComponents({ '/a': answer(maybe) })
  expect(paths).toMatchObject({
    '/a': answer({
      properties: { coin: { nullable: true, description: 'A coin.', allOf: [REFERENCE] } },
    }),
  })
})

test('one that may be null wherever it stands is a component all the same', () => {
  const maybe = object('A purse.', { coin: nullable(coin) })
  expect(shareComponents({ '/a': answer(maybe) }).schemas).toMatchObject({
    Coin: { type: 'object', description: 'A coin.' },
  })
})

test('two objects cannot have the same name', () => {
  const other = named('Coin', 'A coin.', { name: text('Its name.', 'Dollar') })
  expect(() => shareComponents({ '/a': answer(coin), '/b': answer(other) })).toThrow(
    'two parts of the document have the name Coin',
  )
})

test('examples that follow from those of the parts are left out, others stay', () => {
  const own = { ...list('Coins.', text('A ticker.', 'USDC')), example: ['USDC', 'USDT'] }
  const { paths } = shareComponents({ '/a': object('A purse.', { own }) })
  expect(paths).toMatchObject({ '/a': { properties: { own: { example: ['USDC', 'USDT'] } } } })
  expect(paths).not.toHaveProperty(['/a', 'example'])
})

test('errors that several operations answer are components, and those of one stay with it', () => {
  const shared = { 401: errorResponse(401, ['unauthorized']) }
  const single = { 404: errorResponse(404, ['invoice_not_found']) }
  const { paths, responses, headers } = shareComponents({
    '/a': shared,
    '/b': shared,
    '/c': single,
  })
  const reference = { $ref: '#/components/responses/UnauthorizedUnlimited' }
  expect(paths).toMatchObject({
    '/a': { 401: reference },
    '/b': { 401: reference },
    '/c': { 404: { description: 'invoice not found' } },
  })
  expect(Object.keys(responses)).toEqual(['UnauthorizedUnlimited'])
  expect(Object.keys(headers)).toEqual(['X-Trace-Id'])
})
