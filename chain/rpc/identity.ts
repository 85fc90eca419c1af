import { BaseError } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { field, isHash, isQuantity } from './calls.ts'
import { WrongChainUrlError } from './faults.ts'
import type { RpcUrl } from './url.ts'
import type { View } from './view.ts'

/** Which chain a URL answers for: its chain id, its first block, and a block that is final. */

/** How often a URL's chain is checked again, in ms: usually, after it was unavailable, and for a wrong one. */
const AGAIN_MS = 600_000
const AFTER_FAILURE_MS = 10_000
const WRONG_AGAIN_MS = 60_000

export type Identity =
  /** It can be used. */
  | { readonly type: 'right' }
  /** Another chain, or the same one begun afresh. */
  | { readonly type: 'wrong_chain'; readonly reason: string }
  /** A branch that parts from what is known deeper than reorganisations reach. */
  | { readonly type: 'forked'; readonly reason: string }

/** What is known of a chain, to recognise URLs of other chains. */
export interface KnownChain {
  genesis: Hex | null
  /** True when the genesis is on record, and not merely the first URL's answer. */
  isRecorded: boolean
  /** A block that is deeper than reorganisations reach. */
  anchor: View | null
  /** True when the anchor is a block that the ledger follows, or one that lies above it. */
  isAnchorRecorded: boolean
}

interface Checked {
  readonly at: number
  readonly identity: Identity
}

/** Checks URLs before their answers count, and again now and then. */
export class Identities {
  private readonly checked = new Map<RpcUrl, Checked>()
  private readonly underWay = new Map<RpcUrl, Promise<Identity>>()

  constructor(
    private readonly chain: ActiveChain,
    private readonly urls: readonly RpcUrl[],
    private readonly known: KnownChain,
  ) {}

  /** The result of the last check; null before the first one. */
  of(url: RpcUrl): Identity | null {
    return this.checked.get(url)?.identity ?? null
  }

  /** The URLs that can be used: none that is known to be of another chain or branch. */
  get usable(): RpcUrl[] {
    return this.urls.filter((url) => this.isUsable(url))
  }

  /** False for a URL that was found to be of another chain or branch, until it is checked again. */
  isUsable(url: RpcUrl): boolean {
    const last = this.checked.get(url)
    return last === undefined || last.identity.type === 'right' || isDue(last, url)
  }

  /** Checks the URL if that is due. Throws what its node throws. */
  async ensure(url: RpcUrl): Promise<Identity> {
    const last = this.checked.get(url)
    if (last !== undefined && !isDue(last, url)) return last.identity
    return this.check(url)
  }

  /** Checks the URL now. */
  check(url: RpcUrl): Promise<Identity> {
    const known = this.underWay.get(url)
    if (known !== undefined) return known
    const check = this.readIdentity(url).finally(() => this.underWay.delete(url))
    this.underWay.set(url, check)
    return check
  }

  private async readIdentity(url: RpcUrl): Promise<Identity> {
    const { genesis, anchor } = this.known
    const [id, first, final] = await Promise.all([
      url.send({ method: 'eth_chainId', params: [] }),
      hashAt(url, 0n),
      anchor === null ? null : hashAt(url, anchor.number),
    ])
    // What is no number names no other chain: a gateway's page, say, which may be gone with the next call.
    if (!isQuantity(id)) throw new BaseError(`${url.host} does not return its chain id`)
    let identity = this.classify(id, first, final)
    const isContradicted = identity.type === 'forked' || (genesis !== null && first !== genesis)
    if (isContradicted && !this.known.isRecorded && !this.hasOther(url)) {
      // All that was known came from URLs of which none confirms it any more.
      Object.assign(this.known, { genesis: null, anchor: null })
      identity = this.classify(id, first, null)
    }
    if (identity.type === 'forked' && !this.hasOther(url) && !this.mayHaveOther(url)) {
      this.dropAnchor()
      identity = { type: 'right' }
    }
    if (identity.type === 'right') this.known.genesis ??= first
    this.checked.set(url, { at: performance.now(), identity })
    return identity
  }

  /** True when another URL has been found right. */
  private hasOther(url: RpcUrl): boolean {
    return this.urls.some((other) => other !== url && this.of(other)?.type === 'right')
  }

  /** True when a URL that could not be checked yet may be on the branch that the ledger follows. */
  private mayHaveOther(url: RpcUrl): boolean {
    if (!this.known.isAnchorRecorded) return false
    return this.urls.some((other) => other !== url && this.of(other) === null)
  }

  /** No URL has the block: all of them count as right again, and are checked again. */
  private dropAnchor(): void {
    this.known.anchor = null
    this.known.isAnchorRecorded = false
    for (const [other, { identity }] of this.checked) {
      if (identity.type === 'forked') this.checked.delete(other)
    }
  }

  private classify(id: string, first: Hex | null, final: Hex | null): Identity {
    const { chainId } = this.chain
    const { genesis, anchor } = this.known
    if (BigInt(id) !== BigInt(chainId)) {
      const reason = `answers for chain ${BigInt(id)}, not for ${chainId}`
      return { type: 'wrong_chain', reason }
    }
    if (genesis !== null && first !== null && first !== genesis) {
      return { type: 'wrong_chain', reason: 'has another genesis block' }
    }
    // A node that is behind may not have the block yet, which is nothing against it.
    if (anchor !== null && final !== null && final !== anchor.hash) {
      return { type: 'forked', reason: `has another block ${anchor.number}` }
    }
    return { type: 'right' }
  }

  /** Moves the anchor up behind a head that this URL has named. */
  async anchorBehind(url: RpcUrl): Promise<void> {
    const { head } = url
    const depth = BigInt(this.chain.finalityDepth)
    const { anchor } = this.known
    // A single URL is all there is, wherever it leads.
    if (this.urls.length === 1 || head === null || head.number < 2n * depth) return
    const number = head.number - depth
    if (anchor !== null && number - anchor.number < depth) return
    if (anchor !== null && (await hashAt(url, anchor.number)) !== anchor.hash) {
      this.checked.delete(url)
      return
    }
    const hash = await hashAt(url, number)
    if (hash !== null) this.known.anchor = { number, hash }
  }

  /** Forgets the results, so that each URL is checked again. */
  forget(): void {
    this.checked.clear()
  }

  /** The fault when no URL is left. */
  noneLeft(urls: readonly RpcUrl[]): WrongChainUrlError {
    const reasons = urls.map((url) => {
      const identity = this.of(url)
      const reason = identity === null || identity.type === 'right' ? 'is silent' : identity.reason
      return `${url.host} ${reason}`
    })
    return new WrongChainUrlError(
      `no RPC URL of ${this.chain.networkId} can be used: ${reasons.join('; ')}`,
    )
  }
}

function isDue({ at, identity }: Checked, url: RpcUrl): boolean {
  const age = performance.now() - at
  if (identity.type !== 'right') return age > WRONG_AGAIN_MS
  const hasFailedSince = url.failedAt > at
  return age > AGAIN_MS || (hasFailedSince && age > AFTER_FAILURE_MS)
}

async function hashAt(url: RpcUrl, number: bigint): Promise<Hex | null> {
  const params = [`0x${number.toString(16)}`, false]
  const hash = field(await url.send({ method: 'eth_getBlockByNumber', params }), 'hash')
  return isHash(hash) ? hash : null
}
