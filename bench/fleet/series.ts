import { type Deliveries, MERCHANTS } from './deliveries.ts'
import { BLOCK_MS, type Kind } from './fleet.ts'
import type { Loads, Prepared } from './loads.ts'

/** What is measured of a fleet: which kind of process grows, under which rising load. */

export const SERIES = ['creations', 'settles', 'workers', 'deliveries'] as const
export type SeriesName = (typeof SERIES)[number]
/** Those under a rising load; workers drain what waits. */
export type RisingName = Exclude<SeriesName, 'workers'>

/** A second that is ours. */
const MOST_MS = 1_000

export interface Series {
  readonly title: string
  readonly note: string
  /** What is counted, in the table's words. */
  readonly unit: string
  /** Whose number grows, and who alone is held. */
  readonly kind: Kind
  /** How many of the other kinds there are; they have what processor time there is. */
  readonly others: Readonly<Partial<Record<Kind, number>>>
  /** Longer than this, 99 of 100, is too long, in ms. */
  readonly mostMs: number
  /** Whether invoices are paid meanwhile, at half of the limit, to see how long they take to be visible. */
  readonly isVisible: boolean
  /** How long nothing is offered after processes were added, in ms. */
  readonly restMs: number
  /** The first load that is offered for each process, a second. */
  readonly first: number
  prepare(perSecond: number, seconds: number): Promise<Prepared>
}

export function seriesOf(name: RisingName, loads: Loads, deliveries: Deliveries): Series {
  switch (name) {
    case 'creations':
      return {
        title: 'A fleet: invoices by API processes',
        note: 'Invoices are created, each with a watched address and an event.',
        unit: 'creations/s',
        kind: 'api',
        isVisible: false,
        others: { worker: 1, notifier: 0 },
        first: 400,
        restMs: 0,
        mostMs: MOST_MS,
        prepare: async (perSecond, seconds) => () => loads.create(perSecond, seconds),
      }
    case 'settles':
      return {
        title: 'A fleet: x402 payments by API processes',
        note: 'Payments are settled, each answered once it is mined, which takes up to a block more; two workers and the indexer are not held. "Visible" is the time from the block of an invoice\'s payment to an answer that shows it (p50), beside half of the limit.',
        unit: 'settles/s',
        kind: 'api',
        isVisible: true,
        others: { worker: 2, notifier: 0, indexer: 1 },
        first: 80,
        restMs: 0,
        mostMs: MOST_MS + BLOCK_MS,
        prepare: loads.prepareSettle,
      }
    case 'deliveries':
      return {
        title: 'A fleet: webhooks by notifiers',
        note: `Each event goes to the 20 endpoints of one of ${MERCHANTS} merchants, in turn; they answer at once, and to each five go at a time, over all notifiers. A notifier keeps what it has leased as long as it sends to it, and has room for 192 endpoints at a time: with fewer of them one process sends everything, and others stand by. Latencies are from the commit of the event to the arrival of the webhook.`,
        unit: 'deliveries/s',
        kind: 'notifier',
        isVisible: false,
        others: { api: 1, worker: 1 },
        first: 300,
        // Until all leases have ended: endpoints stay with the process that sends to them.
        restMs: 6_000,
        mostMs: MOST_MS,
        prepare: deliveries.prepare,
      }
  }
}

/** @throws TypeError when a series is not known. */
export function parseSeries(only: string | undefined): readonly SeriesName[] {
  if (only === undefined) return SERIES
  return only.split(',').map((word) => {
    const known = SERIES.find((name) => name === word.trim())
    if (known === undefined) throw new TypeError(`--only takes ${SERIES.join(', ')}, not ${word}`)
    return known
  })
}
