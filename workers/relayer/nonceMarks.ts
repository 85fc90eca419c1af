import type { Logger } from 'pino'
import { max } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { NonceMemory } from '../../store/redis/nonces.ts'
import type { RelayerKey } from '../../store/relayer/keys.ts'

/** For how long Redis is left alone that did not answer, in ms: sending must not wait for it each time. */
const SILENCE_MS = 5_000

/**
 * The high-water marks of a chain's relayer keys: the highest nonce seen of each, by this process, by others
 * through Redis, and by the chain. A key in quarantine has none: an operator decides where it resumes.
 */
export class NonceMarks {
  /** What the database itself has had. */
  private stored: ReadonlyMap<Address, bigint> = new Map()
  /** What the view of the newest turn shows. */
  private mined: ReadonlyMap<Address, bigint> = new Map()
  /** What Redis has, as far as is known. */
  private readonly shared = new Map<Address, bigint>()
  private silentUntil = 0

  constructor(
    private readonly nonces: NonceMemory,
    private readonly log: Logger,
  ) {}

  /** The next account nonces that the database itself has had. */
  get known(): ReadonlyMap<Address, bigint> {
    return this.stored
  }

  /** What the chain shows after the head of a turn, which is read after these rows. */
  see(keys: Iterable<RelayerKey>, mined: ReadonlyMap<Address, bigint>): void {
    this.note(keys)
    this.mined = mined
  }

  /** Keeps what rows record; of keys in quarantine nothing is kept. */
  note(keys: Iterable<RelayerKey>): void {
    const stored = new Map(this.stored)
    for (const { address, nextNonce, status } of keys) {
      if (status === 'quarantined') {
        stored.delete(address)
        this.shared.delete(address)
      } else stored.set(address, max(nextNonce, stored.get(address) ?? 0n))
    }
    this.stored = stored
  }

  /**
   * After the keys were checked: what the chain shows is known to the rows, or their keys are in quarantine.
   */
  settle(keys: Iterable<RelayerKey>): void {
    this.mined = new Map()
    this.shared.clear()
    this.note(keys)
  }

  /**
   * The marks of this moment, for rows that are read since the last one was raised: what is assigned meanwhile is in no
   * mark. The answer names the keys whose rows are below their marks.
   */
  snapshot(): (keys: readonly RelayerKey[]) => RelayerKey[] {
    const { stored, mined } = this
    return (keys) =>
      keys.filter(({ address, nextNonce, status }) => {
        if (status === 'quarantined') return false
        return nextNonce < max(stored.get(address) ?? 0n, mined.get(address) ?? 0n)
      })
  }

  /** Reads the marks of other processes from Redis. */
  async recall(ledger: string): Promise<void> {
    if (performance.now() < this.silentUntil) return
    try {
      const recalled = await this.nonces.recall(ledger)
      this.lift(recalled)
      for (const [address, nonce] of recalled) this.shared.set(address, nonce)
    } catch (error) {
      this.fellSilent(error)
    }
  }

  /** Notes, here and in Redis, what is about to be sent. */
  async raise(
    ledger: string,
    keys: readonly { readonly address: Address; readonly nextNonce: bigint }[],
  ): Promise<void> {
    this.lift(keys.map(({ address, nextNonce }) => [address, nextNonce]))
    const unshared = keys.filter((key) => (this.shared.get(key.address) ?? -1n) < key.nextNonce)
    if (unshared.length === 0 || performance.now() < this.silentUntil) return
    try {
      await this.nonces.remember(ledger, unshared)
      for (const { address, nextNonce } of unshared) this.shared.set(address, nextNonce)
    } catch (error) {
      this.fellSilent(error)
    }
  }

  private lift(marks: Iterable<readonly [Address, bigint]>): void {
    const stored = new Map(this.stored)
    for (const [address, nonce] of marks) stored.set(address, max(nonce, stored.get(address) ?? 0n))
    this.stored = stored
  }

  private fellSilent(error: unknown): void {
    this.silentUntil = performance.now() + SILENCE_MS
    this.log.warn({ err: error }, 'Redis does not return or store the marks of relayer keys')
  }
}
