import { expect, test } from 'bun:test'
import { isErrorCode } from '../../core/errors.ts'
import { refusalText } from '../../web/dashboard/parts/refusals.ts'
import { createWords } from '../../web/language/words.ts'
import { de } from '../../web/messages/dashboard/de.ts'
import { en } from '../../web/messages/dashboard/en.ts'

/** What the server refuses, as pages say it. */

const GERMAN = createWords(de, 'de')
const ENGLISH = createWords(en, 'en')
const codes = Object.keys(en).flatMap((key) => /^refusal_(.+)$/.exec(key)?.[1] ?? [])

test('every refusal with words is an error of the table', () => {
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !isErrorCode(code))).toEqual([])
})

test('is in the reader’s language, and in English as exact as the server is', () => {
  const refused = { code: 'other_person_required', message: 'must be approved by another person' }
  expect(refusalText(GERMAN, refused)).toBe('Dem muss eine andere Person zustimmen.')
  expect(refusalText(ENGLISH, refused)).toBeNull()
  const last = { code: 'last_owner', message: 'last owner' }
  expect(refusalText(ENGLISH, last)).toStartWith('This is the last owner.')
  for (const code of codes) expect(refusalText(GERMAN, { code, message: 'x' })).not.toBeNull()
  expect(refusalText(GERMAN, { code: 'internal_error', message: 'x' })).toBeNull()
})
