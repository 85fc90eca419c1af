import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { baseUnits } from '../../../../core/base/money.ts'
import { REASONS } from '../../../../core/x402/reasons.ts'
import { parsePaymentRequest } from '../../../../core/x402/request/parse.ts'
import {
  AUTHORIZATION,
  AUTHORIZATION_JSON,
  aRequest,
  BASE_SEPOLIA,
  CHAINS,
  header,
  PAYER,
  PAYLOAD,
  remitBody,
  SEPOLIA,
  SIGNATURE,
  V1_REQUIREMENTS,
  V2_REQUIREMENTS,
  v1Body,
  v2Body,
} from '../../../support/core/x402Requests.ts'

/** What is read of requests to verify and settle when they are as they should be. */

function read(body: unknown) {
  const parsed = parsePaymentRequest(body, CHAINS)
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.message}`)
  return parsed.request
}

const V1_LIKE = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: PAYLOAD }

describe('a request', () => {
  test('of v2 is read with everything that it says', () => {
    expect(read(v2Body())).toEqual(aRequest())
  })

  test('of v1 has names for networks and another word for the price', () => {
    expect(read(v1Body())).toEqual(
      aRequest({
        dialect: 'v1',
        network: 'base-sepolia',
        requirements: { ...aRequest().requirements, merchantId: null, endpointId: null },
      }),
    )
  })

  test('with the text of the header holds a payload like that of v1 or v2, or the bare one', () => {
    const expected = aRequest({ dialect: 'remit', resource: null })
    const v2Like = { x402Version: 2, accepted: V2_REQUIREMENTS, payload: PAYLOAD }
    for (const payment of [V1_LIKE, v2Like, PAYLOAD, { ...V1_LIKE, network: 'eip155:84532' }]) {
      expect(read(remitBody(payment))).toEqual(expected)
    }
  })

  test('may be for a resource of any form, which is none unless it is a URL', () => {
    for (const url of [
      '/report',
      'javascript:alert(1)',
      `https://x.example/${'x'.repeat(5000)}`,
      7,
    ]) {
      const { paymentPayload, ...rest } = v2Body()
      const body = { ...rest, paymentPayload: { ...Object(paymentPayload), resource: { url } } }
      expect(read(body)).toEqual(aRequest({ resource: null }))
    }
  })

  test('with the text of the header is bare only without a payload', () => {
    const other = { ...PAYLOAD.authorization, value: '1' }
    const both = { ...V1_LIKE, authorization: other, signature: `0x${'00'.repeat(65)}` }
    expect(read(remitBody(both))).toEqual(aRequest({ dialect: 'remit', resource: null }))
  })

  test('with the text of the header may write it in either alphabet, without padding, in spaces', () => {
    const text = header({ ...V1_LIKE, note: 'ÿþ?>~' })
    expect(text).toMatch(/[+/]/)
    const bare = text.replaceAll('=', '')
    const url = bare.replaceAll('+', '-').replaceAll('/', '_')
    for (const paymentPayload of [text, bare, url, ` ${text}\n`]) {
      expect(read({ ...remitBody(V1_LIKE), paymentPayload }).authorization).toEqual(AUTHORIZATION)
    }
  })

  test('may carry anything else besides', () => {
    const body = v2Body()
    const more = {
      ...body,
      more: 1,
      paymentPayload: {
        ...body.paymentPayload,
        scheme: 'ignored',
        payload: { ...PAYLOAD, more: [], authorization: { ...AUTHORIZATION_JSON, more: {} } },
      },
      paymentRequirements: { ...V2_REQUIREMENTS, description: 'a report', more: null },
    }
    expect(read(more)).toEqual(aRequest())
  })

  test('needs the version in one of its two places', () => {
    const { x402Version, ...body } = v2Body()
    expect(read(body)).toEqual(aRequest())
    const { x402Version: _, ...payment } = v2Body().paymentPayload
    expect(read({ ...body, x402Version, paymentPayload: payment })).toEqual(aRequest())
  })

  test('may hold a signature of up to 8,192 bytes', () => {
    const ask = (bytes: number) => {
      const body = v2Body()
      const payload = { ...PAYLOAD, signature: `0x${'12'.repeat(bytes)}` }
      const paymentPayload = { ...body.paymentPayload, payload }
      return parsePaymentRequest({ ...body, paymentPayload }, CHAINS).ok
    }
    expect([1, 8_192, 8_193].map(ask)).toEqual([true, true, false])
  })

  test('may write addresses, hashes and signatures in any case', () => {
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const body = v2Body()
    const { from, to, nonce } = AUTHORIZATION_JSON
    const authorization = {
      ...AUTHORIZATION_JSON,
      from: upper(from),
      to: upper(to),
      nonce: upper(nonce),
    }
    const requirements = {
      ...V2_REQUIREMENTS,
      asset: upper(V2_REQUIREMENTS.asset),
      payTo: upper(V2_REQUIREMENTS.payTo),
    }
    const shouted = {
      ...body,
      paymentPayload: {
        ...body.paymentPayload,
        payload: { signature: upper(SIGNATURE), authorization },
      },
      paymentRequirements: requirements,
    }
    expect(read(shouted)).toEqual(aRequest())
  })

  test('may name the network of a chain either way, and is answered with the same word', () => {
    const body = v2Body()
    const named = { ...V2_REQUIREMENTS, network: 'base-sepolia' }
    expect(read({ ...body, paymentRequirements: named })).toEqual(
      aRequest({ network: 'base-sepolia' }),
    )
    const sepolia = { ...V2_REQUIREMENTS, network: 'eip155:11155111' }
    const elsewhere = {
      ...body,
      paymentPayload: { ...body.paymentPayload, accepted: sepolia },
      paymentRequirements: sepolia,
    }
    expect(read(elsewhere).chain).toBe(SEPOLIA)
    expect(read(body).chain).toBe(BASE_SEPOLIA)
  })
})

