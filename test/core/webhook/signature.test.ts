import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { formatSecret, signedHeaders } from '../../../core/webhook/signature.ts'

describe('a signature', () => {
  test('is verified by the package of Standard Webhooks, regardless of the body and the key', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, fc.jsonValue(), (random, value) => {
        const secret = formatSecret('live', random)
        const body = JSON.stringify({ value })
        const headers = signedHeaders({ id: 'e-1', at: new Date(), body }, [secret])
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
      }),
    )
  })

  test('is the one that others make of the same', () => {
    const secret = formatSecret('live', new Uint8Array(32).fill(7))
    const at = new Date('2026-08-01T12:00:00.900Z')
    const headers = signedHeaders({ id: 'e-1', at, body: '{"a":1}' }, [secret])
    expect(headers['webhook-timestamp']).toBe('1785585600')
    const hmac = new Bun.CryptoHasher('sha256', new Uint8Array(32).fill(7))
    const digest = hmac.update('e-1.1785585600.{"a":1}').digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${digest}`)
  })

  test('is refused with another key, another body, another id or after a while', () => {
    const secret = formatSecret('live', new Uint8Array(32).fill(1))
    const other = formatSecret('live', new Uint8Array(32).fill(2))
    const headers = signedHeaders({ id: 'e-1', at: new Date(), body: '{}' }, [secret])
    const old = signedHeaders({ id: 'e-1', at: new Date(Date.now() - 600_000), body: '{}' }, [
      secret,
    ])
    const webhook = new Webhook(secret)
    expect(() => new Webhook(other).verify('{}', headers)).toThrow()
    expect(() => webhook.verify('{ }', headers)).toThrow()
    expect(() => webhook.verify('{}', { ...headers, 'webhook-id': 'e-2' })).toThrow()
    expect(() => webhook.verify('{}', old)).toThrow()
  })
})

test('a secret has the prefix of its environment and 32 bytes', () => {
  const random = new Uint8Array(32)
  expect(formatSecret('live', random)).toBe(`whsec_${random.toBase64()}`)
  expect(formatSecret('sandbox', random)).toBe(`test_whsec_${random.toBase64()}`)
  expect(() => formatSecret('live', new Uint8Array(31))).toThrow(RangeError)
})
