import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DeliveryAnswer, deliveryVerdict, PAUSES_MS } from '../../../core/webhook/schedule.ts'

const NOW = new Date('2026-08-01T12:00:00Z')

function answered(status: number, retryAfter: string | null = null): DeliveryAnswer {
  return { type: 'answered', status, retryAfter }
}

describe('an answer', () => {
  test('of 2xx is a success, and of 410 the end', () => {
    for (const status of [200, 201, 204, 299]) {
      expect(deliveryVerdict(answered(status), 1, NOW, 0.5)).toEqual({ type: 'succeeded' })
    }
    expect(deliveryVerdict(answered(410), 1, NOW, 0.5)).toEqual({ type: 'gone', error: 'http_410' })
  })

  test('of anything else is a failure that says what it was', () => {
    const errors = [199, 300, 399, 400, 404, 429, 500].map((status) => {
      const verdict = deliveryVerdict(answered(status), 1, NOW, 0.5)
      return verdict.type === 'retry' ? verdict.error : verdict.type
    })
    expect(errors).toEqual([
      'http_199',
      'redirect',
      'redirect',
      'http_400',
      'http_404',
      'http_429',
      'http_500',
    ])
  })

  test('that never came is one too', () => {
    expect(deliveryVerdict({ type: 'failed', error: 'timeout' }, 1, NOW, 0.5)).toEqual({
      type: 'retry',
      at: new Date(NOW.getTime() + 5_000),
      error: 'timeout',
    })
  })
})

test('the next attempt is within a tenth of the schedule, and the tenth one is the last', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (step, random) => {
        const verdict = deliveryVerdict(answered(500), step, NOW, random)
        if (verdict.type !== 'retry') throw new Error('it gave up')
        const wait = verdict.at.getTime() - NOW.getTime()
        const pause = PAUSES_MS[step] ?? 0
        expect(wait).toBeGreaterThanOrEqual(Math.floor(pause * 0.9))
        expect(wait).toBeLessThanOrEqual(Math.ceil(pause * 1.1))
      },
    ),
  )
  expect(deliveryVerdict(answered(500), 10, NOW, 0.5)).toEqual({
    type: 'failed',
    error: 'http_500',
  })
})

describe('an answer that asks for a pause', () => {
  /** The wait in seconds after an answer at noon, beside the five of the schedule. */
  const wait = (status: number, retryAfter: string | null) => {
    const verdict = deliveryVerdict(answered(status, retryAfter), 1, NOW, 0.5)
    return verdict.type === 'retry' ? (verdict.at.getTime() - NOW.getTime()) / 1000 : verdict.type
  }

  test('gets it with 429 and 503, in seconds or as a date, and no shorter than the schedule', () => {
    for (const status of [429, 503]) {
      expect(wait(status, '90')).toBe(90)
      expect(wait(status, 'Sat, 01 Aug 2026 12:02:00 GMT')).toBe(120)
      expect(wait(status, '3')).toBe(5)
      expect(wait(status, 'Sat, 01 Aug 2026 11:00:00 GMT')).toBe(5)
    }
  })

  test('gets no more than a day, and nothing for what is no pause', () => {
    expect(wait(429, '86401')).toBe(86_400)
    expect(wait(429, '999999999')).toBe(86_400)
    expect(wait(429, 'soon')).toBe(5)
    expect(wait(429, null)).toBe(5)
    expect(wait(500, '90')).toBe(5)
    expect(wait(302, '90')).toBe(5)
  })
})
