import { describe, expect, test } from 'bun:test'
import {
  forEachTest,
  type Receiver,
  startReceiver,
  type WebhookRig,
} from '../../support/webhooks.ts'

/** What receivers answer, and what we make of it: the decisions on webhooks. */

let rig: WebhookRig
let receiver: Receiver
forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})

/** Sends one event to the receiver, and waits until its first attempt is recorded. */
async function deliverOne() {
  await rig.endpoint(receiver.url)
  await rig.event()
  const notifier = rig.notifier()
  await rig.until([notifier], async () => (await rig.attempts()).length === 1)
  const [delivery] = await rig.deliveries()
  const [attempt] = await rig.attempts()
  if (!delivery || !attempt) throw new Error('there was no attempt')
  return { notifier, delivery, attempt }
}

describe('a receiver that', () => {
  test('fails is tried again on schedule, until the schedule is over', async () => {
    receiver.answer = () => new Response('oops', { status: 500 })
    const { notifier } = await deliverOne()
    const waits: number[] = []
    for (let made = 1; made < 10; made += 1) {
      const [delivery] = await rig.deliveries()
      expect(delivery).toMatchObject({ state: 'pending', attempts: made, lastError: 'http_500' })
      waits.push(delivery?.wait ?? 0)
      await rig.database`update webhook_delivery set next_attempt_at = now()`
      await rig.until([notifier], async () => (await rig.attempts()).length > made)
    }
    const due = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [i, seconds] of due.entries()) {
      expect(waits[i]).toBeLessThanOrEqual(seconds * 1.1)
      // The test takes a little time itself.
      expect(waits[i]).toBeGreaterThan(seconds * 0.9 - 3)
    }
    expect(await rig.deliveries()).toMatchObject([{ state: 'failed', attempts: 10 }])
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  test('hangs is given up after the limit and tried again', async () => {
    receiver.answer = () => new Promise(() => {})
    const { delivery, attempt } = await deliverOne()
    expect(attempt).toMatchObject({ status: null, error: 'timeout', answer: null })
    expect(attempt.latencyMs).toBeGreaterThanOrEqual(1_400)
    expect(delivery).toMatchObject({ state: 'pending', lastError: 'timeout' })
  })

  test('begins to answer and never ends is given up as well', async () => {
    receiver.answer = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    const { attempt } = await deliverOne()
    expect(attempt).toMatchObject({ status: null, error: 'timeout' })
  })

  test('redirects has failed, and no one is asked instead', async () => {
    const elsewhere = startReceiver()
    receiver.answer = () => Response.redirect(elsewhere.url, 307)
    const { delivery } = await deliverOne()
    expect(delivery).toMatchObject({ state: 'pending', lastStatus: 307, lastError: 'redirect' })
    expect(elsewhere.received).toEqual([])
    await elsewhere.stop()
  })

  test('answers 410 is disabled at once, and the others are told', async () => {
    const other = startReceiver()
    const { endpoint } = await rig.endpoint(receiver.url)
    await rig.endpoint(other.url, ['endpoint.disabled'])
    receiver.answer = async () => {
      // Late enough that the second event waits for it.
      await Bun.sleep(50)
      return new Response('no more', { status: 410 })
    }
    await rig.event()
    await rig.until([rig.notifier()], () => other.received.length === 1)
    expect(JSON.parse(other.received[0]?.body ?? '{}')).toMatchObject({
      type: 'endpoint.disabled',
      data: {
        id: endpoint.id,
        active: false,
        disabledReason: 'gone',
        environment: 'sandbox',
        version: 2,
      },
    })
    await rig.event()
    const notifier = rig.notifier()
    for (let i = 0; i < 5; i += 1) await notifier.turn()
    expect(receiver.received).toHaveLength(1)
    expect((await rig.deliveries())[0]).toMatchObject({ state: 'failed', lastStatus: 410 })
  })

  test.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, 'in two minutes', 5],
    [429, '999999999', 86_400],
    [500, '120', 5],
    [429, '1', 5],
  ])('answers %i and Retry-After: %s waits for %i s', async (status, retryAfter, seconds) => {
    receiver.answer = () => new Response('', { status, headers: { 'retry-after': retryAfter } })
    const { delivery } = await deliverOne()
    expect(delivery.wait).toBeGreaterThan(seconds * 0.9 - 3)
    expect(delivery.wait).toBeLessThanOrEqual(seconds * 1.1)
  })

  test('answers with a date to retry after is tried then', async () => {
    const at = new Date(Date.now() + 600_000)
    const headers = { 'retry-after': at.toUTCString() }
    receiver.answer = () => new Response('', { status: 503, headers })
    const { delivery } = await deliverOne()
    expect(delivery.wait).toBeGreaterThan(590)
    expect(delivery.wait).toBeLessThanOrEqual(600)
  })

  test('sends an endless body is read to 64 KB and not much further', async () => {
    let sent = 0
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            sent += 16_384
            controller.enqueue(new Uint8Array(16_384).fill(0x61))
            await Bun.sleep(1)
          },
        }),
      )
    const { delivery, attempt } = await deliverOne()
    expect(delivery).toMatchObject({ state: 'succeeded', lastStatus: 200 })
    expect(attempt.answer).toBe('a'.repeat(4_096))
    const soon = sent
    await Bun.sleep(300)
    expect(sent).toBeLessThanOrEqual(soon + 65_536)
    expect(sent).toBeLessThan(4_000_000)
  })

  test('sends what is no text is recorded all the same', async () => {
    receiver.answer = () => new Response(new Uint8Array([0xff, 0, 0x41]), { status: 400 })
    expect((await deliverOne()).attempt.answer).toBe('\ufffd\ufffdA')
  })
})

describe('five days of nothing but failures', () => {
  async function failingFor(days: number) {
    const { endpoint } = await rig.endpoint(receiver.url)
    await rig.database`update webhook_endpoint
      set failing_since = now() - ${days} * interval '1 day'`
    await rig.event()
    await rig.event()
    await rig.until([rig.notifier()], async () => (await rig.attempts()).length >= 2)
    const [row] = await rig.database<{ active: boolean; disabledReason: string | null }[]>`
      select active, disabled_reason from webhook_endpoint where id = ${endpoint.id}`
    return row
  }

  test('disable an endpoint', async () => {
    receiver.answer = () => new Response('', { status: 500 })
    expect(await failingFor(5.01)).toEqual({ active: false, disabledReason: 'failing' })
    expect((await rig.deliveries()).map(({ state }) => state)).toEqual(
      expect.arrayContaining(['failed', 'failed']),
    )
  })

  test('are not over before', async () => {
    receiver.answer = () => new Response('', { status: 500 })
    expect(await failingFor(4.99)).toEqual({ active: true, disabledReason: null })
  })

  test('begin again with every success', async () => {
    expect(await failingFor(6)).toEqual({ active: true, disabledReason: null })
    const rows = await rig.database`select from webhook_endpoint where failing_since is not null`
    expect(rows).toHaveLength(0)
  })
})
