import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { currencyDecimals, isCurrency, parseFiat } from '../../../core/fiat/currency.ts'
import { convert, FIXED_QUOTES, type Quotes, quotesOf } from '../../../core/fiat/quote.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const AT = new Date('2026-06-01T11:59:00Z')

/** Euros at 1.0834 dollars; the rate of pounds is not known now. */
const QUOTES: Quotes = {
  currencies: (ofTokens) => [ofTokens, 'EUR', 'GBP'],
  quote: (currency, ofTokens, now) =>
    currency === 'EUR'
      ? { rate: '1.0834', at: AT, source: 'desk' }
      : FIXED_QUOTES.quote(currency, ofTokens, now),
}

function converted(amount: number | string, currency: string, quotes = QUOTES) {
  return convert({ amount, currency, path: 'amountExpected' }, 'USDC', quotes, NOW)
}

describe('an amount in a currency', () => {
  test('becomes one of the token, and keeps where its rate is from', () => {
    expect(converted('25', 'EUR')).toEqual({
      ok: true,
      amount: '27.085',
      fiat: {
        ...{ currency: 'EUR', amount: '25', rate: '1.0834' },
        ...{ at: '2026-06-01T11:59:00.000Z', source: 'desk' },
      },
    })
  })

  test("is taken one to one in the token's own currency, without a source", () => {
    expect(converted(12.5, 'USD', FIXED_QUOTES)).toEqual({
      ok: true,
      amount: '12.5',
      fiat: {
        ...{ currency: 'USD', amount: '12.5', rate: '1' },
        ...{ at: '2026-06-01T12:00:00.000Z', source: 'fixed' },
      },
    })
  })

  test('is refused in a currency that is not offered, and the answer names those that are', () => {
    const details = [{ path: 'currency', message: 'must be one of USD' }]
    const refusal = { ok: false, code: 'invalid_request_body' }
    expect(converted('25', 'EUR', FIXED_QUOTES)).toMatchObject({ ...refusal, details })
    expect(converted('25', 'eur')).toMatchObject(refusal)
  })

  test('is refused while its rate is not known', () => {
    expect(converted('25', 'GBP')).toMatchObject({ ok: false, code: 'rate_unavailable' })
  })

  test.each(['25.001', '0', '-1', '1e3', ''])('is refused as %p', (amount) => {
    expect(converted(amount, 'EUR')).toMatchObject({
      code: 'invalid_request_body',
      details: [{ path: 'amountExpected' }],
    })
  })

  test('is repeated at the rate that its invoice has, regardless of what the rate is now', () => {
    const first = converted('25', 'EUR')
    if (!first.ok) throw new Error(first.code)
    const then = quotesOf(first.fiat, FIXED_QUOTES)
    expect(converted('25', 'EUR', then)).toEqual(first)
    expect(converted('25', 'USD', then)).toMatchObject({ ok: true, amount: '25' })
  })
})

describe('a currency', () => {
  test('has a code of ISO 4217 in capitals', () => {
    const codes = ['EUR', 'JPY', 'eur', 'EU', 'EURO', 'ZZZ', '']
    expect(codes.filter(isCurrency)).toEqual(['EUR', 'JPY'])
  })

  test('has decimals of its own', () => {
    expect(['EUR', 'JPY', 'KWD'].map(currencyDecimals).map(Number)).toEqual([2, 0, 3])
    expect(parseFiat('2500', 'JPY')).toEqual({ ok: true, amount: baseUnits(2500n) })
    expect(parseFiat('2500.5', 'JPY')).toMatchObject({ ok: false })
  })
})
