/**
 * How deep a block lies. A block is its own first confirmation, and each block on top of it is one more. Both
 * functions throw a RangeError for fewer than one confirmation.
 */

/** The newest block that has so many confirmations at this head; negative when none has. */
export function newestConfirmed(head: bigint, confirmations: number): bigint {
  if (confirmations < 1) throw new RangeError(`not a number of confirmations: ${confirmations}`)
  return head - BigInt(confirmations) + 1n
}

/** Whether a block has so many confirmations at this head. A block above the head has none. */
export function hasConfirmations(block: bigint, head: bigint, confirmations: number): boolean {
  return block <= newestConfirmed(head, confirmations)
}

/** The newest block that is deeper than a reorganisation is expected to reach; negative when none is. */
export function newestFinal(head: bigint, finalityDepth: number): bigint {
  return newestConfirmed(head, finalityDepth + 1)
}

/** Whether a block is deeper than a reorganisation is expected to reach. */
export function isFinal(block: bigint, head: bigint, finalityDepth: number): boolean {
  return block <= newestFinal(head, finalityDepth)
}
