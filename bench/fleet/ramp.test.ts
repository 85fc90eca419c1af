import { expect, test } from 'bun:test'
import { findLimit, shareByTime, shareOf } from './ramp.ts'

/** A fleet that answers in time up to so many a second. */
const carrying = (limit: number) => async (perSecond: number) => ({
  ...{ perSecond, failures: new Map<string, number>(), used: { database: 0, held: 0 } },
  latenciesMs: [perSecond <= limit ? 10 : 5_000],
})

test.each([100, 390, 1_000])(
  'the limit of %d is found from below and from above',
  async (limit) => {
    const { perSecond } = await findLimit({ first: 400, mostMs: 1_000 }, carrying(limit))
    expect(perSecond).toBeLessThanOrEqual(limit)
    expect(perSecond).toBeGreaterThan(0.9 * limit)
  },
)

test('a fleet that carries next to nothing has no limit', async () => {
  const found = findLimit({ first: 400, mostMs: 1_000 }, carrying(1))
  await expect(found).rejects.toThrow('the smallest load was too much')
})

test('shares are of what the first process carries, and by the time that each got', () => {
  expect(
    shareOf(100, { processes: 2, perSecond: 180 }, { processes: 4, perSecond: 340 }),
  ).toBeCloseTo(0.8)
  expect(shareByTime({ perSecond: 100, held: 0.2 }, { perSecond: 150, held: 0.34 })).toBeCloseTo(
    0.88,
    2,
  )
})
