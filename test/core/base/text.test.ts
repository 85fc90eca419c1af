import { expect, test } from 'bun:test'
import { excerpt } from '../../../core/base/text.ts'

test('a short text stays as it is, a long one ends with an ellipsis at 64 characters', () => {
  expect(excerpt('a'.repeat(64))).toBe('a'.repeat(64))
  expect(excerpt('a'.repeat(65))).toBe(`${'a'.repeat(63)}…`)
  expect(excerpt('abcdef', 4)).toBe('abc…')
})

test('half of a surrogate pair is never left', () => {
  expect(excerpt('😀'.repeat(100), 4).isWellFormed()).toBe(true)
})
