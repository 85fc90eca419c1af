import { custom, type Transport, toEventSelector } from 'viem'
import { poolOf } from '../../chain/rpc/client.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { Database } from '../../store/database/database.ts'
import { INDEXED_EVENTS } from '../deployment/contracts.ts'
import { BlockLogs, RecentBlocks } from './blockLogs.ts'
import type { RawHeader } from './rawHeader.ts'
import { type Call, hashOf, UnpaidBlocks } from './unpaidBlocks.ts'

/**
 * The transport through which Ponder sees a chain. Deposit addresses exist only in our database until they are
 * paid, and no filter of Ponder's can name them: so the logs of our tokens and the hub are fetched, and
 * transfers to addresses that are not watched are taken out before Ponder sees or stores them. So are
 * authorizations of payments to others.
 */

export interface WatchedTransport {
  readonly chain: ActiveChain
  /** The tokens whose transfers are filtered; other logs of theirs pass through untouched. */
  readonly tokens: readonly Address[]
  /** The hub, some of whose logs are indexed. */
  readonly hub: Address
  /** Queried after each fetch. It must be the primary: a replica may not know an address yet. */
  readonly database: Database
  /** The header of a block that was announced lately, or null: it needs no request. */
  readonly headerOf?: (hash: string) => RawHeader | null
}

interface Log {
  readonly address: string
  readonly topics: readonly string[]
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const EVENTS = INDEXED_EVENTS.map((event) => toEventSelector(event))

export function watchedTransport(options: WatchedTransport): Transport {
  const tokens = new Set<string>(options.tokens)
  const pool = poolOf(options.chain)
  // However wide a range is, it is read within the limits of the nodes.
  const send = ({ method, params }: Call): Promise<unknown> => pool.request({ method, params })
  const recent = new RecentBlocks()
  const headerOf = options.headerOf ?? (() => null)
  const indexed = { contracts: [...options.tokens, options.hub], topics: EVENTS }
  const ofBlocks = new BlockLogs(pool, indexed, headerOf, recent)
  const logsOf = async ({ method, params }: Call): Promise<unknown> => {
    const isOfBlock = hashOf(params) !== null
    const keep = async (answer: unknown) =>
      areLogs(answer) ? keepOurs(answer, tokens, options, isOfBlock) : answer
    return isOfBlock
      ? keep(await ofBlocks.read({ method, params }))
      : pool.request({ method, params }, keep)
  }
  return (setup) => {
    // Other logs of our contracts come with each block, and Ponder filters them.
    const isWanted = (log: unknown) =>
      isLog(log) &&
      log.topics.length > 0 &&
      (recipientOf(log, tokens) !== null ||
        useOf(log, tokens) !== null ||
        log.address.toLowerCase() === options.hub)
    const blocks = new UnpaidBlocks(send, logsOf, isWanted, headerOf)
    return custom({
      async request({ method, params }) {
        if (method === 'eth_getLogs') return blocks.logs({ method, params })
        if (method === 'eth_getBlockByHash') return blocks.block({ method, params })
        const answer = await send({ method, params })
        if (method === 'eth_getBlockByNumber') recent.keep(answer)
        return answer
      },
    })(setup)
  }
}

/**
 * Drops transfers to unwatched addresses, and uses of unclaimed authorizations. The database is queried after
 * the fetch: an address is committed before it is shown to anyone, and a claim before anything is signed for
 * it, so both are known when their logs are read. An error is thrown and never taken for "not watched".
 */
async function keepOurs(
  logs: readonly Log[],
  tokens: ReadonlySet<string>,
  { database, chain }: WatchedTransport,
  byHash: boolean,
): Promise<readonly Log[]> {
  const recipients = new Map<Log, string>()
  const uses = new Map<Log, Use>()
  for (const log of logs) {
    const recipient = recipientOf(log, tokens)
    if (recipient !== null) recipients.set(log, recipient)
    const use = useOf(log, tokens)
    if (use !== null) uses.set(log, use)
  }
  const [watched, claimed] = await Promise.all([
    watchedOf(database, [...recipients.values()]),
    claimedOf(database, chain.networkId, [...uses.values()]),
  ])
  const kept = logs.filter((log) => {
    const [recipient, use] = [recipients.get(log), uses.get(log)]
    if (recipient !== undefined) return watched.has(recipient)
    return use === undefined || claimed.has(keyOf(use))
  })
  const [first] = logs
  if (kept.length > 0 || !byHash || first === undefined) return kept
  // When a block's bloom filter isn't empty, Ponder takes an empty answer for a node's mistake. A log
  // without topics satisfies it and matches none of its filters.
  return [{ ...first, topics: [] }]
}

async function watchedOf(
  database: Database,
  recipients: readonly string[],
): Promise<ReadonlySet<string>> {
  if (recipients.length === 0) return new Set()
  const rows = await database<{ address: string }[]>`
    select address from watched where kind = 'deposit' and address = any(${[...new Set(recipients)]})`
  return new Set(rows.map((row) => row.address))
}

/** A use of an EIP-3009 authorization. */
interface Use {
  readonly nonce: string
  readonly payer: string
  readonly asset: string
}

async function claimedOf(
  database: Database,
  networkId: string,
  uses: readonly Use[],
): Promise<ReadonlySet<string>> {
  if (uses.length === 0) return new Set()
  const rows = await database<Use[]>`
    select g.nonce, g.payer, g.asset
    from unnest(
      ${uses.map(({ nonce }) => nonce)}::text[], ${uses.map(({ payer }) => payer)}::text[],
      ${uses.map(({ asset }) => asset)}::text[]
    ) as g (nonce, payer, asset)
    -- Limited, so that each is looked up by its key.
    cross join lateral (
      select from x402_payment p
      where p.authorization_nonce = g.nonce and p.payer = g.payer and p.asset = g.asset
        and p.network_id = ${networkId} limit 1
    ) claimed`
  return new Set(rows.map(keyOf))
}

function keyOf({ nonce, payer, asset }: Use): string {
  return `${nonce} ${payer} ${asset}`
}

/** Which authorization was used by a registered token's event; null for other logs. */
function useOf({ address, topics }: Log, tokens: ReadonlySet<string>): Use | null {
  const [event, payer, nonce] = topics
  const asset = address.toLowerCase()
  if (event !== AUTHORIZATION_USED || !payer || !nonce || !tokens.has(asset)) return null
  return { nonce: nonce.toLowerCase(), payer: addressIn(payer), asset }
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

/** Anything else goes to Ponder unchanged, which refuses it and requests again. */
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
