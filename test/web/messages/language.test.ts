import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { de as dashboardInGerman } from '../../../web/messages/dashboard/de.ts'
import { en as dashboard } from '../../../web/messages/dashboard/en.ts'
import { en, type Messages } from '../../../web/messages/en.ts'
import { messagesIn } from '../../../web/messages/languages.ts'
import { chooseLocale, isLocale, LOCALES, offeredLocales } from '../../../web/messages/locale.ts'
import { REFUSALS } from '../../../web/messages/refusals.ts'
import { createWords } from '../../../web/messages/words.ts'

const WEB = join(import.meta.dirname, '../../../web')
const ALL = Object.keys(LOCALES).filter(isLocale)
const KEYS = Object.keys(en).filter((key): key is keyof Messages => key in en)
/** The source of all pages, without the messages. */
const SOURCES = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(WEB)]
  .filter((file) => !/^messages\/(dashboard\/|..\.ts|refusals)/.test(file))
  .map((file) => readFileSync(join(WEB, file), 'utf8'))
  .join('\n')
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort()

test.each(ALL)('%s fills in what English does, and nothing else', (locale) => {
  const messages = messagesIn(locale)
  // A language may name the merchant twice where another says "it".
  const names = (key: keyof Messages, of: Messages) => [...new Set(namesIn(of[key]))]
  const differing = KEYS.filter((key) => `${names(key, messages)}` !== `${names(key, en)}`)
  expect(differing).toEqual([])
})

test.each(ALL)('%s says how long to wait where English does', (locale) => {
  const waiting = Object.entries(REFUSALS[locale]).filter(([, text]) => namesIn(text).length > 0)
  expect(waiting.map(([key, text]) => [key, namesIn(text)])).toEqual([['oftenNext', ['time']]])
})

test('the dashboard fills in the same in German as in English', () => {
  const english = new Map<string, string>(Object.entries(dashboard))
  const differing = Object.entries(dashboardInGerman).filter(([key, text]) => {
    const names = (of: string) => `${[...new Set(namesIn(of))]}`
    return names(text) !== names(english.get(key) ?? '')
  })
  expect(differing).toEqual([])
})

test.each(['en', 'de'])('each entry of the dashboard in %s is in one file only', async (locale) => {
  const folder = join(WEB, 'messages/dashboard', locale)
  const places = new Map<string, string[]>()
  for (const file of new Bun.Glob('*.ts').scanSync(folder)) {
    const exported: Readonly<Record<string, object>> = await import(join(folder, file))
    for (const key of Object.values(exported).flatMap(Object.keys)) {
      places.set(key, [...(places.get(key) ?? []), file])
    }
  }
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([])
  expect([...places.keys()].sort()).toEqual(Object.keys(dashboard).sort())
})

/** Where a page takes a key from more than its name: the key of an audit entry, an error, a status. */
const COMPOSED = /^(audit|refusal|change|approval|devScope)_/

test('every text is shown by a page, and every page that takes one by its key finds it', () => {
  const keys = [...Object.keys(dashboard), ...KEYS].filter((key) => !COMPOSED.test(key))
  const quoted = new Set([...SOURCES.matchAll(/['".](\w+)/g)].map(([, key]) => key))
  expect(keys.filter((key) => !quoted.has(key))).toEqual([])
})

test('no two keys of the dashboard hold one text in both languages', () => {
  const texts = (key: string) =>
    `${Reflect.get(dashboard, key)} ${Reflect.get(dashboardInGerman, key)}`
  const keys = Object.keys(dashboard).filter((key) => !COMPOSED.test(key))
  const repeated = [...Map.groupBy(keys, texts).values()].filter((same) => same.length > 1)
  expect(repeated).toEqual([])
})

test('labels of buttons are short', () => {
  const labels = [
    ...SOURCES.matchAll(/(?:<(?:Confirm|ActionButton)\s+label|action)=\{words\.say\('(\w+)'/g),
    ...SOURCES.matchAll(/<button[^<]*?>\s*\{words\.say\('(\w+)'/g),
  ].map(([, key]) => key ?? '')
  const english = (key: string): string => Reflect.get(dashboard, key) ?? Reflect.get(en, key)
  expect(labels.length).toBeGreaterThan(40)
  const long = labels.filter((key) => !english(key).includes('{') && english(key).length > 24)
  expect([...new Set(long)]).toEqual([])
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
