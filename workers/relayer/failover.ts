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
  type Transaction,
} from '../../store/database/database.ts'
import { readServer } from '../../store/database/primary.ts'
import { noteCompared } from '../../store/invoice/locking.ts'
import { ledgerOf, type NonceMemory } from '../../store/redis/nonces.ts'
import { quarantineAll, type RelayerKey, readRelayerKeys } from '../../store/relayer/keys.ts'
import { calledContracts, recordOtherUse } from '../../store/relayer/otherUse.ts'
import { type Verdict, verifyUse } from './nonces.ts'

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

/** A key whose account has gone further than the database knows. */
interface KeyBehind {
  readonly address: Address
  /** Its next account nonce by the database, and by the nodes or Redis. */
  readonly stored: bigint
  readonly seen: bigint
  /** True when the database itself has recorded it before. */
  readonly wasStored: boolean
}

/** How far a key has come, by its row or by another process. */
type Mark = Pick<RelayerKey, 'address' | 'nextNonce'> & Partial<Pick<RelayerKey, 'status'>>

const TIMEOUT_MS = 120_000
const LOG_OPEN_MS = 10_000
/** For how long Redis is left alone that did not answer, in ms: sending must not wait for it each time. */
const SILENCE_MS = 5_000

/**
 * A database that a failover reset to an earlier moment has lost what was sent since, and would send it once
 * more, with the same key or another. So before anything is signed on a chain, within the very transaction that
 * signs it, the rows of all its keys are compared with their marks, the highest nonce seen of each: by this worker,
 * by others through Redis, and by the chain. When a row is behind, the turn ends and nothing is sent on the chain
 * until an operator has put its keys back; unless the chain shows that it was another sender who used a key, and
 * for what: then that key alone is out of service. A key in quarantine has no mark: an operator decides where it
 * resumes.
 */
