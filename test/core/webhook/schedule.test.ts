import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Answer, judge, PAUSES_MS } from '../../../core/webhook/schedule.ts'

const NOW = new Date('2026-08-01T12:00:00Z')

function answered(status: number, retryAfter: string | null = null): Answer {
  return { type: 'answered', status, retryAfter }
}

describe('an answer', () => {
  test('of 2xx is a success, and of 410 the end', () => {
    for (const status of [200, 201, 204, 299]) {
      expect(judge(answered(status), 1, NOW, 0.5)).toEqual({ type: 'succeeded' })
    }
    expect(judge(answered(410), 1, NOW, 0.5)).toEqual({ type: 'gone', error: 'http_410' })
  })

  test('of anything else is a failure that says what it was', () => {
    const errors = [199, 301, 308, 400, 404, 429, 500].map((status) => {
      const verdict = judge(answered(status), 1, NOW, 0.5)
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
    expect(judge({ type: 'failed', error: 'timeout' }, 1, NOW, 0.5)).toEqual({
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
        const verdict = judge(answered(500), step, NOW, random)
        if (verdict.type !== 'retry') throw new Error('it gave up')
        const wait = verdict.at.getTime() - NOW.getTime()
        const pause = PAUSES_MS[step] ?? 0
        expect(wait).toBeGreaterThanOrEqual(Math.floor(pause * 0.9))
        expect(wait).toBeLessThanOrEqual(Math.ceil(pause * 1.1))
      },
    ),
  )
  expect(judge(answered(500), 10, NOW, 0.5)).toEqual({ type: 'failed', error: 'http_500' })
})
