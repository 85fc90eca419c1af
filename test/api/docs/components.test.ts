import { expect, test } from 'bun:test'
import { shareComponents } from '../../../api/docs/components.ts'
import { withChainOf } from '../../../api/docs/json.ts'
import { responses } from '../../../api/request/responses.ts'
import {
  amountField,
  exampleOf,
  list,
  named,
  nullable,
  object,
  text,
} from '../../../api/request/schema.ts'

const coin = named('Coin', 'A coin.', { symbol: text('The ticker.', 'USDC') })
const answer = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const REFERENCE = { $ref: '#/components/schemas/Coin' }

test('an object with a name becomes a component, wherever it stands', () => {
  const inside = object('A purse.', { coin, coins: list('All of them.', coin) })
  const { parts, schemas } = shareComponents({ '/a': answer(coin), '/b': answer(inside) })
  expect(parts).toMatchObject({
    '/a': answer(REFERENCE),
    '/b': answer({ properties: { coin: REFERENCE, coins: { items: REFERENCE } } }),
  })
  expect(Object.keys(schemas)).toEqual(['Coin'])
  expect(schemas.Coin).toEqual({
    description: 'A coin.',
    type: 'object',
    required: ['symbol'],
    properties: {
      symbol: { type: 'string', description: 'The ticker.', example: 'USDC' },
    },
  })
})

test('a general one keeps its own description, and each place that refers to it has its own', () => {
  const general = { title: 'Amount', ...text('A decimal.', '12.5') }
  const purse = object('A purse.', { held: { ...general, description: 'What is in it.' } })
  const { parts, schemas } = shareComponents({ '/a': purse }, [general])
  const reference = { $ref: '#/components/schemas/Amount' }
  expect(parts).toMatchObject({
    '/a': { properties: { held: { ...reference, description: 'What is in it.' } } },
  })
  expect(schemas.Amount).toMatchObject({ description: 'A decimal.', example: '12.5' })
})

test('one that may be null refers to it', () => {
  const maybe = object('A purse.', { coin: nullable(coin), other: coin })
  const { parts } = shareComponents({ '/a': answer(maybe) })
  expect(parts).toMatchObject({
    '/a': answer({
      properties: { coin: { description: 'A coin.', oneOf: [REFERENCE, { type: 'null' }] } },
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
    'two schemas of the document have the name Coin',
  )
})

test('the example of a list or an object follows from its parts, and is in the document where it does not', () => {
  const coins = list('Coins.', text('A ticker.', 'USDC'))
  const own = { ...coins, example: ['USDC', 'USDT'] }
  const purse = object('A purse.', { coins, own })
  expect(exampleOf(purse)).toEqual({ coins: ['USDC'], own: ['USDC', 'USDT'] })
  const { parts } = shareComponents({ '/a': purse })
  expect(parts).toMatchObject({ '/a': { properties: { own: { example: ['USDC', 'USDT'] } } } })
  expect(parts).not.toHaveProperty(['/a', 'example'])
  expect(parts).not.toHaveProperty(['/a', 'properties', 'coins', 'example'])
})

test('errors that several operations answer are components, and those of one stay with it', () => {
  const shared = responses({}, ['unauthorized'], true)
  const single = responses({}, ['invoice_not_found', 'payment_not_found'], false)
  const {
    parts,
    responses: components,
    schemas,
  } = shareComponents({
    '/a': shared,
    '/b': shared,
    '/c': single,
  })
  const reference = { $ref: '#/components/responses/NoKey' }
  const choice = ['InvoiceNotFoundError', 'PaymentNotFoundError'].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }))
  expect(parts).toMatchObject({
    '/a': { 401: reference },
    '/b': { 401: reference },
    '/c': { 404: { description: 'See `code`.' } },
  })
  expect(JSON.stringify(parts)).toContain(JSON.stringify(choice))
  expect(Object.keys(components)).toEqual(['Internal', 'Limit', 'NoKey'])
  expect(JSON.stringify(components)).toContain('#/components/headers/Retry-After')
  expect(schemas.InvoiceNotFoundError).toMatchObject({
    allOf: [
      { $ref: '#/components/schemas/AnyError' },
      { properties: { code: { const: 'invoice_not_found' } } },
    ],
  })
  expect(schemas.AnyError).toMatchObject({
    properties: {
      success: { $ref: '#/components/schemas/Failure' },
      docs: { $ref: '#/components/schemas/ErrorPage' },
    },
  })
})

test('what may be null is so by its type', () => {
  const given = {
    plain: nullable(text('A ticker.', 'USDC')),
    choice: nullable(text('A ticker.', 'USDC', { enum: ['USDC'] })),
    either: nullable(amountField('How many.', '1')),
    component: { ...nullable(coin), example: null },
  }
  const { parts } = shareComponents(given)
  expect(parts).toMatchObject({
    plain: { type: ['string', 'null'], description: 'A ticker.', example: 'USDC' },
    choice: { type: ['string', 'null'], enum: ['USDC', null] },
    either: {
      oneOf: [
        { $ref: '#/components/schemas/AmountNumber' },
        { $ref: '#/components/schemas/AmountText' },
        { type: 'null' },
      ],
    },
    component: { description: 'A coin.', oneOf: [REFERENCE, { type: 'null' }], example: null },
  })
  expect(JSON.stringify(parts)).not.toContain('anyOf')
})

test('examples name chains that the deployment has', () => {
  const names = new Map([['base-sepolia', 'base']])
  const given = { example: { networkId: 'base-sepolia', chains: ['base-sepolia', 'sepolia'] } }
  const expected = { example: { networkId: 'base', chains: ['base', 'sepolia'] } }
  expect(withChainOf(given, names)).toEqual(expected)
})
