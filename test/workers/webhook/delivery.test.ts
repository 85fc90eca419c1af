import { describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { sandboxKeyring } from '../../../core/base/keyring.ts'
import { rotateWebhookSecret } from '../../../store/webhook/endpoints.ts'
import {
  forEachTest,
  type Received,
  type Receiver,
  type WebhookRig,
} from '../../support/webhooks.ts'

let rig: WebhookRig
let receiver: Receiver
forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})

/** Verifies as a merchant does, by the package that the Standard Webhooks project publishes. */
function verify(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret.replace('test_', '')).verify(body, headers)
}

describe('a webhook', () => {
  test('carries the event, signed for its endpoint', async () => {
    const { secret } = await rig.endpoint(receiver.url)
    const id = await rig.event('invoice.paid', { id: 'i', environment: 'sandbox', version: 3 })
    await rig.until([rig.notifier()], () => receiver.received.length === 1)
    const [received] = receiver.received
    if (!received) throw new Error('nothing was received')
    const [row] = await rig.database<{ createdAt: Date }[]>`select created_at from outbox`
    expect(received.id).toBe(id)
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Remit-Webhooks/1',
    })
    expect(verify(secret, received)).toEqual({
      type: 'invoice.paid',
      timestamp: row?.createdAt.toISOString(),
      data: { id: 'i', environment: 'sandbox', version: 3 },
    })
  })

  test('that was answered with 2xx is recorded with its answer and not sent again', async () => {
    receiver.answer = () => new Response('thanks\0', { status: 201 })
    await rig.endpoint(receiver.url)
    await rig.event()
    const notifier = rig.notifier()
    await rig.until([notifier], async () => (await rig.deliveries())[0]?.state === 'succeeded')
    for (let i = 0; i < 5; i += 1) await notifier.turn()
    expect(receiver.received).toHaveLength(1)
    expect(await rig.attempts()).toMatchObject([
      { number: 1, status: 201, error: null, answer: 'thanks\ufffd' },
    ])
  })

  test('wakes a notifier that rests, which then does nothing until there is something', async () => {
    await rig.endpoint(receiver.url)
    const notifier = rig.notifier()
    expect(await notifier.rests()).toBe(false)
    await rig.until([notifier], () => notifier.rests())
    await rig.event()
    expect(await notifier.rests()).toBe(false)
    await notifier.turn()
    expect(await notifier.rests()).toBe(false)
    await rig.until([notifier], () => notifier.rests())
    expect(receiver.received).toHaveLength(1)
    const [share] = await rig.database`select from notifier where until > now()`
    expect(share).toBeDefined()
  })

  test('goes to every active endpoint of the merchant that wants its type, and to no other', async () => {
    await rig.endpoint(`${receiver.url}/all`)
    await rig.endpoint(`${receiver.url}/paid`, ['invoice.paid'])
    await rig.endpoint(`${receiver.url}/expired`, ['invoice.expired'])
    const { endpoint: off } = await rig.endpoint(`${receiver.url}/off`)
    await rig.database`update webhook_endpoint set active = false, disabled_reason = 'merchant',
      disabled_at = now() where id = ${off.id}`
    await rig.event('invoice.paid')
    await rig.until(
      [rig.notifier()],
      async () =>
        (await rig.deliveries()).every(({ state }) => state === 'succeeded') &&
        receiver.received.length > 0,
    )
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hook/all', '/hook/paid'])
  })

  test('for one endpoint goes there alone, regardless of what it wants', async () => {
    const { endpoint } = await rig.endpoint(`${receiver.url}/one`, ['invoice.expired'])
    await rig.endpoint(`${receiver.url}/other`)
    await rig.event('invoice.paid')
    await rig.database`update outbox set endpoint_id = ${endpoint.id}`
    await rig.until([rig.notifier()], () => receiver.received.length > 0)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/one'])
  })
})

describe('during a rotation', () => {
  async function deliveredAfter(hasOverlap: boolean, elapsedMs: number) {
    const { endpoint, secret: old } = await rig.endpoint(receiver.url)
    const now = new Date(Date.now() - elapsedMs)
    const rotated = await rotateWebhookSecret(
      rig.database,
      { environment: 'sandbox', secretKeys: sandboxKeyring([]) },
      rig.merchantId,
      endpoint.id,
      hasOverlap,
      now,
    )
    await rig.event()
    await rig.until([rig.notifier()], () => receiver.received.length === 1)
    const [received] = receiver.received
    if (!received || !rotated) throw new Error('nothing was received')
    return { received, old, fresh: rotated.secret }
  }

  test('the old and the new secret both verify', async () => {
    const { received, old, fresh } = await deliveredAfter(true, 0)
    expect(received.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(verify(old, received)).toEqual(verify(fresh, received))
  })

  test('the old one verifies no more after a day', async () => {
    const { received, old, fresh } = await deliveredAfter(true, 24 * 3_600_000 + 1_000)
    verify(fresh, received)
    expect(() => verify(old, received)).toThrow()
  })

  test('without overlap the old one verifies no more at once', async () => {
    const { received, old, fresh } = await deliveredAfter(false, 0)
    verify(fresh, received)
    expect(() => verify(old, received)).toThrow()
  })
})
