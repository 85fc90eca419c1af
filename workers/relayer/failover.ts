import type { Logger } from 'pino'
import { accountNonce } from '../../chain/blocks/accounts.ts'
import { readHead } from '../../chain/blocks/blocks.ts'
import { CanonicalBlocks } from '../../chain/blocks/canonical.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { max } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import {
  type Database,
  DatabaseBehindError,
  type Queryable,
} from '../../store/database/database.ts'
import { ledgerOf, type NonceMemory } from '../../store/redis/nonces.ts'
import { quarantineAll, readRelayerKeys } from '../../store/relayer/keys.ts'
import { calledContracts, recordOtherUse } from '../../store/relayer/otherUse.ts'
import type { SigningGuard } from './context.ts'
import { NonceMarks } from './nonceMarks.ts'
import { type Verdict, verifyUse } from './otherUse.ts'

/**
 * A database that a failover reset to an earlier moment has lost what was sent since, and would send it once
 * more, with the same key or another. So before anything is signed on a chain, within the very transaction that
 * signs it, the rows of all its keys are compared with the highest nonce seen of each: by this worker, by
 * others through Redis, and by the chain. When a row is behind, the turn ends and nothing is sent on the chain
 * until an operator has put its keys back; unless the chain shows that it was another sender who used a key, and
 * for what: then that key alone is out of service.
 */
export interface FailoverGuard extends SigningGuard {
  /**
   * Checks once, before anything is sent, and again where the database knows less than it did: a failover need not
   * end this process. False while the chain has yet to show what used a key: then nothing may be sent. Throws while
   * the node doesn't answer.
   */
  check(): Promise<boolean>
}

