import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { createApp } from '../../../api/app.ts'
import { activeEndpoints } from '../../../cli/webhook/eventStream.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { EVENT_TYPE_NAMES } from '../../../core/events/eventTypes.ts'
import { insertEvent } from '../../../store/events/outbox.ts'
import { fanOutEvents } from '../../../store/webhook/fanOut.ts'
import { type ApiRig, HUB, openRig } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { MACHINE } from '../../support/clock.ts'
import { startReceiver } from '../../support/webhooks.ts'

let rig: ApiRig
let variables: Record<string, string>
let merchantId: MerchantId

beforeAll(async () => {
  rig = await openRig()
  merchantId = rig.merchant.merchant.id
  variables = {
    DATABASE_URL: rig.config.databaseUrl,
    REDIS_URL: 'redis://127.0.0.1:9',
    HUB_ADDRESS: HUB,
    FEE_COLLECTOR: rig.config.feeCollector,
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
  }
}, 120_000)
afterAll(() => rig.close())

describe('trigger', () => {
  test('makes an event that is a test and says so', async () => {
    const ran = await remit(
      variables,
      'trigger',
      'invoice.paid',
      '--merchant',
      merchantId,
      '--json',
    )
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' })
    const { eventId } = ran.json()
    await fanOutEvents(rig.database)
    const event = await rig.call('GET', `/v1/events/${eventId}`)
    expect(JSON.parse(event.text).data).toMatchObject({
      type: 'invoice.paid',
      data: {
        status: 'paid',
        receivedAmount: '10',
        test: true,
        environment: 'sandbox',
        version: 1,
      },
    })
  })

  test('knows every type', async () => {
    const { sampleEvent } = await import('../../../core/webhook/samples.ts')
    for (const type of EVENT_TYPE_NAMES) {
      const given = { objectId: Bun.randomUUIDv7(), merchantId, hub: HUB, now: new Date() } as const
      const data = sampleEvent(type, 'sandbox', given)
      expect({ type, data }).toMatchObject({ data: { id: given.objectId, merchantId, test: true } })
    }
  })

  test('guesses what was meant by a type that is none, and refuses in live', async () => {
    const wrong = await remit(variables, 'trigger', 'invoice.payed', '--merchant', merchantId)
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('did you mean invoice.paid?')
    const live = { ...variables, REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:9' }
    const ran = await remit(live, 'trigger', 'invoice.paid', '--merchant', merchantId)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('sandbox')
    const refused = await remit(variables, 'trigger', 'invoice.paid')
    expect(refused.err).toContain('--merchant')
  })
})

describe('listen', () => {
  test('forwards what happens from now on, signed with the secret that it prints', async () => {
    const app = createApp(rig.deps).listen({ hostname: '127.0.0.1', port: 0 })
    const receiver = startReceiver()
    await rig.create()
    await fanOutEvents(rig.database)
    const child = Bun.spawn(
      [
        process.execPath,
        join(import.meta.dirname, '../../../cli/main.ts'),
        ...['listen', '--forward', receiver.url, '--key', rig.merchant.secretKey],
        ...['--api', `http://127.0.0.1:${app.server?.port}`, '--events', 'invoice.paid,test'],
      ],
      { env: { ...MACHINE, REMIT_HOME: '/nonexistent' }, stderr: 'pipe', stdout: 'pipe' },
    )
    // The listener begins with the newest event that it finds, so there is one every moment.
    let told = Promise.resolve()
    const stop = setInterval(() => {
      told = told.then(tell)
    }, 200)
    while (receiver.received.length < 2) await Bun.sleep(50)
    clearInterval(stop)
    await told
    child.kill('SIGINT')
    const [err, out, code] = await Promise.all([
      new Response(child.stderr).text(),
      new Response(child.stdout).text(),
      child.exited,
    ])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('forwarded') })
    const secret = err.match(/signed with test_(\S+)/)?.[1] ?? ''
    for (const { body, headers } of receiver.received) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'invoice.paid' })
    }
    const ids = receiver.received.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    await app.stop(true)
    await receiver.stop()
  })

  async function tell(): Promise<void> {
    const objectId = Bun.randomUUIDv7()
    const event = { merchantId, objectId, version: 1, data: { id: objectId } }
    await insertEvent(rig.database, { ...event, type: 'invoice.created' })
    await insertEvent(rig.database, {
      ...event,
      type: 'invoice.paid',
      objectId: Bun.randomUUIDv7(),
    })
    await fanOutEvents(rig.database)
  }

  test('refuses a URL that gets everything already, until its endpoint is switched off', async () => {
    const app = createApp(rig.deps).listen({ hostname: '127.0.0.1', port: 0 })
    const url = 'https://shop.example/hook'
    const created = await rig.call('POST', '/v1/webhooks/endpoints', { body: { url } })
    const doubled = await remit(
      {},
      ...['listen', '--forward', 'HTTPS://shop.example:443/hook', '--key', rig.merchant.secretKey],
      ...['--api', `http://127.0.0.1:${app.server?.port}`],
    )
    expect([doubled.code, doubled.err]).toEqual([1, expect.stringContaining('twice')])
    const source = { apiUrl: `http://127.0.0.1:${app.server?.port}`, key: rig.merchant.secretKey }
    expect(await activeEndpoints(source)).toEqual([url])
    const path = `/v1/webhooks/endpoints/${created.json.data.id}`
    await rig.call('PATCH', path, { body: { active: false } })
    expect(await activeEndpoints(source)).toEqual([])
    await app.stop(true)
  })

  test('says what is missing or refused', async () => {
    const forward = ['--forward', 'http://127.0.0.1:1/hook']
    const nowhere = await remit({}, 'listen', ...forward)
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('--api and --key')])
    const app = createApp(rig.deps).listen({ hostname: '127.0.0.1', port: 0 })
    const api = ['--api', `http://127.0.0.1:${app.server?.port}`]
    const refused = await remit({}, 'listen', ...forward, ...api, '--key', 'sk_test_wrong')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('unauthorized')])
    await app.stop(true)
  })
})
