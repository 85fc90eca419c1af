import { expect, test } from 'bun:test'
import { messagesIn } from '../../web/language/languages.ts'
import { chooseLocale, isLocale, LOCALES, offeredLocales } from '../../web/language/locale.ts'
import { createWords } from '../../web/language/words.ts'
import { en, type Messages } from '../../web/messages/en.ts'

const ALL = Object.keys(LOCALES).filter(isLocale)
const KEYS = Object.keys(en).filter((key): key is keyof Messages => key in en)
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort()

test.each(ALL)('%s fills in what English does, and nothing else', (locale) => {
  const messages = messagesIn(locale)
  // A language may name the merchant twice where another says "it".
  const names = (key: keyof Messages, of: Messages) => [...new Set(namesIn(of[key]))]
  const differing = KEYS.filter((key) => `${names(key, messages)}` !== `${names(key, en)}`)
  expect(differing).toEqual([])
})

test.each(ALL)('%s has a form for each of its plurals', (locale) => {
  const words = createWords(messagesIn(locale), locale)
  for (const seconds of [1, 2, 3, 5, 11, 21, 60, 120, 300, 660, 6_000]) {
    expect(words.duration(seconds)).not.toMatch(/[{}|#]|^\s*$/)
  }
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const counted = forms.filter((form) => form !== 'many' || !/^(es|fr|it|pt)$/.test(locale))
  for (const form of counted) expect(messagesIn(locale).seconds).toContain(`${form}:`)
})

test('a language is chosen by hand, else by the browser, else English', () => {
  expect(chooseLocale('ar', 'de', ALL)).toBe('ar')
  expect(chooseLocale('xx', 'de-AT,de;q=0.9,en;q=0.8', ALL)).toBe('de')
  expect(chooseLocale(null, 'sv, pt-BR;q=0.4, ja;q=0.7', ALL)).toBe('ja')
  expect(chooseLocale(null, 'fr;q=0, *', ALL)).toBe('en')
  expect(chooseLocale('__proto__', null, ALL)).toBe('en')
  expect(chooseLocale('fr', 'fr, it;q=0.5', ['de', 'it'])).toBe('it')
  expect(chooseLocale('fr', 'fr', ['de', 'it'])).toBe('de')
})

test("the menu has the merchant's languages, or all", () => {
  expect(offeredLocales(['de', 'tlh'])).toEqual(['de'])
  expect(offeredLocales([])).toEqual(ALL)
})

test('amounts are exact in every language, however long', () => {
  const amount = '999999999999.123456'
  expect(createWords(en, 'en').money(amount, 'USDC')).toBe('999,999,999,999.123456\u00a0USDC')
  expect(createWords(messagesIn('de'), 'de').amount(amount)).toBe('999.999.999.999,123456')
  expect(createWords(messagesIn('de'), 'de').amount('5')).toBe('5,00')
  expect(createWords(messagesIn('ar'), 'ar').amount('1234.5')).toBe('1,234.50')
})
