import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeRedis, openRedis, waitForRedis } from '../../../store/redis/connection.ts'
import { type Mailbox, openMailbox } from '../../../store/redis/mailbox.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { redisPrefix, redisUrl } from '../../support/servers/run.ts'
import { type SilentProxy, startSilentProxyFor } from '../../support/servers/silentProxy.ts'

/** Connections to a Redis that falls silent and is not gone: without another connection they would wait for ever. */

const SILENCE_MS = 400
const CHAIN = 84_532

let proxy: SilentProxy
const closing: (() => Promise<void> | void)[] = []

beforeEach(async () => {
  proxy = startSilentProxyFor(await redisUrl())
})
afterEach(async () => {
  proxy.speak()
  for (const close of closing.splice(0).reverse()) await close()
  proxy.stop()
})

test.each([
  ['that is asked all the time', 20],
  ['that nobody asks', 4 * SILENCE_MS],
])('a connection for commands %s answers again', async (_, everyMs) => {
  const redis = openRedis(proxy.through(await redisUrl()), {
    name: 'test-silence',
    silenceMs: SILENCE_MS,
    onError() {},
  })
  closing.push(() => closeRedis(redis))
  await waitForRedis(redis, 10_000)
  expect(await redis.ping()).toBe('PONG')
  proxy.silence()
  const end = performance.now() + 4 * SILENCE_MS
  while (performance.now() < end) {
    await Bun.sleep(everyMs)
    expect(await redis.ping().catch(() => 'silence')).toBe('silence')
  }
  proxy.speak()
  await eventually(
    () => redis.ping().catch(() => 'silence'),
    (answer) => answer === 'PONG',
  )
})

test('mailboxes send and receive again, and a sender is not kept waiting', async () => {
  const prefix = redisPrefix()
  const url = proxy.through(await redisUrl())
  const open = (): Mailbox => {
    const mailbox = openMailbox({ redisUrl: url, prefix, silenceMs: SILENCE_MS, onError() {} })
    closing.push(() => mailbox.close())
    return mailbox
  }
  const [sender, receiver] = [open(), open()]
  let heard = 0
  receiver.receive(CHAIN, async () => {
    heard += 1
  })
  const send = () =>
    sender.send(CHAIN, { type: 'work_waiting' }).then(
      () => true,
      () => false,
    )
  await eventually(send, (isSent) => isSent)
  await eventually(
    async () => heard,
    (times) => times > 0,
  )
  proxy.silence()
  expect(await send()).toBe(false)
  expect(await send()).toBe(false)
  proxy.speak()
  const before = heard
  await eventually(
    async () => (await send()) && heard > before,
    (isHeard) => isHeard,
  )
})
