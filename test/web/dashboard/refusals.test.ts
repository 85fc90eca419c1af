import { expect, test } from 'bun:test'
import { ERRORS, isErrorCode } from '../../../core/base/errors.ts'
import { refusalText } from '../../../web/dashboard/parts/refusals.ts'
import { de } from '../../../web/messages/dashboard/de.ts'
import { en } from '../../../web/messages/dashboard/en.ts'
import { createWords } from '../../../web/messages/words.ts'

/** What the server refuses, as pages say it. */

const GERMAN = createWords(de, 'de')
const ENGLISH = createWords(en, 'en')
const codes = Object.keys(en).flatMap((key) => /^refusal_(.+)$/.exec(key)?.[1] ?? [])

test('every refusal with words is an error of the table', () => {
  expect(codes.length).toBeGreaterThan(20)
  const ofSigningIn = (code: string) => /^[A-Z_]+$/.test(code)
  expect(codes.filter((code) => !isErrorCode(code) && !ofSigningIn(code))).toEqual([])
})

test('is in the reader’s language, and in English as exact as the server is', () => {
  const message = 'must be approved by another person'
  const refused = { code: 'other_person_required', status: 403, message }
  expect(refusalText(GERMAN, refused)).toBe('Ein anderes Mitglied muss das freigeben.')
  expect(refusalText(ENGLISH, refused)).toBe(message)
  const last = { code: 'last_owner', status: 409, message: 'last owner' }
  expect(refusalText(ENGLISH, last)).toStartWith('This is the last owner.')
})

test('is never English on a German page, whatever is refused, nor a fault in the words of its code', () => {
  const all = Object.entries(ERRORS).map(([code, { status, text }]) => ({ code, status, text }))
  const ofSigningIn = codes.filter((code) => !isErrorCode(code))
  for (const { code, status, text } of [
    ...all,
    ...ofSigningIn.map((code) => ({ code, status: 400, text: 'The password must be longer.' })),
    { code: 'SOMETHING_NEW', status: 422, text: 'something new' },
  ]) {
    const said = refusalText(GERMAN, { code, status, message: text })
    expect({ code, said }).toEqual({ code, said: expect.stringMatching(/^[A-ZÄÖÜ].+[.!]$/) })
    expect(Object.values<string>(en)).not.toContain(said)
    expect(said).not.toBe(text)
  }
  const fault = { code: 'internal_error', status: 500, message: 'internal error' }
  expect(refusalText(ENGLISH, fault)).toStartWith('Something went wrong')
})
