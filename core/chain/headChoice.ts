/** A head as far as choosing needs to know it. */
export interface HeadRef {
  readonly number: bigint
  readonly hash: string
  readonly parentHash?: string
}

/** A block further above all others than this is followed once another node, or its parent, is near it. */
const FAR_BLOCKS = 64n
/** After so many consecutive polls at which the only node that answers is far ahead, the chain is there. */
const POLLS_TO_JUMP = 3
/** The same where others answer, and none of them moves: they may have stopped. */
const POLLS_PAST_OTHERS = 300
/** After so many consecutive polls with lower heads of another branch, the chain was reorganised. */
const POLLS_TO_GO_BACK = 3
const HEADS_KEPT = 256

/**
 * The head of a chain from its nodes' answers, poll by poll. The highest wins, unless a single node names one far
 * above all others. A lower head than the present one usually comes from a node that lags: it is ignored when it
 * was the head before, and believed only when several polls in a row show a lower branch.
 */
export class HeadChoice<H extends HeadRef> {
  private readonly recent = new Map<string, H>()
  private present: H | null = null
  private lower = 0
  private jumps = 0

  get head(): H | null {
    return this.present
  }

  /** A head that was taken lately, by its hash. */
  find(hash: string): H | null {
    return this.recent.get(hash) ?? null
  }

  /**
   * Takes a higher head that one node announces. Null for every other: only a poll of all nodes shows a
   * reorganisation.
   */
  hear(head: H): H | null {
    const { present } = this
    const isOld = present !== null && head.number <= present.number
    return isOld || this.isFar(head, []) ? null : this.take(head)
  }

  /** Takes the heads of one poll, at least one. Returns the head of the chain. */
  choose(shown: readonly [H, ...H[]]): H {
    const best = this.bestOf(shown)
    const { present } = this
    if (present === null) return best === null ? shown[0] : this.take(best)
    if (best === null) return present
    const isLower = best.number < present.number
    this.lower = isLower && !this.recent.has(best.hash) ? this.lower + 1 : 0
    // Of two blocks at one height the present one stays, unless no node shows it any more.
    const isRival =
      best.number === present.number && !shown.some(({ hash }) => hash === present.hash)
    const isNew = best.number > present.number || isRival || this.lower >= POLLS_TO_GO_BACK
    return isNew ? this.take(best) : present
  }

  /**
   * The highest of these that may lead; null while that is the present. One far above all others waits until the
   * present one has not moved for so many polls.
   */
  private bestOf(shown: readonly H[]): H | null {
    const [highest, ...others] = shown.toSorted((a, b) => Number(b.number - a.number))
    if (highest === undefined) return null
    if (!this.isFar(highest, others)) {
      this.jumps = 0
      return highest
    }
    const next = others.length === 0 ? null : this.nearestOf(others)
    const isMoving = next !== null && (this.present === null || next.number > this.present.number)
    this.jumps = isMoving ? 0 : this.jumps + 1
    const isBelieved = this.jumps >= (others.length === 0 ? POLLS_TO_JUMP : POLLS_PAST_OTHERS)
    return isBelieved ? highest : next
  }

  private nearestOf(shown: readonly H[]): H | null {
    const [highest, ...others] = shown
    if (highest === undefined) return null
    return this.isFar(highest, others) ? this.nearestOf(others) : highest
  }

  /** True for a block far above the present and these, whose parent was no head. */
  private isFar({ number, parentHash }: H, others: readonly H[]): boolean {
    if (parentHash !== undefined && this.recent.has(parentHash)) return false
    const known = [...others, ...(this.present === null ? [] : [this.present])]
    return known.length > 0 && known.every((one) => number - one.number > FAR_BLOCKS)
  }

  private take(head: H): H {
    this.jumps = 0
    this.present = head
    this.lower = 0
    this.recent.delete(head.hash)
    this.recent.set(head.hash, head)
    const [oldest] = this.recent.keys()
    if (this.recent.size > HEADS_KEPT && oldest !== undefined) this.recent.delete(oldest)
    return head
  }
}
