import { shortMessage } from '../../core/base/logging.ts'
import type { Variables } from '../../core/config/reader.ts'
import { closeRedis, openRedis, waitForRedis } from '../../store/redis/connection.ts'
import { type Finding, Findings } from './finding.ts'

/** Redis: its version and eviction policy. */

const DEADLINE_MS = 5_000

export async function checkRedis({ REDIS_URL: url }: Variables): Promise<Finding[]> {
  const found = new Findings('redis')
  if (!url) {
    found.problem('REDIS_URL is missing', 'set the redis:// URL of queues and rate limits')
    return found.all
  }
  const redis = openRedis(url, { name: 'remit-doctor', onError: () => {} })
  try {
    await waitForRedis(redis, DEADLINE_MS)
    const info = String(await redis.send('INFO'))
    const value = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? ''
    const version = value('valkey_version') || value('redis_version')
    if (Number.parseInt(version, 10) < 7) {
      found.problem(`it is version ${version}`, 'use Redis or Valkey 7 or newer')
    } else found.good(`version ${version}`)
    const policy = value('maxmemory_policy')
    if (policy !== 'noeviction') {
      const advice = 'set maxmemory-policy to noeviction: evicted jobs are lost'
      found.warning(`maxmemory-policy is ${policy}`, advice)
    } else found.good('it evicts nothing')
  } catch (error) {
    found.problem(
      `it does not respond: ${shortMessage(error)}`,
      'check that it is running and that REDIS_URL is right; until then each API process counts rate limits on its own',
    )
  } finally {
    closeRedis(redis)
  }
  return found.all
}
