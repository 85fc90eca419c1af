import { Histogram, type Registry } from 'prom-client'

/** One call to a store of keys outside of the process. */
export interface StoreCall {
  /** Where the key is, e.g. `awskms`. */
  readonly store: string
  /** `signed`; `absent` when it was away, too slow or busy; `refused`. */
  readonly outcome: string
  readonly seconds: number
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counts signatures that stores of keys have made, with all tries and pauses, and how long they took. */
export function observeSignings(registry: Registry): (call: StoreCall) => void {
  const signings = new Histogram({
    name: 'remit_signer_seconds',
    help: 'Signatures requested from external key stores, by duration.',
    labelNames: ['store', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return ({ store, outcome, seconds }) => signings.observe({ store, outcome }, seconds)
}
