import type { Hex } from '../../core/chain/evm.ts'

/** So many are kept, which is more than one turn reads. */
const KEPT = 1_000

/** Blocks that a node has shown empty although their headers leave room for logs. The second time counts. */
export class SeenEmpty {
  private readonly hashes = new Set<Hex>()

  /** Whether this block was seen empty before, and is so no more a matter of one view. It is noted. */
  again(hash: Hex): boolean {
    if (this.hashes.delete(hash)) return true
    this.hashes.add(hash)
    const [oldest] = this.hashes
    if (this.hashes.size > KEPT && oldest !== undefined) this.hashes.delete(oldest)
    return false
  }
}
