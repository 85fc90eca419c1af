import { expect, test } from 'bun:test'
import { durationText, parseDuration } from '../../../core/base/duration.ts'

test('a span is written in the largest unit that leaves no rest, and read back', () => {
  expect([0, 59, 60, 90, 3_600, 172_800, 86_401].map(durationText)).toEqual([
    '0s',
    '59s',
    '1m',
    '90s',
    '1h',
    '48h',
    '86401s',
  ])
  expect(['0s', '90s', '1m', '48h', '2d'].map(parseDuration)).toEqual([0, 90, 60, 172_800, 172_800])
})

test('any other text is no span', () => {
  for (const text of ['', '48', 'h', '-1h', '1.5h', '1w', '1h30m', ' 1h']) {
    expect(parseDuration(text)).toBeNull()
  }
})
