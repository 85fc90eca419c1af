import type { RedisConnection } from './connection.ts'

/** A script that Redis runs on some keys, and that answers with integers. */
export interface Script {
  run(keys: readonly string[], args: readonly (string | number)[]): Promise<readonly number[]>
}

export function openScript(redis: RedisConnection, text: string): Script {
  const hash = new Bun.CryptoHasher('sha1').update(text).digest('hex')
  return {
    async run(keys, given) {
      const args = [String(keys.length), ...keys, ...given.map(String)]
      const answer = await redis.send('EVALSHA', hash, ...args).catch((error) => {
        // A Redis that was restarted or flushed has forgotten the script.
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
        return redis.send('EVAL', text, ...args)
      })
      if (!Array.isArray(answer)) throw new TypeError('a script gave no list')
      return answer.map(Number)
    },
  }
}
