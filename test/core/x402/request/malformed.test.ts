import { describe, expect, test } from 'bun:test'
import type { Reason } from '../../../../core/x402/reasons.ts'
import { parsePaymentRequest } from '../../../../core/x402/request/parse.ts'
import {
  AUTHORIZATION_JSON,
  CHAINS,
  header,
  MERCHANT_ID,
  PAYER,
  PAYLOAD,
  remitBody,
  SIGNATURE,
  V1_REQUIREMENTS,
  V2_REQUIREMENTS,
  v1Body,
  v2Body,
} from '../../../support/core/x402Requests.ts'

/** Every malformed part of a request has its reason, and a sentence that names it. */

function refusal(body: unknown) {
  const parsed = parsePaymentRequest(body, CHAINS)
  if (parsed.ok) throw new Error('it was accepted')
  return parsed
}

function expectRefused(body: unknown, reason: Reason, message: string): void {
  const parsed = refusal(body)
  expect([parsed.reason, parsed.message]).toEqual([reason, parsed.message])
  expect(parsed.message).toContain(message)
}

const v2Payment = v2Body().paymentPayload
const withPayment = (change: object) => ({
  ...v2Body(),
  paymentPayload: { ...v2Payment, ...change },
})
const withPayload = (change: object) => withPayment({ payload: { ...PAYLOAD, ...change } })
const withAuthorization = (change: object) =>
  withPayload({ authorization: { ...AUTHORIZATION_JSON, ...change } })
const withRequirements = (change: object) => {
  const paymentRequirements = { ...V2_REQUIREMENTS, ...change }
  return { ...withPayment({ accepted: paymentRequirements }), paymentRequirements }
}
const withAccepted = (change: object) =>
  withPayment({ accepted: { ...V2_REQUIREMENTS, ...change } })
const withVersions = (body: unknown, payment: unknown) => ({
  ...withPayment({ x402Version: payment }),
  x402Version: body,
})

describe('a body is refused', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'text'],
    ['a number', 402],
    ['a list', [v2Body()]],
  ])('that is %s', (_, body) => {
    expectRefused(body, 'invalid_payload', 'the body must be a JSON object')
  })

  test('without a payload', () => {
    expectRefused({}, 'invalid_payload', 'paymentPayload is missing')
    expectRefused({ ...v2Body(), paymentPayload: null }, 'invalid_payload', 'is missing')
    expectRefused({ ...v2Body(), paymentPayload: [] }, 'invalid_payload', 'must be an object')
    expectRefused({ ...v2Body(), paymentPayload: 5 }, 'invalid_payload', 'must be an object')
  })

  test('without requirements', () => {
    for (const paymentRequirements of [undefined, null, 'text', []]) {
      const body = { ...v2Body(), paymentRequirements }
      expectRefused(body, 'invalid_payment_requirements', 'body.paymentRequirements')
    }
  })

  test.each([
    ['empty', ''],
    ['no base64', '{"x402Version":2}'],
    ['cut in the middle of a letter', 'A'],
    ['no JSON', btoa('exact')],
    ['no object', btoa('[]')],
    ['no object but null', btoa('null')],
    ['no UTF-8', btoa('{"a":"\xff"}')],
  ])('whose header is %s', (_, paymentPayload) => {
    const body = { ...remitBody({}), paymentPayload }
    expectRefused(body, 'invalid_payload', 'paymentPayload must be the base64 of a JSON object')
    expect(refusal(body).dialect).toBe('remit')
  })

  test.each([0, 3, -1, 1.5, '2', true, {}])('of version %p', (version) => {
    expectRefused(withVersions(version, 2), 'invalid_x402_version', 'must be the number 1 or 2')
    expectRefused(withVersions(2, version), 'invalid_x402_version', 'must be the number 1 or 2')
  })

  test('without a version, or with two different ones', () => {
    expectRefused(withVersions(undefined, null), 'invalid_x402_version', 'x402Version is missing')
    expectRefused(withVersions(1, 2), 'invalid_x402_version', 'differs')
  })
})

describe('scheme and network are refused', () => {
  test('when the scheme is another one', () => {
    expectRefused(withRequirements({ scheme: 'deferred' }), 'unsupported_scheme', '"exact"')
    expectRefused(withAccepted({ scheme: 'deferred' }), 'invalid_scheme', 'accepted.scheme')
    const v1 = v1Body()
    const paymentPayload = { ...v1.paymentPayload, scheme: 'deferred' }
    expectRefused({ ...v1, paymentPayload }, 'invalid_scheme', 'paymentPayload.scheme')
  })

  test('when one of them is missing', () => {
    const { scheme: _, ...schemeless } = v1Body().paymentPayload
    const body = { ...v1Body(), paymentPayload: schemeless }
    expectRefused(body, 'invalid_payload', 'paymentPayload.scheme is missing')
    const network = withRequirements({ network: undefined })
    expectRefused(network, 'invalid_payment_requirements', 'paymentRequirements.network is missing')
    expect(refusal(network).network).toBe('')
  })

  test('when the network is unknown, and the known ones are named', () => {
    for (const network of ['eip155:1', 'base', 'eip155:84532 ', 'solana', '', '84532']) {
      expectRefused(
        withRequirements({ network }),
        'invalid_network',
        'paymentRequirements.network must be one of eip155:11155111 (sepolia), eip155:84532 (base-sepolia)',
      )
    }
    expectRefused(withAccepted({ network: 'base' }), 'invalid_network', 'paymentPayload.accepted')
  })

  test('when the payer signed for another network', () => {
    const message = 'differs from paymentRequirements.network'
    expectRefused(withAccepted({ network: 'eip155:11155111' }), 'invalid_network', message)
    const v1 = v1Body()
    const paymentPayload = { ...v1.paymentPayload, network: 'polygon-amoy' }
    expectRefused({ ...v1, paymentPayload }, 'invalid_network', message)
  })
})

