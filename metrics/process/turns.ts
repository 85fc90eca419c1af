import { Histogram, type Registry } from 'prom-client'

/** One turn of an actor's loop. */
export interface Turn {
  readonly loop: 'ledger' | 'relayer' | 'notifier' | 'screening'
  /** The networkId; empty for those who work for all chains. */
  readonly chain: string
  readonly isFailed: boolean
  readonly seconds: number
}

export type ObserveTurn = (turn: Turn) => void

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Counts turns, how long they took and how many failed. */
export function observeTurns(registry: Registry): ObserveTurn {
  const turns = new Histogram({
    name: 'remit_turn_seconds',
    help: 'Turns of an actor, by how long they took.',
    labelNames: ['loop', 'chain', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return ({ loop, chain, isFailed, seconds }) => {
    turns.observe({ loop, chain, outcome: isFailed ? 'failed' : 'done' }, seconds)
  }
}
