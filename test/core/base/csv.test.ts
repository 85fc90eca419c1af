import { expect, test } from 'bun:test'
import { csvLine } from '../../../core/base/csv.ts'

test('cells are separated by commas, and nothing stands for nothing', () => {
  expect(csvLine(['a', null, '1.5'])).toBe('a,,1.5\r\n')
})

test('commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines'])).toBe('"a,b","say ""hi""","two\nlines"\r\n')
})

test.each(['=1+1', '+1+1', '-1-1', '+1e3', '-.5', '-1.', '- 1', '-10 ', '@SUM(A1)', '\tx'])(
  '%p is text and no formula',
  (cell) => {
    expect(csvLine([cell])).toBe(`'${cell}\r\n`)
  },
)

test.each(['0', '-10', '+49170', '-1001234567890', '12.50', '-0.000001', '007'])(
  'the number %p is data and stays as it is',
  (cell) => expect(csvLine([cell, cell])).toBe(`${cell},${cell}\r\n`),
)

test.each([
  ['-10\n', '"\'-10\n"'],
  ['-10;-10', "'-10;'-10"],
  ['a;=1+1', "a;'=1+1"],
  ['a;b;+1', "a;b;'+1"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['a\n=1+1', '"a\n\'=1+1"'],
  ['a\r\n-1', '"a\r\n\'-1"'],
  ['a;"=1+1"', '"a;\'""=1+1"""'],
  ['; =1', ";' =1"],
  ['＝1+1', "'＝1+1"],
])('%p is text wherever a cell begins for others', (cell, expected) => {
  expect(csvLine([cell])).toBe(`${expected}\r\n`)
})

test.each(['2026-08-01T12:00:00Z', 'a-b', '0x12', 'a;b', '1 = 1', 'me@shop.example'])(
  '%p stays as it is',
  (cell) => {
    expect(csvLine([cell])).toBe(`${cell}\r\n`)
  },
)
