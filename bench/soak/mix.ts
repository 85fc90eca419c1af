import type { Loads } from '../fleet/loads.ts'
import type { Step } from '../fleet/offer.ts'

/** Both loads at once, as a fleet has them: invoices are created while payments are settled. */

/** Invoices for each payment. */
export const CREATIONS = 2

/** Offers so many payments a second, and invoices beside them. A payment's wait for its block is not counted. */
export async function offerMix(
  loads: Loads,
  settles: number,
  { seconds, blockMs }: { readonly seconds: number; readonly blockMs: number },
): Promise<Step> {
  const [created, settled] = await Promise.all([
    loads.create(CREATIONS * settles, seconds),
    loads.settle(settles, seconds),
  ])
  const own = settled.latenciesMs.map((latency) => Math.max(0, latency - blockMs))
  const failures = new Map(created.failures)
  for (const [reason, count] of settled.failures) {
    failures.set(reason, (failures.get(reason) ?? 0) + count)
  }
  return { perSecond: settles, latenciesMs: [...created.latenciesMs, ...own], failures }
}
