/** A head as far as choosing needs to know it. */
export interface HeadRef {
  readonly number: bigint
  readonly hash: string
}

/** So many looks in a row at lower heads of another chain, and the chain has gone back. */
const LOOKS_TO_GO_BACK = 3
const HEADS_KEPT = 256

/**
 * The head of a chain as its nodes show it, look by look. The highest of them wins. A lower one than the
 * present is that of a node that lags behind and no reorganisation: it is passed over when it was the head
 * before, and believed only when look after look shows a chain that ends lower.
 */
export class HeadChoice<H extends HeadRef> {
  private readonly recent = new Map<string, H>()
  private present: H | null = null
  private lower = 0

  get head(): H | null {
    return this.present
  }

  /** A head that was taken lately, by its hash. */
  find(hash: string): H | null {
    return this.recent.get(hash) ?? null
  }

  /**
   * Takes a higher head that one node announces by itself. Null for every other: whether the chain has gone
   * back is for a look at all nodes to say.
   */
  hear(head: H): H | null {
    return this.present !== null && head.number <= this.present.number ? null : this.take(head)
  }

  /** Takes what the nodes show at one look, at least one head. Returns the head of the chain. */
  look(shown: readonly [H, ...H[]]): H {
    const best = shown.reduce((a, b) => (b.number > a.number ? b : a))
    const { present } = this
    if (present === null) return this.take(best)
    const isLower = best.number < present.number
    this.lower = isLower && !this.recent.has(best.hash) ? this.lower + 1 : 0
    // Of two blocks at one height the present one stays, unless no node shows it any more.
    const isRival =
      best.number === present.number && !shown.some(({ hash }) => hash === present.hash)
    const isNew = best.number > present.number || isRival || this.lower >= LOOKS_TO_GO_BACK
    return isNew ? this.take(best) : present
  }

  private take(head: H): H {
    this.present = head
    this.lower = 0
    this.recent.delete(head.hash)
    this.recent.set(head.hash, head)
    const [oldest] = this.recent.keys()
    if (this.recent.size > HEADS_KEPT && oldest !== undefined) this.recent.delete(oldest)
    return head
  }
}
