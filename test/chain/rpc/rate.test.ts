import { expect, test } from 'bun:test'
import { CallRate } from '../../../chain/rpc/rate.ts'
import { CallWindow, chanceFrom } from '../../support/servers/provider.ts'

/**
 * Several processes behind one limit, each of which sees its own calls alone. Time is made up here, so
 * that minutes take milliseconds and every run is the same.
 */

const TICK_MS = 10
const MINUTES = 2
/** What the provider takes within a second, of all processes together. */
const LIMIT = 50

interface Process {
  /** How many calls it comes to need at this time, in ms. */
  needs(now: number): number
  readonly rate: CallRate
  /** When the calls that wait came up. */
  readonly waiting: number[]
  readonly waits: number[]
}

function openProcess(needs: (now: number) => number): Process {
  return { needs, rate: new CallRate(Number.POSITIVE_INFINITY), waiting: [], waits: [] }
}

/** So many calls in each period, spread as chance has it but the same in every run. */
function scattered(calls: number, periodMs: number, seed: number): (now: number) => number {
  const chance = chanceFrom(seed)
  return () => (chance() < (calls * TICK_MS) / periodMs ? 1 : 0)
}

function every(periodMs: number, calls: number, from = 0): (now: number) => number {
  return (now) => (now >= from && (now - from) % periodMs === 0 ? calls : 0)
}

/** Lets the processes send to a provider that refuses what is too much as a whole, for a second. */
function run(processes: readonly Process[]): void {
  const provider = new CallWindow(LIMIT)
  for (let now = 0; now < MINUTES * 60_000; now += TICK_MS) {
    for (const { needs, rate, waiting, waits } of processes) {
      waiting.push(...Array.from({ length: needs(now) }, () => now))
      const most = Math.floor(Math.min(rate.allowance('turn', now), waiting.length))
      if (most < 1) continue
      rate.take(most, now)
      if (provider.takes(most, now)) {
        waits.push(...waiting.splice(0, most).map((since) => now - since))
      } else rate.refused(1_000, now)
    }
  }
}

const SEEDS = [1, 2, 3, 4, 5, 6]

test.each(SEEDS)(
  'the party that was refused beside a busy process comes back soon (%i)',
  (seed) => {
    const busyUntil = 30_000
    const heavy = openProcess((now) => every(500, now < busyUntil ? 50 : 10)(now))
    const light = openProcess(scattered(10, 1_000, seed))
    const other = openProcess(every(1_000, 5, 500))
    run([heavy, light, other])
    for (const { waits, waiting } of [light, other]) {
      expect(Math.max(...waits)).toBeLessThan(10_000)
      expect(waiting.length).toBeLessThan(20)
    }
    // Nor is what the provider takes left unused for that.
    expect(heavy.waits.length).toBeGreaterThan(2_400)
  },
)

test.each(SEEDS)('a limit that suffices for all of them holds up none (%i)', (seed) => {
  const steady = openProcess(every(100, 3))
  const light = openProcess(scattered(10, 1_000, seed))
  const other = openProcess(every(500, 2))
  run([steady, light, other])
  for (const { waits } of [steady, light, other]) {
    expect(Math.max(...waits)).toBeLessThan(5_000)
  }
})

test('a provider that takes few calls gets few', () => {
  const rate = new CallRate(Number.POSITIVE_INFINITY)
  const provider = new CallWindow(5)
  let [taken, refused] = [0, 0]
  for (let now = 0; now < 60_000; now += TICK_MS) {
    const most = Math.floor(Math.min(rate.allowance('turn', now), 10))
    if (most < 1) continue
    rate.take(most, now)
    if (provider.takes(most, now)) taken += most
    else {
      refused += 1
      rate.refused(null, now)
    }
  }
  // Of 300; and what is refused is a try now and then, not a habit.
  expect(taken).toBeGreaterThan(200)
  expect(refused).toBeLessThan(60)
})
