import { custom, fallback, http, type Transport, toEventSelector } from 'viem'
import type { Address } from '../../core/chain/evm.ts'
import type { Database } from '../../store/database.ts'

/**
 * The transport through which Ponder sees a chain. Deposit addresses exist only in our database
 * until they are paid, and no filter of Ponder's can name them: so logs are fetched as Ponder asks,
 * and transfers to addresses that nobody watches are taken out before Ponder sees or stores them.
 */

export interface WatchedTransport {
  /** In this order: the next one is asked when the one before fails. */
  readonly rpcUrls: readonly string[]
  /** The tokens whose transfers are filtered; all other logs pass through untouched. */
  readonly tokens: readonly Address[]
  /** Queried after each fetch. It must be the primary: a replica may not know an address yet. */
  readonly database: Database
}

interface Log {
  readonly address: string
  readonly topics: readonly string[]
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

export function watchedTransport(options: WatchedTransport): Transport {
  const tokens = new Set<string>(options.tokens)
  return (setup) => {
    const timeout = setup.timeout ?? 10_000
    const nodes = options.rpcUrls.map((url) => http(url, { retryCount: 0, timeout }))
    const node = fallback(nodes, { retryCount: 0 })({ ...setup, retryCount: 0, timeout })
    return custom({
      async request({ method, params }) {
        const answer: unknown = await node.request({ method, params })
        if (method !== 'eth_getLogs' || !areLogs(answer)) return answer
        return await keepWatched(answer, tokens, options.database, isByHash(params))
      },
    })(setup)
  }
}

/**
 * Takes out the transfers to addresses that nobody watches. The database is queried after the fetch:
 * an address is committed before it is shown to anyone, so it is known when its first payment is
 * looked at. An error is thrown and never taken for "nobody watches".
 */
async function keepWatched(
  logs: readonly Log[],
  tokens: ReadonlySet<string>,
  database: Database,
  byHash: boolean,
): Promise<readonly Log[]> {
  const recipients = new Map<Log, string>()
  for (const log of logs) {
    const recipient = recipientOf(log, tokens)
    if (recipient !== null) recipients.set(log, recipient)
  }
  if (recipients.size === 0) return logs
  const rows = await database<{ address: string }[]>`
    select address from watched where kind = 'deposit' and address = any(${[...new Set(recipients.values())]})`
  const watched = new Set(rows.map((row) => row.address))
  const kept = logs.filter((log) => {
    const recipient = recipients.get(log)
    return recipient === undefined || watched.has(recipient)
  })
  const [first] = logs
  if (kept.length > 0 || !byHash || first === undefined) return kept
  // When a block's bloom filter isn't empty, Ponder takes an empty answer for a node's mistake. A log
  // without topics satisfies it and matches none of its filters.
  return [{ ...first, topics: [] }]
}

/** The address that a registered token's Transfer credits, in lower case; null for other logs. */
function recipientOf(log: Log, tokens: ReadonlySet<string>): string | null {
  const [event, , to] = log.topics
  if (event !== TRANSFER || to === undefined) return null
  return tokens.has(log.address.toLowerCase()) ? addressIn(to) : null
}

/** An address in a topic is padded to 32 bytes on the left. */
function addressIn(topic: string): string {
  return `0x${topic.slice(-40).toLowerCase()}`
}

function isByHash(params: unknown): boolean {
  const [filter]: unknown[] = Array.isArray(params) ? params : []
  return typeof filter === 'object' && filter !== null && 'blockHash' in filter
}

/** Anything else goes to Ponder as it came, which refuses it and asks again. */
function areLogs(answer: unknown): answer is readonly Log[] {
  return Array.isArray(answer) && answer.every(isLog)
}

function isLog(value: unknown): value is Log {
  return (
    typeof value === 'object' &&
    value !== null &&
    'address' in value &&
    typeof value.address === 'string' &&
    'topics' in value &&
    Array.isArray(value.topics)
  )
}
