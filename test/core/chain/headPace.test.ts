import { expect, test } from 'bun:test'
import { HeadPace, silentAfterMs } from '../../../core/chain/headPace.ts'

/** Looks at blocks that come at these times, in ms; how many looks there were, and how late they saw each. */
function follow(blocks: readonly number[], usualMs: number) {
  const pace = new HeadPace(usualMs)
  const until = blocks.at(-1) ?? 0
  const lateness: number[] = []
  let looks = 0
  let seen = 0
  for (let now = blocks[0] ?? 0; now < until; ) {
    looks += 1
    const newest = blocks.findLastIndex((at) => at <= now)
    const found = newest > seen
    if (found) {
      lateness.push(now - (blocks[newest] ?? now))
      pace.see(BigInt(newest), now)
    }
    seen = Math.max(seen, newest)
    now += pace.after(found)
  }
  const average = lateness.reduce((sum, ms) => sum + ms, 0) / lateness.length
  return { looksPerBlock: looks / blocks.length, average }
}

test('blocks in a rhythm take little more than one look each, an eighth of a block late', () => {
  const blocks = Array.from({ length: 500 }, (_, i) => i * 2_000)
  const { looksPerBlock, average } = follow(blocks, 2_000)
  expect(looksPerBlock).toBeLessThan(1.35)
  expect(average).toBeLessThan(300)
})

test('blocks that come early or late take fewer than two looks each', () => {
  const blocks = Array.from({ length: 500 }, (_, i) => i * 2_000 + ((i * 7_919) % 800))
  const { looksPerBlock, average } = follow(blocks, 2_000)
  expect(looksPerBlock).toBeLessThan(2)
  expect(average).toBeLessThan(600)
})

const everyMs = (ms: number) => Array.from({ length: 60_000 / ms }, (_, i) => i * ms)

test.each([
  [1_000, 1_000],
  [1_000, 2_000],
  [2_000, 2_000],
  [2_000, 12_000],
])(
  'blocks of %p ms take at most 1.25 looks each from the first minute on, where %p are usual',
  (ms, usualMs) => {
    const { looksPerBlock, average } = follow(everyMs(ms), usualMs)
    console.log(
      `${looksPerBlock.toFixed(2)} looks per block of ${ms} ms, where ${usualMs} are usual`,
    )
    expect(looksPerBlock).toBeLessThanOrEqual(1.25)
    expect(average).toBeLessThan(ms / 2)
  },
)

test('a chain that has become fast and then stands still is looked at ever less', () => {
  const pace = new HeadPace(2_000)
  for (let i = 0; i < 50; i += 1) pace.see(BigInt(i), 200 * i)
  expect(pace.blockTimeMs).toBeCloseTo(200, -1)
  const pauses = Array.from({ length: 20 }, () => pace.after(false))
  expect(pauses.at(-1)).toBe(2_000)
})

test('a chain that stands still is looked at once per block', () => {
  const pace = new HeadPace(12_000)
  const pauses = Array.from({ length: 7 }, () => pace.after(false))
  expect(pauses).toEqual([3_000, 3_000, 6_000, 6_000, 12_000, 12_000, 12_000])
})

test('an announced head is silence a second after the next block was due, and after two seconds at least', () => {
  expect(silentAfterMs(250)).toBe(2_000)
  expect(silentAfterMs(2_000)).toBe(3_000)
  expect(silentAfterMs(12_000)).toBe(13_000)
})