describe('the requirements', () => {
  const withRequirements = (change: object) => ({
    ...v1Body(),
    paymentRequirements: { ...V1_REQUIREMENTS, ...change },
  })

  test('give 300 seconds unless they say otherwise', () => {
    const { maxTimeoutSeconds: _, ...requirements } = V1_REQUIREMENTS
    const body = { ...v1Body(), paymentRequirements: requirements }
    expect(read(body).requirements.maxTimeoutSeconds).toBe(300)
    expect(read(withRequirements({ maxTimeoutSeconds: 7 })).requirements.maxTimeoutSeconds).toBe(7)
  })

  test('may say nothing of the domain, the merchant and the endpoint', () => {
    const nothing = { name: null, version: null, merchantId: null, endpointId: null }
    for (const extra of [undefined, null, {}]) {
      expect(read(withRequirements({ extra })).requirements).toMatchObject(nothing)
    }
  })

  test('may name the price in both words when they agree', () => {
    const both = withRequirements({ amount: '010000', maxAmountRequired: '10000' })
    expect(read(both).requirements.amount).toBe(baseUnits(10_000n))
    expect(
      read(withRequirements({ amount: '10000', maxAmountRequired: undefined })).requirements.amount,
    ).toBe(baseUnits(10_000n))
  })
})

describe('whatever is sent', () => {
  const anything = fc.oneof(fc.anything(), fc.jsonValue())

  /** Replaces one value somewhere in a good body. */
  function damaged(value: unknown, path: number, junk: unknown): unknown {
    if (typeof value !== 'object' || value === null) return junk
    const keys = Object.keys(value)
    const index = path % (keys.length + 1)
    if (index === keys.length) return junk
    return Object.fromEntries(
      Object.entries(value).map(([key, inner], i) => [
        key,
        i === index ? damaged(inner, Math.floor(path / (keys.length + 1)), junk) : inner,
      ]),
    )
  }

  function expectAnswer(body: unknown): void {
    const parsed = parsePaymentRequest(body, CHAINS)
    if (parsed.ok) return
    expect(REASONS).toContain(parsed.reason)
    expect(parsed.message).not.toBe('')
    expect(typeof parsed.network).toBe('string')
    if (parsed.payer !== null) expect(parsed.payer).toMatch(/^0x[0-9a-f]{40}$/)
  }

  test('is answered with a reason, never with an exception', () => {
    fc.assert(fc.property(anything, expectAnswer))
    const body = fc.record({
      x402Version: anything,
      paymentPayload: fc.oneof(anything, fc.base64String(), fc.jsonValue().map(header)),
      paymentRequirements: anything,
    })
    fc.assert(fc.property(body, expectAnswer))
  })

  test('is answered with a reason when one part of a good request is spoilt', () => {
    const bodies = fc.constantFrom<unknown>(v1Body(), v2Body())
    fc.assert(
      fc.property(bodies, fc.nat(), anything, (body, path, junk) =>
        expectAnswer(damaged(body, path, junk)),
      ),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.nat(), anything, (path, junk) =>
        expectAnswer(remitBody(damaged(V1_LIKE, path, junk) ?? null)),
      ),
    )
  })

  test('is answered when it is nested very deeply', () => {
    const deep = `{"payload":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const paymentPayload = new TextEncoder().encode(deep).toBase64()
    expectAnswer({ ...remitBody({}), paymentPayload })
  })

  test('names the payer whenever the payload does', () => {
    const parsed = parsePaymentRequest({ ...v2Body(), x402Version: 9 }, CHAINS)
    expect(parsed).toMatchObject({ ok: false, payer: PAYER, network: 'eip155:84532' })
  })
})
