import { expect, test } from 'bun:test'
import { HeadPace, silentAfterMs } from '../../../core/chain/headPace.ts'

/** Looks at blocks that come at these times, in ms; how many looks there were, and how late they saw each. */
function follow(blocks: readonly number[], blockTimeMs: number) {
  const pace = new HeadPace(blockTimeMs)
  const until = blocks.at(-1) ?? 0
  const lateness: number[] = []
  let looks = 0
  let seen = 0
  for (let now = blocks[0] ?? 0; now < until; ) {
    looks += 1
    const newest = blocks.findLastIndex((at) => at <= now)
    const found = newest > seen
    if (found) lateness.push(now - (blocks[newest] ?? now))
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
