import { describe, expect, test } from 'bun:test'
import { DatabaseUnavailable } from '../../../store/database/availability.ts'
import { type GatherOptions, gather } from '../../../store/database/gather.ts'

/** Work that ends when the test says so; the batches it was given, and how many are under way. */
function held(options: Partial<GatherOptions<number, number>> = {}) {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const ask = gather<number, number>({
    async work(items) {
      batches.push(items)
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((item) => item * 10)
    },
    isItemError: () => false,
    lanes: 1,
    ...options,
  })
  const end = async () => {
    ends.shift()?.()
    await turn()
  }
  return { ask, batches, end }
}

/** Meanwhile what was asked goes to its statement. */
const turn = () => Bun.sleep(1)

describe('requests', () => {
  test('that arrive while others are under way go together in the next statement', async () => {
    const { ask, batches, end } = held()
    const first = ask(1)
    await turn()
    expect(batches).toEqual([[1]])
    const others = [2, 3].map(ask)
    await end()
    expect(batches).toEqual([[1], [2, 3]])
    await end()
    expect(await Promise.all([first, ...others])).toEqual([10, 20, 30])
    const later = ask(4)
    await turn()
    await end()
    expect(await later).toBe(40)
  })

  test('of one turn of the event loop go together', async () => {
    const { ask, batches, end } = held()
    const results = Promise.all([1, 2, 3].map(ask))
    await turn()
    expect(batches).toEqual([[1, 2, 3]])
    await end()
    expect(await results).toEqual([10, 20, 30])
  })

  test('have so many statements under way, and no more', async () => {
    const { ask, batches, end } = held({ lanes: 2, besideFrom: 1, atMost: 1 })
    const results = Promise.all([1, 2, 3].map(ask))
    await turn()
    expect(batches).toEqual([[1], [2]])
    for (let i = 0; i < 3; i++) await end()
    await results
  })

  test('go together up to a number', async () => {
    const { ask, batches, end } = held({ atMost: 2 })
    const results = Promise.all([1, 2, 3, 4].map(ask))
    await turn()
    for (let i = 0; i < 2; i++) await end()
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(await results).toEqual([10, 20, 30, 40])
  })

  test('that waited too long are told so, and nothing is done for them', async () => {
    const { ask, batches, end } = held({ timeoutMs: 250 })
    const first = ask(1)
    await turn()
    const late = ask(2).catch((error: unknown) => error)
    await Bun.sleep(300)
    const inTime = ask(3)
    await end()
    expect(batches).toEqual([[1], [3]])
    expect(await late).toBeInstanceOf(DatabaseUnavailable)
    await end()
    expect(await Promise.all([first, inTime])).toEqual([10, 30])
  })

  test('that waited too long are told so while no statement ends', async () => {
    const { ask, end } = held({ timeoutMs: 100 })
    const first = ask(1)
    await turn()
    const late = ask(2).catch((error: unknown) => error)
    await Bun.sleep(60)
    const later = ask(3).catch((error: unknown) => error)
    expect(await late).toBeInstanceOf(DatabaseUnavailable)
    expect(await later).toBeInstanceOf(DatabaseUnavailable)
    await end()
    expect(await first).toBe(10)
  })

  test('wait as long as it takes where no time is given, and are not timed', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    const { ask, batches, end } = held({ timeoutMs: Number.POSITIVE_INFINITY })
    const results = Promise.all([1, 2].map(ask))
    await turn()
    const later = ask(3)
    await Bun.sleep(20)
    await end()
    await end()
    expect(batches).toEqual([[1, 2], [3]])
    expect(await Promise.all([results, later])).toEqual([[10, 20], 30])
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  test('that all waited too long start no statement', async () => {
    const { ask, batches, end } = held({ timeoutMs: 250 })
    const first = ask(1)
    await turn()
    const late = ask(2).catch((error: unknown) => error)
    await Bun.sleep(300)
    await end()
    expect(await late).toBeInstanceOf(DatabaseUnavailable)
    expect(batches).toEqual([[1]])
    expect(await first).toBe(10)
  })
})

test('another statement begins beside the first only when enough wait for it', async () => {
  const { ask, batches, end } = held({ lanes: 2, besideFrom: 3, besideAfterMs: 60_000 })
  const all = [ask(1)]
  await turn()
  all.push(ask(2), ask(3))
  await turn()
  expect(batches).toEqual([[1]])
  all.push(ask(4))
  await turn()
  expect(batches).toEqual([[1], [2, 3, 4]])
  await end()
  await end()
  expect(await Promise.all(all)).toEqual([10, 20, 30, 40])
})

test('another statement begins beside one that takes long', async () => {
  const { ask, batches, end } = held({ lanes: 2, besideAfterMs: 50 })
  const all = [ask(1)]
  await turn()
  all.push(ask(2), ask(3))
  await turn()
  expect(batches).toEqual([[1]])
  while (batches.length === 1) await Bun.sleep(1)
  expect(batches).toEqual([[1], [2, 3]])
  await end()
  await end()
  expect(await Promise.all(all)).toEqual([10, 20, 30])
})

test('statements that are to be apart gather what arrives in between, unless enough wait', async () => {
  const { ask, batches, end } = held({
    lanes: 2,
    besideFrom: 3,
    besideAfterMs: 60_000,
    apartMs: 1_000,
  })
  const all = [ask(1)]
  await turn()
  await end()
  all.push(ask(2))
  await Bun.sleep(1)
  all.push(ask(3))
  expect(batches).toEqual([[1]])
  await Bun.sleep(1_200)
  expect(batches).toEqual([[1], [2, 3]])
  await end()
  all.push(ask(4), ask(5), ask(6))
  await turn()
  expect(batches).toEqual([[1], [2, 3], [4, 5, 6]])
  await end()
  expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50, 60])
})

