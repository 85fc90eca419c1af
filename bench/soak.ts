import { type Fleet, KINDS, QUOTA_CORES, startFleet } from './fleet/fleet.ts'
import { type Loads, openLoads } from './fleet/loads.ts'
import type { Step } from './fleet/offer.ts'
import { findLimit, observe } from './fleet/ramp.ts'
import { openPayments, type Payments } from './fleet/visible.ts'
import { ms, percentile, type Report } from './report.ts'
import { type Sample, takeSample } from './soak/samples.ts'
import { assess, SETTLING, type Verdict } from './soak/verdict.ts'
import { addEndpoint, startReceivers } from './webhooks.ts'

/** Whether a fleet is stable under a steady load: memory, connections, files, tables. */

const MINUTES = 60
const QUICK_MINUTES = 4
/** Invoices for each payment. */
const CREATIONS = 2
const SHARE_OF_LIMIT = 0.5
const WARM_UP_SECONDS = 20
const STEP_SECONDS = 24
const FIRST_LOAD = 20
const MOST_MS = 1_000
/**
 * As on Ethereum. The chain's node keeps a copy of all slots with each block under any settings, so that
 * an hour of shorter blocks takes more memory than there is.
 */
const BLOCK_MS = 12_000
/** In one block, once a minute. */
const PAID_INVOICES = 5
/** A minute that took longer than this stood still: the machine was asleep, or this process stopped. */
const PAUSED_FROM_S = 75

export interface SoakSelection {
  readonly minutes: number
  /** Payments a second of which half are offered; null to measure how many are carried. */
  readonly limit: number | null
}

export interface SoakFlags {
  readonly quick: boolean
  readonly minutes?: string | undefined
  readonly limit?: string | undefined
}

/** @throws TypeError when a flag has an invalid value. */
export function parseSoak({ quick, minutes, limit }: SoakFlags): SoakSelection {
  const usual = quick ? QUICK_MINUTES : MINUTES
  return {
    minutes: minutes === undefined ? usual : positive('minutes', minutes),
    limit: limit === undefined ? null : positive('limit', limit),
  }
}

function positive(flag: string, word: string): number {
  const number = Number(word)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new TypeError(`--${flag} takes a number, not ${word}`)
}

interface Soaked {
  readonly limit: number
  /** The number of received webhooks. */
  readonly webhooks: number
  readonly samples: readonly Sample[]
  readonly steps: readonly Step[]
  /** From block to visible, in ms. */
  readonly visible: readonly number[]
  /** The minutes in which a payment was not shown in time, or not requested with success. */
  readonly unshown: readonly number[]
  /** When minutes took longer than they should: which, and how long they took in seconds. */
  readonly pauses: readonly string[]
}

/** `bun run bench soak`: ends with an error when something grows that must not. */
export async function measureSoak(report: Report, selection: SoakSelection): Promise<void> {
  const soaked = await soak(selection)
  const verdicts = assess(soaked.samples)
  report.table('A soak', noteOf(soaked), [
    ['', 'by the line: first', 'last', 'bound', 'flat'],
    ...verdicts.map(rowOf),
  ])
  const growing = verdicts.filter(({ isFlat }) => !isFlat).map(({ what }) => what)
  if (growing.length > 0) throw new Error(`not flat: ${growing.join(', ')}`)
}

async function soak({ minutes, limit: given }: SoakSelection): Promise<Soaked> {
  const fleet = await startFleet({ blockMs: BLOCK_MS, keysPerWorker: 2 })
  try {
    await fleet.become({ notifier: 1, indexer: 1 })
    const loads = await openLoads(fleet)
    const receivers = startReceivers()
    await addEndpoint(fleet.database, fleet.merchant.id, `${receivers.url}/0`, 0)
    const payments = openPayments(fleet)
    await offerMix(loads, FIRST_LOAD, { seconds: WARM_UP_SECONDS, blockMs: BLOCK_MS })
    await payments.pay(PAID_INVOICES)
    fleet.hold(KINDS)
    const limit = given ?? (await limitOf(fleet, loads))
    await fleet.rest()
    const soaked = await soakFor(fleet, loads, payments, {
      minutes,
      settles: limit * SHARE_OF_LIMIT,
    })
    payments.stop()
    await receivers.stop()
    return { limit, webhooks: receivers.arrivals.length, ...soaked }
  } finally {
    await fleet.stop()
  }
}

