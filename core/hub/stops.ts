/** What guardian or owner of a hub can stop, each by a bit of its own. See contracts/. */

export const HUB_PARTS = ['sweeps', 'distributions', 'refunds', 'registry'] as const
export type HubPart = (typeof HUB_PARTS)[number]

/** `refunds` stops rescues, too; `registry` the entries of merchants. Settling is never stopped. */
export const STOP_BITS: Readonly<Record<HubPart, number>> = {
  sweeps: 1,
  distributions: 2,
  refunds: 4,
  registry: 8,
}

/** Whether a part of the hub is stopped, by the hub's bits. */
export function isStopped(stops: number, part: HubPart): boolean {
  return (stops & STOP_BITS[part]) !== 0
}

/** The parts that these bits stop. Bits without a meaning stop nothing. */
export function stoppedParts(stops: number): HubPart[] {
  return HUB_PARTS.filter((part) => isStopped(stops, part))
}

/** The bits that stop these parts. */
export function stopBits(parts: readonly HubPart[]): number {
  return parts.reduce((bits, part) => bits | STOP_BITS[part], 0)
}

/**
 * Why a hub does not take an item that is in order: its part is stopped, a change of the merchant's entry
 * waits for its time, or the refund is above what may be refunded now.
 */
export const HUB_WAITS = ['stopped', 'merchant_change', 'refund_limit'] as const
export type HubWait = (typeof HUB_WAITS)[number]
