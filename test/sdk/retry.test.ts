import { describe, expect, test } from 'bun:test'
import { Remit, RemitError } from '@remit/sdk'

/** What is sent again, told by a server that is busy for its first answers. */

const BUSY = {
  success: false,
  error: 'too many requests',
  code: 'too_many_requests',
  traceId: 'a-trace',
}
const OK = { success: true, data: { id: 'made' } }
const INVOICE = { tokenSymbol: 'USDC', amountExpected: '1' }

/** A client of a server that answers so, one after the other, and what the server was sent. */
function serverThat(...statuses: readonly number[]) {
  const sent: { method: string; key: string | null; body: string }[] = []
  const waits = { 'retry-after': '0', 'content-type': 'application/json' }
  const answer = async (request: Request) => {
    const key = request.headers.get('idempotency-key')
    sent.push({ method: request.method, key, body: await request.text() })
    const status = statuses[sent.length - 1] ?? 200
    const body = JSON.stringify(status < 300 ? OK : BUSY)
    return new Response(body, { status, headers: waits })
  }
  return {
    remit: new Remit({ apiUrl: 'http://api.invalid/', key: 'sk_test_x', fetch: answer }),
    sent,
  }
}

describe('a request to a busy server', () => {
  test('that reads is sent again, as often as it may be', async () => {
    const { remit, sent } = serverThat(429, 503)
    expect(await remit.invoices.get('an-id')).toMatchObject({ id: 'made' })
    expect(sent).toHaveLength(3)
    const busier = serverThat(429, 429, 429, 429, 200)
    expect(await busier.remit.invoices.get('an-id').catch((error) => error.status)).toBe(429)
    expect(busier.sent).toHaveLength(4)
  })

  test('that makes something is sent again with the same body when a reference makes it safe', async () => {
    const [byRef, byKey] = [serverThat(503), serverThat(429, 409)]
    await byRef.remit.invoices.create({ ...INVOICE, externalRef: 'order' })
    await byKey.remit.invoices.create(INVOICE, { idempotencyKey: 'a-key' })
    expect(byRef.sent.map(({ body }) => JSON.parse(body).externalRef)).toEqual(['order', 'order'])
    expect(byKey.sent.map(({ key }) => key)).toEqual(['a-key', 'a-key', 'a-key'])
    expect(new Set(byKey.sent.map(({ body }) => body)).size).toBe(1)
  })

  test('that makes something without a reference is sent once', async () => {
    const { remit, sent } = serverThat(429)
    const error = await remit.invoices.create(INVOICE).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RemitError)
    expect(error).toMatchObject({
      status: 429,
      error: 'too many requests',
      code: 'too_many_requests',
      traceId: 'a-trace',
      retryAfter: 0,
    })
    expect(sent).toHaveLength(1)
  })

  test('that is refused for good is sent once', async () => {
    const { remit, sent } = serverThat(404)
    expect(await remit.invoices.get('an-id').catch((error) => error.status)).toBe(404)
    expect(sent).toHaveLength(1)
  })

  test('that pays is sent once: what was settled is said once', async () => {
    const { remit, sent } = serverThat(503)
    const payment = { x402Version: 2, paymentPayload: 'x', paymentRequirements: {} }
    expect(await remit.x402.settle(payment).catch((error) => error.status)).toBe(503)
    expect(sent).toHaveLength(1)
  })

  test('is not sent again when that would take too long, or the caller gives up', async () => {
    let sent = 0
    const answer = async () => {
      sent += 1
      return new Response('busy', { status: 503, headers: { 'retry-after': '20' } })
    }
    const options = { apiUrl: 'http://api.invalid', key: 'sk_test_x', fetch: answer }
    const hasty = new Remit({ ...options, longestWait: 10 })
    expect(await hasty.invoices.get('an-id').catch((error) => error.status)).toBe(503)
    const signal = AbortSignal.abort(new Error('enough'))
    const patient = new Remit(options).invoices.get('an-id', { signal })
    expect(await patient.catch((error) => error.message)).toBe('enough')
    expect(sent).toBeLessThanOrEqual(2)
  })
})
