import { describe, expect, test } from 'bun:test'
import { verifyWebhook } from '@remit/sdk'
import { formatSecret, signedHeaders } from '../../core/webhook/signature.ts'

/** Webhooks as the notifier signs them, and what another party may send. */

const OLD = formatSecret('sandbox', new Uint8Array(32).fill(1))
const NEW = formatSecret('sandbox', new Uint8Array(32).fill(2))
const LIVE = formatSecret('live', new Uint8Array(32).fill(3))
const NOW = Date.parse('2026-08-01T12:00:00Z')
const ID = '0198c1f4-02be-7000-8000-7d1b9e3c5a21'
const EVENT = { type: 'test', timestamp: '2026-08-01T12:00:00.000Z', data: { note: 'é' } }
const BODY = JSON.stringify(EVENT)

function signed(secrets: readonly string[], at = NOW) {
  return signedHeaders({ id: ID, at: new Date(at), body: BODY }, secrets)
}

test.each([OLD, LIVE])(
  'a webhook with the secret %s is read, whatever form its parts have',
  async (secret) => {
    const headers = signed([secret])
    const forms = [headers, new Headers(headers), { ...headers, 'webhook-id': [ID] }]
    for (const form of forms) {
      for (const body of [BODY, new TextEncoder().encode(BODY)]) {
        expect(await verifyWebhook(body, form, secret, { now: NOW })).toEqual({
          id: ID,
          ...EVENT,
        } as never)
      }
    }
  },
)

test('during a rotation either secret verifies, and so does a list of both', async () => {
  const headers = signed([NEW, OLD])
  for (const secret of [OLD, NEW, [LIVE, OLD]]) {
    expect((await verifyWebhook(BODY, headers, secret, { now: NOW })).type).toBe('test')
  }
})

describe('is refused', () => {
  const minutes = (count: number) => NOW + count * 60_000
  const refused: [string, () => Promise<unknown>, string][] = [
    ['another body', () => verify({ body: `${BODY} ` }), 'no signature'],
    [
      'another id',
      () => verify({ headers: { ...signed([OLD]), 'webhook-id': 'x' } }),
      'no signature',
    ],
    ['another secret', () => verify({ secret: NEW }), 'no signature'],
    [
      'a signature of another scheme',
      () => verify({ headers: withVersion('v1a') }),
      'no signature',
    ],
    ['no signature', () => verify({ headers: { 'webhook-id': ID } }), 'missing'],
    ['an old one', () => verify({ now: minutes(5.1) }), 'five minutes'],
    ['one from the future', () => verify({ now: minutes(-5.1) }), 'five minutes'],
    [
      'a time that is none',
      () => verify({ headers: { ...signed([OLD]), 'webhook-timestamp': 'NaN' } }),
      'five minutes',
    ],
    ['everything, while the secret is empty', () => verify({ secret: '' }), '32 bytes'],
  ]

  test.each(refused)('%s', async (_, attempt, why) => {
    const error = await attempt().catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(why)
  })

  test('and what is just young enough is not', async () => {
    expect(await verify({ now: minutes(4.9) })).toMatchObject({ id: ID })
  })
})

function withVersion(version: string) {
  const headers = signed([OLD])
  return { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', version) }
}

function verify({ body = BODY, headers = signed([OLD]), secret = OLD, now = NOW }: Attempt) {
  return verifyWebhook(body, headers, secret, { now })
}

interface Attempt {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly secret?: string
  readonly now?: number
}