test('enough that wait end the pause between statements, also where no lane is free', async () => {
  const { ask, batches, end } = held({ lanes: 1, besideFrom: 3, apartMs: 600_000 })
  const all = [ask(1)]
  await turn()
  await end()
  all.push(ask(2), ask(3))
  await Bun.sleep(1)
  expect(batches).toEqual([[1]])
  all.push(ask(4))
  await Bun.sleep(1)
  expect(batches).toEqual([[1], [2, 3, 4]])
  await end()
  expect(await Promise.all(all)).toEqual([10, 20, 30, 40])
})

describe('a batch that fails', () => {
  class ItemError extends Error {}
  /** Work that fails as a whole when an item is 13. */
  function failing(error: Error) {
    const batches: (readonly number[])[] = []
    const ask = gather<number, number>({
      async work(items) {
        batches.push(items)
        await Bun.sleep(1)
        if (items.includes(13)) throw error
        return items
      },
      isItemError: (given) => given instanceof ItemError,
      lanes: 1,
    })
    return { ask, batches }
  }

  test('for one of its items is tried one by one, and each of them once', async () => {
    const { ask, batches } = failing(new ItemError())
    const results = await Promise.allSettled([13, 2, 13, 4].map(ask))
    const isFulfilled = results.map(({ status }) => status === 'fulfilled')
    expect(isFulfilled).toEqual([false, true, false, true])
    expect(batches).toEqual([[13, 2, 13, 4], [13], [2], [13], [4]])
  })

  test('for another reason fails for all', async () => {
    const { ask, batches } = failing(new Error('away'))
    const results = await Promise.allSettled([1, 2, 13].map(ask))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(batches).toEqual([[1, 2, 13]])
  })

  test('by giving too few results fails for those without one', async () => {
    const ask = gather<number, number>({ work: async () => [], isItemError: () => false })
    await expect(ask(1)).rejects.toThrow('no result')
  })
})
