import { describe, expect, test } from 'bun:test'
import { readAmount, writeAmount } from '../../../web/messages/amountEntry.ts'
import { messagesIn } from '../../../web/messages/languages.ts'
import { isLocale, LOCALES, type Locale } from '../../../web/messages/locale.ts'
import { createWords } from '../../../web/messages/words.ts'

const ALL = Object.keys(LOCALES).filter(isLocale)
const read = (text: string, locale: Locale) => {
  const entry = readAmount(text, messagesIn(locale))
  return entry.ok ? entry.decimal : entry.problem
}

describe('an amount is read', () => {
  test.each([
    ['de', '12,50', '12.50'],
    ['de', '12.50', '12.50'],
    ['de', '1.234', 'ambiguous'],
    ['de', '1,234', '1.234'],
    ['de', '0.125', '0.125'],
    ['de', '1.2345', '1.2345'],
    ['de', '1.234,50', 'unreadable'],
    ['en', '12.50', '12.50'],
    // The keyboard of a phone in a comma region, on an English page.
    ['en', '12,50', '12.50'],
    ['en', '1,234', 'ambiguous'],
    ['en', '1,234.50', 'unreadable'],
    ['fr', '1\u202f234,50', 'unreadable'],
    ['fr', '1.234', '1.234'],
    ['ar', '١٢٫٥٠', '12.50'],
    ['ja', '１２.５', '12.5'],
    ['de', ' 007,5\u00a0', '7.5'],
    ['de', '0', '0'],
    ['de', '', 'unreadable'],
    ['de', ',5', 'unreadable'],
    ['de', '5,', 'unreadable'],
    ['de', '-5', 'unreadable'],
    ['de', '1e3', 'unreadable'],
    ['de', '12,50 EUR', 'unreadable'],
  ] as const)('in %s: %p as %s', (locale, text, decimal) => {
    expect(read(text, locale)).toBe(decimal)
  })

  test('an ambiguous one is shown in both ways, each of which is read as itself', () => {
    const entry = readAmount('1.234', messagesIn('de'))
    if (entry.ok || entry.problem !== 'ambiguous') throw new Error('it was read')
    expect(entry.either).toEqual(['1234', '1,234'])
    expect(entry.either.map((text) => read(text, 'de'))).toEqual(['1234', '1.234'])
  })
})

/** Of every length and in a fixed order: a fault of one is found again. */
function* decimals(count: number): Generator<string> {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const digits = (length: number) => Array.from({ length }, () => next(10)).join('')
  for (let n = 0; n < count; n++) {
    const whole = digits(1 + next(15)).replace(/^0+(?=\d)/, '')
    const places = next(19)
    yield places === 0 ? whole : `${whole}.${digits(places)}`
  }
}

describe.each(ALL)('in %s', (locale) => {
  const marks = messagesIn(locale)
  const words = createWords(marks, locale)

  test('what is written is read as itself, and with a point never as another amount', () => {
    for (const decimal of decimals(2_000)) {
      expect(read(writeAmount(decimal, marks), locale)).toBe(decimal)
      expect([decimal, 'ambiguous']).toContain(read(decimal, locale))
    }
  })

  test('an amount as pages show it is read as itself, or refused', () => {
    for (const decimal of decimals(2_000)) {
      const [whole = '', fraction = ''] = decimal.split('.')
      const padded = `${whole}.${fraction.padEnd(2, '0')}`
      const found = read(words.amount(decimal), locale)
      expect([padded, 'ambiguous', 'unreadable']).toContain(found)
    }
  })

  test('any text is refused, or has one separator and no thousands', () => {
    const letters = ['1', '0', '23', '456', '.', ',', '٫', ' ', '\u202f', '-', 'x']
    for (const a of letters) {
      for (const b of letters) {
        for (const c of letters) {
          for (const d of letters) {
            const text = [a, b, c, d].join('').trim()
            const found = read(text, locale)
            if (found === 'unreadable' || found === 'ambiguous') continue
            expect(found.replace('.', '')).toBe(text.replace(/[.,٫]|^0+(?=\d)/g, ''))
            const thousands = `${marks.groupMark}\\d{3}$`.replace('.', '\\.')
            if (!/^0+\D/.test(text)) expect(text).not.toMatch(new RegExp(thousands))
          }
        }
      }
    }
  })
})
