import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopOnParentDeath } from '../../../dev/processes/child.ts'
import { type RedisServer, startRedis } from '../../../dev/servers/redis.ts'
import { readVariables } from '../../../store/database/variables.ts'
import { closeRedis, openRedis, waitForRedis } from '../../../store/redis/connection.ts'
import { openMailbox } from '../../../store/redis/mailbox.ts'

/** A Redis with a password, as the Compose file runs one. */

const PASSWORD = 'p@ss/w:rd?#%'
const dir = mkdtempSync(join(tmpdir(), 'remit-redis-'))
let server: RedisServer
let release: () => void

beforeAll(async () => {
  server = await startRedis({ dataDir: dir, port: 0 })
  release = stopOnParentDeath(server.pid, 'SIGTERM')
  const redis = openRedis(server.url, { name: 'test', onError: () => {} })
  await waitForRedis(redis, 10_000)
  await redis.send('CONFIG', 'SET', 'requirepass', PASSWORD)
  closeRedis(redis)
}, 120_000)

afterAll(async () => {
  await server.stop()
  release()
  rmSync(dir, { recursive: true, force: true })
})

test('answers those who have it, and no one else', async () => {
  const { REDIS_URL: url = '' } = await readVariables({
    REDIS_URL: server.url,
    REDIS_PASSWORD: PASSWORD,
  })
  const redis = openRedis(url, { name: 'test', onError: () => {} })
  await waitForRedis(redis, 10_000)
  expect(await redis.ping()).toBe('PONG')
  closeRedis(redis)
  const mailbox = openMailbox({ redisUrl: url, prefix: 'test', onError: () => {} })
  await mailbox.send(1, { type: 'work_waiting' })
  await mailbox.close()
  const stranger = openRedis(server.url, { name: 'test', onError: () => {} })
  await waitForRedis(stranger, 1_000)
  await expect(stranger.ping()).rejects.toThrow()
  closeRedis(stranger)
})
