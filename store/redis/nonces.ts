import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'
import type { RedisConnection } from './connection.ts'
import { openScript } from './script.ts'

/**
 * The next account nonce of each relayer key, as the database had it last, kept outside of it: a database
 * that a failover reverted to an earlier moment shows by it, even before a node knows what was sent.
 */
export interface NonceMemory {
  /** Raises what is kept, and never lowers it. `ledger` is as `ledgerOf` names it. Throws while Redis is away. */
  remember(
    ledger: string,
    keys: readonly { readonly address: Address; readonly nextNonce: bigint }[],
  ): Promise<void>
  /** Throws while Redis is away. */
  recall(ledger: string): Promise<ReadonlyMap<Address, bigint>>
  forget(ledger: string): Promise<void>
}

/**
 * A chain in this database, which a replica or a restored copy shares. Marks of a recreated database, with the
 * same keys on a possibly new chain, don't apply to this one.
 */
export async function ledgerOf(sql: Queryable, networkId: string): Promise<string> {
  const [row] = await sql<{ born: string }[]>`
    select floor(extract(epoch from min(applied_at)) * 1000)::text as born from migration`
  return `${networkId}:${row?.born ?? ''}`
}

/** Several workers write it, some perhaps from a stale database: the highest stays. */
const RAISE = `
for i = 1, #ARGV, 2 do
  local known = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or '0')
  if tonumber(ARGV[i + 1]) > known then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return {}`

/** How long a process that starts waits for its first connection. */
const CONNECT_WITHIN_MS = 2_000

export function openNonceMemory(redis: RedisConnection, prefix: string): NonceMemory {
  const keyOf = (ledger: string) => `${prefix}:nonces:${ledger}`
  const raise = openScript(redis, RAISE)
  return {
    async remember(ledger, keys) {
      const fields = keys.flatMap(({ address, nextNonce }) => [address, nextNonce.toString()])
      if (fields.length > 0) await raise.run([keyOf(ledger)], fields)
    },
    async recall(ledger) {
      await Promise.race([redis.connected, Bun.sleep(CONNECT_WITHIN_MS)])
      const fields = await redis.send('HKEYS', keyOf(ledger))
      const addresses = Array.isArray(fields) ? fields.map(String) : []
      if (addresses.length === 0) return new Map()
      const values = await redis.send('HMGET', keyOf(ledger), ...addresses)
      const nonces = Array.isArray(values) ? values.map(String) : []
      return new Map(
        addresses.flatMap((address, i) => {
          const nonce = nonces[i]
          return nonce !== undefined && /^[0-9]+$/.test(nonce)
            ? [[lowerCaseAddress(address), BigInt(nonce)] as const]
            : []
        }),
      )
    },
    async forget(ledger) {
      await redis.send('DEL', keyOf(ledger))
    },
  }
}
