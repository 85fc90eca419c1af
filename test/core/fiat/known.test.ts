import { describe, expect, test } from 'bun:test'
import { evaluateOffer, type KnownRate, readAnswer, usable } from '../../../core/fiat/known.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const TERMS = { maxAgeMs: 600_000, maxJumpPercent: 20 }
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
const offer = (rate: string, at = NOW) => ({ pair: 'EUR/USD', rate, at, source: 'desk' })
const judge = (known: KnownRate | null, rate: string, at = NOW, now = at) =>
  evaluateOffer(known, offer(rate, at), TERMS, now)

const FIRST = judge(null, '1.08')

describe('an answer of the source', () => {
  const read = (body: unknown) => readAnswer(body, ['EUR/USD', 'GBP/USD'], 'desk', NOW)
  const at = NOW.toISOString()

  test('has the rates that were asked for, and may have others', () => {
    expect(read({ at, more: 1, rates: { 'EUR/USD': '1.08', 'JPY/USD': 7 } })).toEqual({
      ok: true,
      rates: [offer('1.08')],
    })
  })

  test.each([
    ['nothing', null],
    ['a list', []],
    ['no time', { rates: {} }],
    ['a time without a zone', { at: '2026-06-01T12:00:00', rates: {} }],
    ['the future', { at: after(61).toISOString(), rates: {} }],
    ['no rates', { at }],
    ['a list of rates', { at, rates: ['1.08'] }],
    ['a number, which a double may have rounded', { at, rates: { 'EUR/USD': 1.08 } }],
    ['zero', { at, rates: { 'EUR/USD': '0' } }],
    ['a negative rate', { at, rates: { 'EUR/USD': '-1.08' } }],
    ['too many digits', { at, rates: { 'EUR/USD': '1.0000000000001' } }],
    [
      'one that is wrong beside one that is right',
      { at, rates: { 'EUR/USD': '1', 'GBP/USD': '' } },
    ],
  ])('is refused with %s', (_name, body) => {
    expect(read(body)).toMatchObject({ ok: false })
  })
})

describe('an offered rate', () => {
  test('is taken when it is the first, or near that of a day ago', () => {
    expect(FIRST).toMatchObject({ rate: '1.08', anchor: '1.08', anchoredAt: NOW, refused: null })
    expect(judge(FIRST, '1.29', after(60))).toMatchObject({ rate: '1.29', anchor: '1.08' })
  })

  test('is refused when it has jumped, up or down, until a near one comes', () => {
    for (const rate of ['1.297', '0.89', '108', '0.0108']) {
      const jumped = judge(FIRST, rate, after(60))
      expect(jumped).toMatchObject({ rate: '1.08', refused: rate, refusedSince: after(60) })
      expect(usable(jumped, TERMS, after(60))).toBeNull()
      expect(judge(jumped, rate, after(120)).refusedSince).toEqual(after(60))
      const back = judge(jumped, '1.09', after(120))
      expect([back.rate, back.refused, back.refusedSince]).toEqual(['1.09', null, null])
    }
  })

  test('gets no further in small steps within a day, and further from day to day', () => {
    const step = judge(FIRST, '1.29', after(60))
    expect(judge(step, '1.50', after(120)).refused).toBe('1.50')
    const nextDay = judge(step, '1.50', after(86_400))
    expect(nextDay).toMatchObject({ rate: '1.50', anchor: '1.29', anchoredAt: after(86_400) })
  })

  test('changes nothing when it is older than what is known', () => {
    const newer = judge(FIRST, '1.1', after(60))
    expect(judge(newer, '1.05', NOW, after(90))).toBe(newer)
  })
})

test('a rate is used up to its age, to the millisecond', () => {
  const quote = { rate: '1.08', at: NOW, source: 'desk' }
  expect(usable(FIRST, TERMS, after(600))).toEqual(quote)
  expect(usable(FIRST, TERMS, new Date(after(600).getTime() + 1))).toBeNull()
  expect(usable(null, TERMS, NOW)).toBeNull()
})
