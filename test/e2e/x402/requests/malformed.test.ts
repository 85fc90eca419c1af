import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  expectAnswers,
  expectSettled,
  type Presented,
  present,
} from '../../../support/x402/cases.ts'
import { asStrings } from '../../../support/x402/requests.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Requests that are not what they should be: a reason at 200, never a fault, and nothing claimed. */

let stack: X402Stack
let good: Presented

beforeAll(async () => {
  stack = await startX402Stack()
  good = await present(stack)
}, 120_000)

afterAll(() => stack.close())

type Json = Record<string, unknown>

/** The good request with something changed in the payload that was signed. */
function withPayload(change: Json): Json {
  const { authorization, signature, body } = good
  const payload = { signature, authorization: asStrings(authorization), ...change }
  return { ...body, paymentPayload: { ...Object(body.paymentPayload), payload } }
}

function withAuthorization(change: Json): Json {
  return withPayload({ authorization: { ...asStrings(good.authorization), ...change } })
}

function withPayment(paymentPayload: unknown): Json {
  return { ...good.body, paymentPayload }
}

/** The good request with something changed in what is asked for, and accepted. */
function withRequirements(change: Json): Json {
  const requirements = { ...good.requirements, ...change }
  return {
    ...good.body,
    paymentPayload: { ...Object(good.body.paymentPayload), accepted: requirements },
    paymentRequirements: requirements,
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a body', () => {
  const bodies: readonly (readonly [what: string, body: unknown])[] = [
    ['that is empty', ''],
    ['that is no JSON', 'x402'],
    ['that is cut off', '{"x402Version":2,"paymentPayload":'],
    ['that is a list', '[]'],
    ['that is a number', '402'],
    ['that is null', 'null'],
    ['that is nested deeply', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ]
  for (const [what, body] of bodies) {
    test(`${what} is an invalid payload`, () => expectAnswers(stack, body, 'invalid_payload'))
  }
})

describe('a payload', () => {
  const payments: readonly (readonly [what: string, payment: unknown])[] = [
    ['that is missing', undefined],
    ['that is null', null],
    ['that is a number', 1],
    ['that is a list', []],
    ['that is an empty text', ''],
    ['that is no base64', '%%%'],
    ['that is base64 of no JSON', base64('x402')],
    ['that is base64 of a list', base64('[]')],
    ['that is base64 of no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')],
  ]
  for (const [what, payment] of payments) {
    test(`${what} is invalid`, () => expectAnswers(stack, withPayment(payment), 'invalid_payload'))
  }

  test('that is an empty object, or lacks one of its parts, is invalid', async () => {
    const { paymentPayload } = good.body
    await expectAnswers(stack, withPayment({}), 'invalid_payload')
    await expectAnswers(
      stack,
      withPayment({ ...Object(paymentPayload), payload: {} }),
      'invalid_payload',
    )
    await expectAnswers(stack, withPayload({ authorization: undefined }), 'invalid_payload')
    await expectAnswers(stack, withPayload({ signature: undefined }), 'invalid_payload')
    for (const field of Object.keys(asStrings(good.authorization))) {
      await expectAnswers(stack, withAuthorization({ [field]: undefined }), 'invalid_payload')
    }
  })
})

describe('an authorization is invalid', () => {
  const numbers = ['1e3', '-1', '+1', '0x2710', '1.0', ' 1', '1 ', '', '१', '9'.repeat(78), 10_000]
  for (const field of ['value', 'validAfter', 'validBefore']) {
    test(`whose ${field} is anything but decimal digits of a uint256`, async () => {
      for (const value of numbers) {
        await expectAnswers(stack, withAuthorization({ [field]: value }), 'invalid_payload')
      }
    })
  }

  test('whose nonce is short, long, or no hexadecimal number', async () => {
    const { nonce } = good.authorization
    for (const other of [nonce.slice(0, -2), `${nonce}00`, nonce.slice(2), `0x${'g'.repeat(64)}`]) {
      await expectAnswers(stack, withAuthorization({ nonce: other }), 'invalid_payload')
    }
  })

  test('whose addresses are none', async () => {
    for (const address of ['0x', good.authorization.from.slice(0, -1), 'vitalik.eth', 42]) {
      await expectAnswers(stack, withAuthorization({ from: address }), 'invalid_payload')
      await expectAnswers(stack, withAuthorization({ to: address }), 'invalid_payload')
    }
  })
})

describe('requirements are invalid', () => {
  const changes: readonly (readonly [what: string, change: Json])[] = [
    ['whose amount has an exponent', { amount: '1e3' }],
    ['whose amount is negative', { amount: '-1' }],
    ['whose amount is a number', { amount: 10_000 }],
    ['without an amount', { amount: undefined }],
    ['without payTo', { payTo: undefined }],
    ['without an asset', { asset: null }],
    ['whose asset is a symbol', { asset: 'USDC' }],
    ['that leave no time', { maxTimeoutSeconds: 0 }],
    ['whose extra is a text', { extra: 'USDC' }],
    ['whose endpoint is no UUID', { extra: { endpointId: '1' } }],
    ['whose endpoint does not exist', { extra: { endpointId: crypto.randomUUID() } }],
    ['without a network', { network: undefined }],
    ['without a scheme', { scheme: undefined }],
  ]
  for (const [what, change] of changes) {
    test(what, () => expectAnswers(stack, withRequirements(change), 'invalid_payment_requirements'))
  }

  test('that are missing', async () => {
    const body = { ...good.body, paymentRequirements: undefined }
    await expectAnswers(stack, body, 'invalid_payment_requirements')
  })
})

test('NUL characters anywhere are a reason, not a fault', async () => {
  for (const body of [
    withPayload({ signature: '\0' }),
    withAuthorization({ nonce: '\0' }),
    withRequirements({ network: '\0' }),
    withRequirements({ extra: { name: '\0' } }),
  ]) {
    expect(await stack.verify(body)).toMatchObject({ isValid: false })
    expect(await stack.settle(body)).toMatchObject({ success: false, transaction: '' })
  }
})

test('a double slash before the path is tolerated', async () => {
  const body = JSON.stringify(good.body)
  const headers = { 'content-type': 'application/json' }
  const response = await stack.fetch('/v1/x402//verify', { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ isValid: true })
})

test('a body that is too large is said to be so', async () => {
  const body = JSON.stringify({ ...good.body, padding: 'x'.repeat(300_000) })
  for (const path of ['/v1/x402/verify', '/v1/x402/settle']) {
    const response = await stack.fetch(path, { method: 'POST', body })
    expect(response.status).toBe(413)
  }
})

test('after all that nothing is claimed, and the good request settles', async () => {
  expect(await stack.database`select * from x402_payment`).toHaveLength(0)
  await expectSettled(stack, good)
})
