import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openFallbackLimits } from '../../../store/redis/fallbackLimits.ts'
import { verdicts } from '../../../store/redis/rateLimit.ts'

/** The limits of one process by itself. */

const WINDOW = 60_000

function open(subjectsKept?: number) {
  let now = 1_000_000
  return {
    standIn: openFallbackLimits(WINDOW, () => now, subjectsKept),
    wait(ms: number) {
      now += ms
    },
  }
}

test('no window ever holds more than the limit, and what was refused is admitted when it was said', () => {
  const steps = fc.array(
    fc.record({
      pause: fc.integer({ min: 0, max: 20_000 }),
      wanted: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (all, limit) => {
      const { standIn, wait } = open()
      const admissions: number[] = []
      let clock = 0
      for (const { pause, wanted } of all) {
        wait(pause)
        clock += pause
        const { room, waitMs } = standIn.peek('subject', limit)
        const admitted = Math.min(room, wanted)
        standIn.count('subject', admitted)
        for (let i = 0; i < admitted; i += 1) admissions.push(clock)
        const within = admissions.filter((at) => at > clock - WINDOW)
        expect(within.length).toBeLessThanOrEqual(limit)
        if (room > 0) {
          expect(waitMs).toBe(0)
          continue
        }
        expect(waitMs).toBeGreaterThan(0)
        expect(waitMs).toBeLessThanOrEqual(WINDOW)
        wait(waitMs)
        clock += waitMs
        expect(standIn.peek('subject', limit).room).toBeGreaterThan(0)
      }
    }),
  )
})

describe('Retry-After', () => {
  const secondsAfter = (waitMs: number) => verdicts({ room: 0, waitMs }, 1)[0]?.retryAfter

  test('is the window at most, wherever in a slice the limit was reached', () => {
    for (const start of [0, 1, 17.25, 50.5, 99, 99.999]) {
      const { standIn, wait } = open()
      wait(start)
      standIn.count('subject', 10)
      const { waitMs } = standIn.peek('subject', 10)
      expect([waitMs, secondsAfter(waitMs)]).toEqual([WINDOW, 60])
    }
  })

  test('is never so short that who waits for it is refused again', () => {
    expect([1_000, 1_000.4, 1_999.9, 0.2].map(secondsAfter)).toEqual([1, 2, 2, 1])
  })
})

describe('what it keeps', () => {
  test('is bounded: the subject that was not seen for longest is forgotten', () => {
    const { standIn } = open(3)
    for (const subject of ['a', 'b', 'c', 'a', 'd']) standIn.count(subject, 1)
    const rooms = ['a', 'b', 'c', 'd'].map((subject) => standIn.peek(subject, 10).room)
    expect(rooms).toEqual([8, 10, 9, 9])
  })

  test('is counts and not moments: 300,000 of a subject fit beside each other', () => {
    const { standIn, wait } = open()
    for (let i = 0; i < 3_000; i += 1) {
      standIn.count('heavy', 100)
      wait(20)
    }
    expect(standIn.peek('heavy', 300_000).room).toBe(0)
    expect(standIn.peek('heavy', 300_001).room).toBe(1)
  })
})