describe('requirements are refused', () => {
  test.each([
    [
      'amount',
      ['', '0', '1e3', '-1', '+1', '1.0', ' 1', '0x10', 10_000, null, (2n ** 256n).toString()],
    ],
    ['asset', ['', 'USDC', '0x12', 5, null, `${V2_REQUIREMENTS.asset}00`]],
    ['payTo', ['', 'merchant', 5, null]],
    ['maxTimeoutSeconds', [0, -5, 1.5, '300', 2 ** 53, {}]],
    ['extra', ['text', 5, []]],
  ])('with a wrong %s', (name, values) => {
    for (const value of values) {
      const body = { ...v2Body(), paymentRequirements: { ...V2_REQUIREMENTS, [name]: value } }
      expectRefused(body, 'invalid_payment_requirements', `paymentRequirements.${name}`)
    }
  })

  test.each([
    ['name', 5],
    ['version', 2],
    ['merchantId', 'shop'],
    ['merchantId', [MERCHANT_ID]],
    ['endpointId', 7],
    ['assetTransferMethod', 'erc7710'],
  ])('with a wrong extra.%s', (name, value) => {
    const extra = { ...V2_REQUIREMENTS.extra, [name]: value }
    const message = `paymentRequirements.extra.${name} must be`
    expectRefused(withRequirements({ extra }), 'invalid_payment_requirements', message)
  })

  test('that name two prices', () => {
    const paymentRequirements = { ...V1_REQUIREMENTS, amount: '9999' }
    const body = { ...v1Body(), paymentRequirements }
    expectRefused(body, 'invalid_payment_requirements', 'maxAmountRequired differs')
  })

  test.each([
    ['amount', '9999'],
    ['asset', PAYER],
    ['payTo', PAYER],
  ])('when the payer accepted another %s', (name, value) => {
    const message = `paymentPayload.accepted.${name} differs from paymentRequirements.${name}`
    expectRefused(withAccepted({ [name]: value }), 'invalid_payment_requirements', message)
    const remit = remitBody({ ...v2Payment, accepted: { ...V2_REQUIREMENTS, [name]: value } })
    expectRefused(remit, 'invalid_payment_requirements', message)
  })
})

describe('a payload is refused', () => {
  test('without the parts that it is made of', () => {
    expectRefused(withPayment({ accepted: undefined }), 'invalid_payload', 'accepted is missing')
    expectRefused(withPayment({ payload: undefined }), 'invalid_payload', 'payload is missing')
    expectRefused(withPayment({ payload: 'text' }), 'invalid_payload', 'payload must be an object')
    const message = 'paymentPayload.payload.authorization is missing'
    expectRefused(withPayload({ authorization: undefined }), 'invalid_payload', message)
    expectRefused(withPayload({ authorization: null }), 'invalid_payload', message)
    expectRefused(remitBody({ permit: {} }), 'invalid_payload', 'paymentPayload.payload is missing')
  })

  test.each(['value', 'validAfter', 'validBefore'])('with a wrong %s', (name) => {
    const malformed = [
      '1e3',
      '-1',
      '+1',
      '1.5',
      '',
      ' 1',
      '1 ',
      '0x10',
      '١',
      (2n ** 256n).toString(),
    ]
    for (const value of [...malformed, '9'.repeat(100_000), 10_000, null, {}]) {
      expectRefused(
        withAuthorization({ [name]: value }),
        'invalid_payload',
        `paymentPayload.payload.authorization.${name}`,
      )
    }
  })

  test.each(['from', 'to', 'nonce'])('with a wrong %s', (name) => {
    const short = AUTHORIZATION_JSON.nonce.slice(0, -2)
    for (const value of [
      '',
      '0x',
      short,
      `${AUTHORIZATION_JSON.nonce}00`,
      `0X${'1'.repeat(40)}`,
      5,
    ]) {
      expectRefused(
        withAuthorization({ [name]: value }),
        'invalid_payload',
        `paymentPayload.payload.authorization.${name} must be`,
      )
    }
  })

  test('with a signature that is no text', () => {
    for (const signature of [undefined, null, 5, { r: '0x', s: '0x', v: 27 }]) {
      expectRefused(
        withPayload({ signature }),
        'invalid_payload',
        'paymentPayload.payload.signature',
      )
    }
  })

  test.each([
    ['empty', ''],
    ['no bytes', '0x'],
    ['half a byte', '0x1'],
    ['garbage', 'signed, the payer'],
    ['without 0x', SIGNATURE.slice(2)],
    ['longer than any wallet needs', `0x${'11'.repeat(8193)}`],
  ])('with a signature that is %s', (_, signature) => {
    expectRefused(
      withPayload({ signature }),
      'invalid_exact_evm_payload_signature',
      'paymentPayload.payload.signature must be',
    )
  })
})

test('a refusal speaks in the dialect of its request', () => {
  expect(refusal({ ...v1Body(), paymentRequirements: null }).dialect).toBe('v1')
  expect(refusal({ ...v2Body(), paymentRequirements: null }).dialect).toBe('v2')
  expect(refusal({ ...remitBody({}), paymentPayload: header([]) }).dialect).toBe('remit')
})