export class FailoverGuard {
  /** What the database itself has had. Replaced, never changed. */
  private stored: ReadonlyMap<Address, bigint> = new Map()
  /** What the view of the newest turn shows. */
  private mined: ReadonlyMap<Address, bigint> = new Map()
  /** What Redis has, as far as is known. */
  private readonly shared = new Map<Address, bigint>()
  private ledger: string | null = null
  private silentUntil = 0
  private isChecked = false
  /** The database's server that was checked. */
  private server: string | null = null
  private openSince: number | null = null
  private loggedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly context: FailoverContext) {}

  /**
   * Checks once, before anything is sent, and again where the database knows less than it did or another server answers
   * for it: a failover need not end this process. Until then what may have been sent is not withdrawn. False while the
   * chain has yet to show what used a key: then nothing may be sent. Throws while the node doesn't answer.
   */
  async check(): Promise<boolean> {
    if (this.isChecked) return true
    const { database, client, log } = this.context
    const server = await readServer(database)
    const open = await this.settle(await this.keysBehind())
    if (open.length > 0) {
      this.openSince ??= performance.now()
      if (performance.now() - this.loggedAt > LOG_OPEN_MS) {
        this.loggedAt = performance.now()
        log.warn({ keys: open.map(words) }, 'nothing is sent until the chain shows what used a key')
      }
      return false
    }
    this.openSince = null
    // What the chain shows is known to the rows, or their keys are in quarantine.
    const keys = await readRelayerKeys(database, client.chain.networkId)
    this.mined = new Map()
    this.shared.clear()
    this.keep(keys)
    await database.begin((sql) => noteCompared(sql, client.chain.networkId, server))
    this.server = server
    this.isChecked = true
    return true
  }

  /**
   * Notes how far the keys have come, by their rows as a turn has just read them. False where the database knows less
   * than it did, or has another server: then the turn ends, and the next one begins with a check.
   */
  async note(keys: readonly RelayerKey[]): Promise<boolean> {
    // What Redis has of them is the evidence, and stays until the next check.
    const server = keys[0]?.server ?? (await readServer(this.context.database))
    if (server !== this.server || this.marks()(keys).length > 0) {
      this.isChecked = false
      return false
    }
    this.keep(keys)
    await this.share(keys.filter(({ status }) => status !== 'quarantined'))
    return true
  }

  /** Notes the rows of the keys, and the account nonces that the chain shows, read after them. */
  see(keys: Iterable<RelayerKey>, mined: ReadonlyMap<Address, bigint>): void {
    this.keep(keys)
    this.mined = mined
  }

  /**
   * Compares the rows of all keys with their marks, in the transaction that signs.
   * @throws DatabaseBehindError where one is behind: nothing may be signed, by no key.
   */
  async compare(sql: Transaction): Promise<void> {
    if (performance.now() >= this.silentUntil) await this.recall(sql)
    const isBehind = this.marks()
    const behind = isBehind(await readRelayerKeys(sql, this.context.client.chain.networkId))
    if (behind.length === 0) return
    this.isChecked = false
    const keys = behind.map(({ address, nextNonce }) => `${address} at ${nextNonce}`).join(', ')
    throw new DatabaseBehindError(`the database has forgotten what was sent: ${keys}`)
  }

  /** Notes how far a key will have come, before what is stored is sent. Never fails for Redis. */
  raise(address: Address, nextNonce: bigint): Promise<void> {
    return this.share([{ address, nextNonce }])
  }

  /** The keys in service whose accounts have gone further than the database knows. */
  private async keysBehind(): Promise<KeyBehind[]> {
    const { database, client } = this.context
    const { networkId } = client.chain
    await this.recall(database)
    const { stored: marks } = this
    const known = await readRelayerKeys(database, networkId)
    const seen = new Map<Address, bigint>()
    const look = async ({ address }: RelayerKey, block: 'latest' | 'pending') => {
      const nonce = await accountNonce(client.rpc, address, block)
      seen.set(address, max(nonce, seen.get(address) ?? 0n))
    }
    await Promise.all(known.flatMap((key) => [look(key, 'latest'), look(key, 'pending')]))
    // Read after the chain: other workers store what they send before they send it.
    const keys = await readRelayerKeys(database, networkId)
    return keys.flatMap(({ address, status, nextNonce: stored }) => {
      const before = marks.get(address) ?? 0n
      const nonce = max(seen.get(address) ?? 0n, before)
      if (status === 'quarantined' || nonce <= stored) return []
      return [{ address, stored, seen: nonce, wasStored: before > stored }]
    })
  }

  /**
   * Takes keys that another sender has used out of service, or all of the chain's when the database may be
   * behind. Returns those about which the chain has yet to decide.
   */
  private async settle(behind: readonly KeyBehind[]): Promise<readonly KeyBehind[]> {
    const { openSince, context } = this
    const { database, client, log, timeoutMs = TIMEOUT_MS } = context
    if (behind.length === 0) return []
    const { networkId } = client.chain
    const verdicts = await explain(context, behind)
    const isImpatient = openSince !== null && performance.now() - openSince > timeoutMs
    const ours = [...verdicts].flatMap(([key, verdict]) => {
      if (verdict.type === 'ours') return [`${words(key)}: ${verdict.why}`]
      const isOver = verdict.type === 'open' && isImpatient
      return isOver ? [`${words(key)}: its transaction is not mined`] : []
    })
    if (ours.length > 0) {
      await this.holdChain(ours)
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

  private async holdChain(why: readonly string[]): Promise<void> {
    const { database, client, nonces, log } = this.context
    const { networkId } = client.chain
    const note =
      `the database is behind the chain (${why.join('; ')}): run \`bun run remit reconcile\`, ` +
      `mend what it finds, then \`bun run remit relayer revive --chain ${networkId}\` for each key`
    await quarantineAll(database, networkId, note)
    log.error({ why }, `nothing is sent on ${networkId}: ${note}`)
    // What holds the chain from now on is the database's own; a key that is put back starts over.
    await nonces.forget(await this.ledgerName(database)).catch(() => undefined)
  }

  /**
   * The marks of this moment, for rows that are read since the last one was raised: what is assigned meanwhile is in no
   * mark. The answer names the keys whose rows are below their marks.
   */
  private marks(): (keys: readonly RelayerKey[]) => RelayerKey[] {
    const { stored, mined } = this
    return (keys) =>
      keys.filter(({ address, nextNonce, status }) => {
        if (status === 'quarantined') return false
        return nextNonce < max(stored.get(address) ?? 0n, mined.get(address) ?? 0n)
      })
  }

  /** Keeps what rows or others record; of keys in quarantine nothing is kept. */
  private keep(keys: Iterable<Mark>): void {
    const stored = new Map(this.stored)
    for (const { address, nextNonce, status } of keys) {
      if (status === 'quarantined') {
        stored.delete(address)
        this.shared.delete(address)
      } else stored.set(address, max(nextNonce, stored.get(address) ?? 0n))
    }
    this.stored = stored
  }

  /** Reads the marks of other processes from Redis. */
  private async recall(sql: Queryable): Promise<void> {
    const ledger = await this.ledgerName(sql)
    try {
      const recalled = await this.context.nonces.recall(ledger)
      this.keep([...recalled].map(([address, nextNonce]) => ({ address, nextNonce })))
      for (const [address, nonce] of recalled) this.shared.set(address, nonce)
    } catch (error) {
      this.fellSilent(error)
    }
  }

  /** Keeps marks here and in Redis. */
  private async share(keys: readonly Mark[]): Promise<void> {
    const ledger = await this.ledgerName(this.context.database)
    this.keep(keys)
    const unshared = keys.filter((key) => (this.shared.get(key.address) ?? -1n) < key.nextNonce)
    if (unshared.length === 0 || performance.now() < this.silentUntil) return
    try {
      await this.context.nonces.remember(ledger, unshared)
      for (const { address, nextNonce } of unshared) this.shared.set(address, nextNonce)
    } catch (error) {
      this.fellSilent(error)
    }
  }

  private fellSilent(error: unknown): void {
    this.silentUntil = performance.now() + SILENCE_MS
    this.context.log.warn({ err: error }, 'Redis does not return or store marks of relayer keys')
  }

  private async ledgerName(sql: Queryable): Promise<string> {
    this.ledger ??= await ledgerOf(sql, this.context.client.chain.networkId)
    return this.ledger
  }
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

function words({ address, stored, seen }: KeyBehind): string {
  return `${address} is at account nonce ${seen}, the database has ${stored}`
}
