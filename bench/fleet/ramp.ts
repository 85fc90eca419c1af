import { percentile } from '../report.ts'
import type { Fleet, Kind } from './fleet.ts'
import type { Step } from './offer.ts'

/** The capacity of a fleet: load is increased until responses are too slow. */

const GROWTH = 1.5
/** Between what was carried and what was not the load is tried this often. */
const HALVINGS = 3
/** By how much less than what is offered first is tried before nothing counts as carried. */
const LEAST = 20
/** A busy machine makes single steps fail: only two in a row count. */
const TRIES = 2

export interface Limit {
  /** The most that was carried, a second. */
  readonly perSecond: number
  /** In ms, at that load. */
  readonly p50: number
  readonly p99: number
  /** Why the next higher load was too much. */
  readonly reason: string
  /** What was measured beside it while this was carried. */
  readonly used: Used
}

export interface Observed extends Step {
  readonly used: Used
}

/** Processors' time a second. */
export interface Used {
  readonly database: number
  /** Of all processes that are held. */
  readonly held: number
}

/** Runs a load, and measures the CPU time of Postgres and of processes of these kinds. */
export async function observe(
  fleet: Fleet,
  kinds: readonly Kind[],
  load: () => Promise<Step>,
): Promise<Observed> {
  const computed = () => ({ database: fleet.databaseComputed(), held: fleet.computed(kinds) })
  const before = computed()
  const began = performance.now()
  const step = await load()
  const seconds = (performance.now() - began) / 1000
  const after = computed()
  const database = (after.database - before.database) / seconds
  return { ...step, used: { database, held: (after.held - before.held) / seconds } }
}

/**
 * Increases the load until p99 exceeds `mostMs`, then tries loads in between.
 * @throws Error if even the smallest load is too much.
 */
export async function findLimit(
  { first, mostMs }: { readonly first: number; readonly mostMs: number },
  offer: (perSecond: number) => Promise<Observed>,
): Promise<Limit> {
  let carried: Observed | null = null
  let below = 0
  let above = Number.POSITIVE_INFINITY
  let reason = ''
  const attempt = async (perSecond: number) => {
    for (let i = 0; i < TRIES; i += 1) {
      const step = await offer(perSecond)
      const problem = overload(step, mostMs)
      console.log(`  ${describe(step)}${problem === '' ? '' : ` (${problem})`}`)
      if (problem === '') {
        carried = step
        below = perSecond
        return
      }
      reason = problem
    }
    above = perSecond
  }
  for (let load = first; above === Number.POSITIVE_INFINITY; load *= GROWTH) await attempt(load)
  for (let load = first / 2; below === 0 && load > first / LEAST; load /= 2) await attempt(load)
  for (let i = 0; i < HALVINGS && below > 0; i += 1) await attempt((below + above) / 2)
  return limitOf(carried, reason)
}

function limitOf(carried: Observed | null, reason: string): Limit {
  if (carried === null) throw new Error(`the smallest load was too much: ${reason}`)
  const { perSecond, latenciesMs, used } = carried
  const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
  return { perSecond, p50, p99, reason, used }
}

/** Why this load was too much; empty if it was not. */
function overload({ latenciesMs, failures }: Step, mostMs: number): string {
  const [failure] = failures
  if (failure !== undefined) return `${failure[1]} failed: ${failure[0]}`
  const p99 = percentile(latenciesMs, 0.99)
  return p99 <= mostMs ? '' : `p99 ${p99.toFixed(0)} ms`
}

function describe({ perSecond, latenciesMs, used }: Observed): string {
  const p50 = percentile(latenciesMs, 0.5)
  const cores = `held ${used.held.toFixed(2)}, database ${used.database.toFixed(2)} cores`
  return `${perSecond.toFixed(0)}/s offered: p50 ${p50.toFixed(0)} ms, ${cores}`
}

/**
 * How much is carried by a second of their processors' time, as a share of what the first one carries by
 * it: what would be left of an added process's share if each got its whole quota.
 */
export function shareByTime(
  first: { readonly perSecond: number; readonly held: number },
  now: { readonly perSecond: number; readonly held: number },
): number {
  return now.perSecond / now.held / (first.perSecond / first.held)
}

/** What each process beside `before` others brought, as a share of what the first one carries. */
export function shareOf(
  first: number,
  before: { readonly processes: number; readonly perSecond: number },
  now: { readonly processes: number; readonly perSecond: number },
): number {
  return (now.perSecond - before.perSecond) / (now.processes - before.processes) / first
}
