import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { openMailbox } from '../../../store/redis/mailbox.ts'
import { MACHINE } from '../../support/clock.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import { redisPrefix, redisUrl } from '../../support/servers/run.ts'
import { startSilentProxyFor } from '../../support/servers/silentProxy.ts'
import { openWebhookRig, startReceiver, type WebhookRig } from '../../support/webhooks.ts'

/** `bun run worker --notifier` as a process of its own, and the messages that wake it. */

let rig: WebhookRig
let redis: string
let databaseUrl: string
const prefix = redisPrefix()

beforeAll(async () => {
  rig = await openWebhookRig()
  databaseUrl = await roleUrl(rig.databaseUrl, 'notifier')
  redis = await redisUrl()
}, 120_000)
afterAll(() => rig.close())

function startWorker(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  return Bun.spawn(
    [process.execPath, join(import.meta.dirname, '../../../workers/main.ts'), ...args],
    {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      env: {
        ...MACHINE,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis,
        REDIS_PREFIX: prefix,
        HUB_ADDRESS: '0x00000000000000000000000000000000000b00b5',
        FEE_COLLECTOR: '0x00000000000000000000000000000000000c011e',
        RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...more,
      },
    },
  )
}

/**
 * Deletes all that Redis knows of this deployment; others may share it. A notifier delivers without Redis,
 * so its first delivery may be made before it has written anything there.
 */
async function forget(): Promise<void> {
  const client = new RedisClient(redis)
  const end = performance.now() + 20_000
  let keys: string[] = []
  while (keys.length === 0 && performance.now() < end) {
    keys = await client.send('KEYS', [`${prefix}*`])
    if (keys.length === 0) await Bun.sleep(20)
  }
  expect(keys.length).toBeGreaterThan(0)
  await client.send('DEL', keys)
  client.close()
}

async function arrived(count: number, received: readonly unknown[]): Promise<void> {
  const end = performance.now() + 20_000
  while (received.length < count) {
    if (performance.now() > end) throw new Error(`${received.length} of ${count} arrived`)
    await Bun.sleep(20)
  }
}

describe('a notifier alone', () => {
  test('needs no signing key, delivers although Redis forgot everything, and ends when told', async () => {
    const receiver = startReceiver()
    await rig.endpoint(receiver.url)
    const worker = startWorker(['--notifier'])
    await rig.event()
    await arrived(1, receiver.received)
    await forget()
    await rig.event()
    await arrived(2, receiver.received)
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    await receiver.stop()
  })

  test('delivers again after silence, and ends when told while Postgres and Redis say nothing', async () => {
    const [postgresProxy, redisProxy] = [databaseUrl, redis].map(startSilentProxyFor)
    const receiver = startReceiver()
    await rig.endpoint(receiver.url)
    const worker = startWorker(['--notifier'], {
      DATABASE_URL: postgresProxy?.through(databaseUrl) ?? '',
      REDIS_URL: redisProxy?.through(redis) ?? '',
      SILENCE_MS: '400',
      STOP_GRACE_S: '2',
    })
    await rig.event()
    await arrived(1, receiver.received)
    postgresProxy?.silence()
    redisProxy?.silence()
    const before = postgresProxy?.connections ?? 0
    await eventually(
      async () => postgresProxy?.connections ?? 0,
      (made) => made > before,
    )
    postgresProxy?.speak()
    redisProxy?.speak()
    await rig.event()
    await arrived(2, receiver.received)
    postgresProxy?.silence()
    redisProxy?.silence()
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    await receiver.stop()
    postgresProxy?.stop()
    redisProxy?.stop()
  })

  test('that is killed while it sends leaves the event to the next one, under the same webhook-id', async () => {
    const receiver = startReceiver()
    receiver.answer = () => new Promise(() => {})
    await rig.endpoint(receiver.url)
    const first = startWorker(['--notifier'])
    const id = await rig.event()
    await arrived(1, receiver.received)
    first.kill('SIGKILL')
    await first.exited
    receiver.answer = () => new Response()
    // As if its time had run out.
    await rig.database`update webhook_lease set until = now()`
    const second = startWorker(['--notifier'])
    const succeeded = async () =>
      (await rig.deliveries()).map(({ eventId, state }) => [eventId, state])
    expect(
      await eventually(succeeded, (rows) =>
        rows.some(([event, state]) => event === id && state === 'succeeded'),
      ),
    ).toContainEqual([id, 'succeeded'])
    expect(receiver.received.map((received) => received.id)).toEqual([id, id])
    second.kill('SIGTERM')
    await second.exited
    await receiver.stop()
  })

  test('refuses a schema that is older than it needs, and says so', async () => {
    const { database } = rig
    const [last] = await database<{ name: string; checksum: string }[]>`
      delete from migration where name = (select max(name) from migration where name ~ '^[0-9]{4}_')
      returning name, checksum`
    const worker = startWorker(['--notifier'])
    const err = await new Response(worker.stderr).text()
    expect(await worker.exited).toBe(1)
    expect(err).toContain('the schema is older than this release needs')
    expect(err).toContain(`(${last?.name} first)`)
    await database`insert into migration ${database(last ?? {})}`
  })

  test('is not what a chain asks for: that one names the keys that are missing', async () => {
    const worker = startWorker(['--chain', 'base-sepolia'])
    const err = await new Response(worker.stderr).text()
    expect(await worker.exited).toBe(1)
    expect(err).toContain('CONFIG_SIGNER_KEY is missing')
  })
})

test('a message wakes a notifier, and many that come together wake it a few times', async () => {
  const options = { redisUrl: redis, prefix: redisPrefix(), onError() {} }
  const sending = openMailbox(options)
  const listening = openMailbox(options)
  let heard = 0
  listening.receiveEvents(() => {
    heard += 1
  })
  for (let i = 0; i < 500; i += 1) sending.wakeNotifier()
  const end = performance.now() + 20_000
  while (heard === 0 && performance.now() < end) await Bun.sleep(10)
  await Bun.sleep(200)
  expect(heard).toBeGreaterThan(0)
  expect(heard).toBeLessThan(10)
  await sending.close()
  await listening.close()
})
