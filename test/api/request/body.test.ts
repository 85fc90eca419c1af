import { describe, expect, test } from 'bun:test'
import { type Body, bodyOf } from '../../../api/request/body.ts'
import {
  flag,
  integer,
  nullable,
  optional,
  pastedField,
  record,
  text,
  textsField,
  uuid,
  withRange,
} from '../../../api/request/schema.ts'
import { AppError } from '../../../core/base/errors.ts'

/** What one declaration of a field decides: how it is checked, what a mistake is told, how it is documented. */

const NAME = 'tea'
const BODY = bodyOf('An order.', {
  name: pastedField('What is bought.', NAME),
  count: withRange('must be a whole number from 1 on', integer('How many.', 2, { minimum: 1 })),
  seconds: optional(integer('For how long.', 60, { minimum: 60 })),
  price: optional(uuid('Its price.', '0198c1f0-1c52-7000-8000-2e9d4b7a6f13'), { isShown: false }),
  note: optional(nullable(text('Null for none.', 'soon'))),
  gift: optional(flag('Whether it is one.', false)),
  tags: optional(textsField('What it is about.', text('A word.', 'green'), 2)),
  metadata: optional(record('Any pairs.', { cart: 'c-77' })),
})

function read(body: Body<unknown>, sent: unknown): Promise<unknown> {
  const init = { method: 'POST', body: JSON.stringify(sent) }
  return body.read(new Request('http://localhost/', init))
}

async function problems(sent: object): Promise<Readonly<Record<string, string>>> {
  const error = await read(BODY, { name: NAME, count: 1, ...sent }).catch((fault) => fault)
  if (!(error instanceof AppError)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]))
}

describe('a field', () => {
  test('is refused with the message of its type, or with its own', async () => {
    const wrong = {
      name: 1,
      count: 'x',
      seconds: 1.5,
      gift: 1,
      tags: ['a', 'b', 'c'],
      metadata: [],
    }
    expect(await problems(wrong)).toEqual({
      name: 'must be a string',
      count: 'must be a whole number from 1 on',
      seconds: 'must be a whole number',
      gift: 'must be true or false',
      tags: 'must be an array of at most 2 strings',
      metadata: 'must be an object',
    })
    expect(await problems({ tags: [1] })).toEqual({ 'tags.0': 'must be a string' })
  })

  test('is refused out of a range that has a message, and other rules are left to what reads it', async () => {
    expect(await problems({ count: 0 })).toEqual({ count: 'must be a whole number from 1 on' })
    expect(await problems({ seconds: 1, price: 'none' })).toEqual({})
  })

  test('that is null is left out, unless null is a value of its own', async () => {
    const sent = { name: NAME, count: 1, note: null, gift: null, tags: null }
    expect(await read(BODY, sent)).toEqual({ name: NAME, count: 1, note: null })
    expect(await problems({ name: null })).toEqual({ name: 'must be a string' })
  })

  test('that people paste is read as it was meant', async () => {
    const sent = { name: ` ${NAME}\n`, count: 1, tags: [' green '] }
    expect(await read(BODY, sent)).toEqual({ name: NAME, count: 1, tags: ['green'] })
  })

  test('is documented by the same declaration', () => {
    const { content } = Object(BODY.document)
    const { schema, example } = content['application/json']
    expect(schema).toMatchObject({ required: ['name', 'count'], additionalProperties: false })
    expect(schema.properties).toMatchObject({
      count: { type: 'integer', minimum: 1, description: 'How many.', example: 2 },
      gift: { anyOf: [{ type: 'boolean' }, { type: 'null' }], description: 'Whether it is one.' },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    })
    expect(example).toEqual({
      name: NAME,
      count: 2,
      seconds: 60,
      note: 'soon',
      gift: false,
      tags: ['green'],
      metadata: { cart: 'c-77' },
    })
  })
})