export interface FailoverContext {
  readonly database: Database
  readonly client: ChainClient
  /** The hub that relayers call. */
  readonly hub: Address
  readonly nonces: NonceMemory
  readonly log: Logger
  /** How long what is not mined is waited for, in ms; then it counts as ours. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 120_000
const LOG_OPEN_MS = 10_000

export function openFailoverGuard(context: FailoverContext): FailoverGuard {
  const { database, client, nonces, log } = context
  const { networkId } = client.chain
  const marks = new NonceMarks(nonces, log)
  let isChecked = false
  let ledger: string | null = null
  let openSince: number | null = null
  let loggedAt = Number.NEGATIVE_INFINITY
  const ledgerName = async (sql: Queryable) => {
    ledger ??= await ledgerOf(sql, networkId)
    return ledger
  }
  return {
    async check() {
      if (isChecked) return true
      const behind = await keysBehind(context, marks.known)
      const open = await settleKeys(context, behind, openSince)
      if (open.length > 0) {
        openSince ??= performance.now()
        if (performance.now() - loggedAt > LOG_OPEN_MS) {
          loggedAt = performance.now()
          log.warn(
            { keys: open.map(words) },
            'nothing is sent until the chain shows what used a key',
          )
        }
        return false
      }
      openSince = null
      marks.settle(await readRelayerKeys(database, networkId))
      isChecked = true
      return true
    },
    async note(keys) {
      // What Redis has of them is the evidence, and stays until the next check.
      if (marks.snapshot()(keys).length > 0) {
        isChecked = false
        return false
      }
      marks.note(keys)
      const inService = keys.filter(({ status }) => status !== 'quarantined')
      await marks.raise(await ledgerName(database), inService)
      return true
    },
    see: (keys, mined) => marks.see(keys, mined),
    async compare(sql) {
      await marks.recall(await ledgerName(sql))
      const isBehind = marks.snapshot()
      const behind = isBehind(await readRelayerKeys(sql, networkId))
      if (behind.length === 0) return
      const keys = behind.map(({ address, nextNonce }) => `${address} at ${nextNonce}`).join(', ')
      throw new DatabaseBehindError(`the database has forgotten what was sent: ${keys}`)
    },
    async raise(address, nextNonce) {
      await marks.raise(await ledgerName(database), [{ address, nextNonce }])
    },
  }
}

/** A key whose account has gone further than the database knows. */
export interface KeyBehind {
  readonly address: Address
  /** Its next account nonce by the database, and by the nodes or Redis. */
  readonly stored: bigint
  readonly seen: bigint
  /** True when the database itself has recorded it before. */
  readonly wasStored: boolean
}

/**
 * The keys that are in service and whose accounts have gone further than the database knows, by the nodes, by
 * Redis, or by what the database itself has `shown` before.
 */
export async function keysBehind(
  { database, client, nonces, log }: FailoverContext,
  shown: ReadonlyMap<Address, bigint> = new Map(),
): Promise<KeyBehind[]> {
  const { networkId } = client.chain
  const ledger = await ledgerOf(database, networkId)
  const remembered = await nonces.recall(ledger).catch((error: unknown) => {
    log.warn({ err: error }, 'Redis has no marks of relayer keys; the nodes are queried')
    return new Map<Address, bigint>()
  })
  const known = await readRelayerKeys(database, networkId)
  const seen = new Map(
    await Promise.all(
      known.map(async ({ address }) => {
        const [latest, pending] = await Promise.all([
          accountNonce(client.rpc, address, 'latest'),
          accountNonce(client.rpc, address, 'pending'),
        ])
        const stored = max(remembered.get(address) ?? 0n, shown.get(address) ?? 0n)
        return [address, { nonce: max(max(latest, pending), stored), stored }] as const
      }),
    ),
  )
  // Read after the chain: other workers store what they send before they send it.
  const keys = await readRelayerKeys(database, networkId)
  return keys.flatMap(({ address, status, nextNonce: stored }) => {
    const { nonce = 0n, stored: before = 0n } = seen.get(address) ?? {}
    if (status === 'quarantined' || nonce <= stored) return []
    return [{ address, stored, seen: nonce, wasStored: before > stored }]
  })
}

/**
 * Takes keys that another sender has used out of service, or all of the chain's when the database may be
 * behind. Returns those about which the chain has yet to decide.
 */
async function settleKeys(
  context: FailoverContext,
  behind: readonly KeyBehind[],
  openSince: number | null,
): Promise<readonly KeyBehind[]> {
  const { database, client, log, timeoutMs = TIMEOUT_MS } = context
  if (behind.length === 0) return []
  const { networkId } = client.chain
  const verdicts = await explain(context, behind)
  const isImpatient = openSince !== null && performance.now() - openSince > timeoutMs
  const ours = [...verdicts].flatMap(([key, { type, ...about }]) => {
    if (type === 'ours' && 'why' in about) return [`${words(key)}: ${about.why}`]
    return type === 'open' && isImpatient ? [`${words(key)}: its transaction is not mined`] : []
  })
  if (ours.length > 0) {
    await holdChain(context, ours)
    return []
  }
  const open: KeyBehind[] = []
  for (const [key, verdict] of verdicts) {
    if (verdict.type === 'open') open.push(key)
    if (verdict.type !== 'other') continue
    const { address, stored: first } = key
    const note = await recordOtherUse(database, { networkId, address }, { ...verdict, first })
    if (note !== null) log.error({ address, note }, 'a relayer key is quarantined')
  }
  return open
}

async function explain(
  { database, client, hub }: FailoverContext,
  behind: readonly KeyBehind[],
): Promise<Map<KeyBehind, Verdict>> {
  const { networkId, finalityDepth, tokens } = client.chain
  const head = await readHead(client.rpc)
  const canonical = new CanonicalBlocks(client.rpc, BigInt(finalityDepth))
  await canonical.advance(head)
  const called = await calledContracts(database, networkId)
  const ours = new Set([hub, ...called, ...tokens.map(({ address }) => address)])
  const verdicts = new Map<KeyBehind, Verdict>()
  for (const key of behind) {
    const verdict: Verdict = key.wasStored
      ? { type: 'ours', why: 'the database itself had come so far' }
      : await verifyUse(client, canonical, head, key.address, key.stored, ours)
    verdicts.set(key, verdict)
  }
  return verdicts
}

async function holdChain(
  { database, client, nonces, log }: FailoverContext,
  why: readonly string[],
): Promise<void> {
  const { networkId } = client.chain
  const note =
    `the database is behind the chain (${why.join('; ')}): run \`bun run remit reconcile\`, ` +
    `mend what it finds, then \`bun run remit relayer revive --chain ${networkId}\` for each key`
  await quarantineAll(database, networkId, note)
  log.error({ why }, `nothing is sent on ${networkId}: ${note}`)
  // What holds the chain from now on is the database's own; a key that is put back starts over.
  await nonces.forget(await ledgerOf(database, networkId)).catch(() => undefined)
}

function words({ address, stored, seen }: KeyBehind): string {
  return `${address} is at account nonce ${seen}, the database has ${stored}`
}
