import { describe, expect, test } from 'bun:test'
import { createPublicClient, custom, type PublicClient } from 'viem'
import { queryNewest } from '../../../chain/blocks/newest.ts'
import { isUnknownBlock } from '../../../chain/rpc/faults.ts'
import { Heights, shareHeights } from '../../../chain/rpc/heights.ts'
import type { Hex } from '../../../core/chain/evm.ts'

/** No answer from a view that is behind counts, and no view alone can say that all others are. */

const MINUTE_MS = 60_000
const [ONE, TWO, THREE] = [{ url: 1 }, { url: 2 }, { url: 3 }]

function heights(isSole = false) {
  let now = 0
  const tracked = new Heights(isSole, () => now)
  return { tracked, pass: (ms: number) => (now += ms) }
}

function link(number: number, branch = 'a') {
  const hash = (n: number): Hex => `0x${branch}${n}`
  return { hash: hash(number), parentHash: hash(number - 1) }
}

describe('the height that counts', () => {
  test('is what a view has shown, for an answer close below it', () => {
    const { tracked } = heights()
    expect(tracked.isBehind(100n)).toBe(false)
    tracked.note(ONE, 104n)
    expect(tracked.isBehind(100n)).toBe(true)
    expect(tracked.isBehind(104n)).toBe(false)
  })

  test('is not a far one that a single view names', () => {
    const { tracked } = heights()
    tracked.note(ONE, 1_000_000n)
    for (const height of [100n, 101n]) tracked.note(TWO, height)
    expect(tracked.isBehind(101n)).toBe(false)
    expect(tracked.isAhead(ONE)).toBe(true)
    expect(tracked.isAhead(TWO)).toBe(false)
    // However often it is named.
    for (let n = 1n; n < 10n; n += 1n) tracked.note(ONE, 1_000_000n + n)
    expect(tracked.isBehind(101n)).toBe(false)
  })

  test('is a far one that a second view has reached', () => {
    const { tracked } = heights()
    tracked.note(TWO, 100n)
    tracked.note(ONE, 1_000n)
    expect(tracked.isBehind(100n)).toBe(false)
    tracked.note(THREE, 999n)
    expect(tracked.isBehind(998n)).toBe(true)
    expect(tracked.isBehind(100n)).toBe(true)
    expect(tracked.isAhead(ONE)).toBe(false)
  })

  test('is one whose header is linked to a confirmed one, and no other’s', () => {
    const { tracked } = heights()
    tracked.note(ONE, 100n, link(100))
    tracked.note(TWO, 100n, link(100))
    for (let n = 101; n <= 300; n += 1) tracked.note(ONE, BigInt(n), link(n))
    expect(tracked.isBehind(200n)).toBe(true)
    for (let n = 900; n <= 905; n += 1) tracked.note(THREE, BigInt(n), link(n, 'b'))
    expect(tracked.isBehind(300n)).toBe(false)
  })

  test('of a chain with one view is what it has shown twice', () => {
    const { tracked } = heights(true)
    tracked.note(ONE, 1_000_000n)
    expect(tracked.isBehind(100n)).toBe(false)
    for (const height of [200n, 201n]) tracked.note(ONE, height)
    expect(tracked.isBehind(199n)).toBe(true)
    expect(tracked.isBehind(201n)).toBe(false)
    expect(tracked.isBehind(100n)).toBe(true)
  })

  test('is forgotten after ten minutes in which nothing confirms it', () => {
    const { tracked, pass } = heights()
    tracked.note(ONE, 110n)
    for (let minute = 0; minute < 9; minute += 1) {
      pass(MINUTE_MS)
      tracked.note(ONE, 110n)
      expect(tracked.isBehind(100n)).toBe(true)
    }
    pass(2 * MINUTE_MS)
    expect(tracked.isBehind(100n)).toBe(false)
  })

  test('is not lowered by a view that is behind itself', () => {
    const { tracked } = heights(true)
    for (const height of [104n, 104n, 100n]) tracked.note(ONE, height)
    expect(tracked.isBehind(100n)).toBe(true)
  })
})

describe('the newest state', () => {
  function newClient(): PublicClient {
    const client = createPublicClient({ transport: custom({ request: () => Promise.reject() }) })
    shareHeights(client, new Heights(true))
    return client
  }

  test('of a node that stays behind what it had shown is unknown', async () => {
    const client = newClient()
    const ask = (block: bigint) =>
      queryNewest(
        client,
        () => Promise.resolve(block),
        (one) => one,
      )
    expect(await ask(104n)).toBe(104n)
    const late = await ask(100n).catch((error: unknown) => error)
    expect(isUnknownBlock(late)).toBe(true)
    expect(await ask(104n)).toBe(104n)
  })

  test('is asked for again until a node answers that is not behind', async () => {
    const client = newClient()
    const heightsShown = [104n, 100n, 101n, 105n]
    let asked = 0
    const ask = () => Promise.resolve(heightsShown[asked++] ?? 0n)
    await queryNewest(client, ask, (one) => one)
    expect(await queryNewest(client, ask, (one) => one)).toBe(105n)
    expect(asked).toBe(4)
  })
})
