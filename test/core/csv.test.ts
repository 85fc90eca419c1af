import { expect, test } from 'bun:test'
import { csvLine } from '../../core/csv.ts'

test('cells are separated by commas, and nothing stands for nothing', () => {
  expect(csvLine(['a', null, '1.5'])).toBe('a,,1.5\r\n')
})

test('commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines'])).toBe('"a,b","say ""hi""","two\nlines"\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%p is text and no formula', (cell) => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`)
})