/** How many payments a second they settle at most, with the invoices beside them. */
async function limitOf(fleet: Fleet, loads: Loads): Promise<number> {
  const { perSecond } = await findLimit({ first: FIRST_LOAD, mostMs: MOST_MS }, (load) =>
    observe(fleet, KINDS, () =>
      offerMix(loads, load, { seconds: STEP_SECONDS, blockMs: BLOCK_MS }),
    ),
  )
  return perSecond
}

async function soakFor(
  fleet: Fleet,
  loads: Loads,
  payments: Payments,
  { minutes, settles }: { readonly minutes: number; readonly settles: number },
): Promise<Omit<Soaked, 'limit' | 'webhooks'>> {
  const samples = [await takeSample(fleet, 0)]
  const steps: Promise<Step>[] = []
  const visible: number[] = []
  const pauses: string[] = []
  const unshown: number[] = []
  const start = performance.now()
  for (let minute = 1; minute <= minutes; minute += 1) {
    const began = performance.now()
    steps.push(offerMix(loads, settles, { seconds: 60, blockMs: BLOCK_MS }))
    await Bun.sleep(30_000)
    const shown = await payments.pay(PAID_INVOICES).catch((error: unknown) => {
      console.log(`minute ${minute}: ${String(error)}`)
      unshown.push(minute)
      return []
    })
    visible.push(...shown)
    await Bun.sleep(Math.max(0, began + 60_000 - performance.now()))
    const took = (performance.now() - began) / 1000
    if (took > PAUSED_FROM_S) pauses.push(`minute ${minute} took ${took.toFixed(0)} s`)
    const sample = await takeSample(fleet, (performance.now() - start) / 60_000)
    samples.push(sample)
    console.log(describe(sample))
  }
  return { samples, steps: await Promise.all(steps), visible, unshown, pauses }
}

/** One line of progress. */
function describe({ minutes, processes, chainMemory, connections, tables }: Sample): string {
  const memory = processes.map(({ name, memory, files }) => {
    return `${name} ${(memory / 2 ** 20).toFixed(0)} MB ${files} files`
  })
  const bytes = [...tables.values()].reduce((sum, table) => sum + table.bytes, 0)
  const dead = [...tables.values()].reduce((sum, table) => sum + table.dead, 0)
  const stored = `tables ${(bytes / 2 ** 20).toFixed(0)} MB, ${dead} dead`
  return `${minutes.toFixed(1)} min: ${memory.join(', ')}, chain ${(chainMemory / 2 ** 20).toFixed(0)} MB, ${connections} connections, ${stored}`
}

function noteOf({ limit, webhooks, samples, steps, visible, unshown, pauses }: Soaked): string {
  const latencies = steps.flatMap(({ latenciesMs }) => latenciesMs)
  const failures = steps.reduce((sum, step) => sum + failuresOf(step), 0)
  const settles = limit * SHARE_OF_LIMIT
  const minutes = samples.at(-1)?.minutes ?? 0
  const nodeMemory = Math.max(...samples.map(({ chainMemory }) => chainMemory))
  const paused = pauses.length === 0 ? 'Nothing paused' : `Paused: ${pauses.join(', ')}`
  const missed = unshown.length === 0 ? '' : ` (not shown in time in minutes ${unshown.join(', ')})`
  return `One process of each kind, each held to ${QUOTA_CORES} of a processor, for ${minutes.toFixed(0)} minutes at half of what they carry together: ${settles.toFixed(0)} x402 payments and ${(CREATIONS * settles).toFixed(0)} new invoices a second; ${PAID_INVOICES} more a minute are paid, and each event goes to one endpoint. ${webhooks.toLocaleString('en')} webhooks arrived. ${latencies.length.toLocaleString('en')} answers, ${failures} failures; p50 ${ms(percentile(latencies, 0.5))}, p99 ${ms(percentile(latencies, 0.99))} (without a payment's wait for its block of ${BLOCK_MS} ms); from block to visible p50 ${ms(percentile(visible, 0.5))}, p99 ${ms(percentile(visible, 0.99))}${missed}. Postgres does not wait for the disk; the chain's node took ${(nodeMemory / 2 ** 30).toFixed(1)} GB at most. ${paused}. One sample a minute; a line is fitted to those after the first ${SETTLING * 100} % of the time.`
}

function failuresOf({ failures }: Step): number {
  return [...failures.values()].reduce((sum, count) => sum + count, 0)
}

function rowOf({ what, unit, first, last, bound, isFlat }: Verdict): string[] {
  const shown = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`.trim()
  return [what, shown(first), shown(last), bound, isFlat ? 'yes' : '**no**']
}

/** Offers so many payments a second, and invoices beside them. A payment's wait for its block is not counted. */
async function offerMix(
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
