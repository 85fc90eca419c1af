import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  balance,
  hasOwnCommand,
  isBrowsing,
  isOfProcesses,
  isOfStore,
  isOther,
  readTimings,
  sumOf,
  testFiles,
} from '../../dev/check/files.ts'

const ROOT = join(import.meta.dirname, '../..')
const timings = readTimings(join(ROOT, 'test/timings.json'))
const files = testFiles(ROOT)

test('every file of tests is in one part of the check', () => {
  expect(files.length).toBeGreaterThan(400)
  const parts = [isOfProcesses, isBrowsing, isOfStore, isOther]
  const misplaced = files.filter((file) => parts.filter((isOfPart) => isOfPart(file)).length !== 1)
  expect(misplaced).toEqual([])
})

test('what check:long leaves out is named by a command of its own', () => {
  const commands = readFileSync(join(ROOT, 'package.json'), 'utf8')
  const left = testFiles(ROOT, 'long').filter(hasOwnCommand)
  expect(left.length).toBeGreaterThan(0)
  expect(left.filter((file) => !commands.includes(file))).toEqual([])
})

test('a row and two workers end together, by what the files took', () => {
  const others = files.filter(isOther)
  const theirs = files.filter(isOfProcesses)
  const { row, pool } = balance(others, theirs, { fixedMs: 200_000, workers: 2, timings })
  expect([...row, ...pool].sort()).toEqual([...others, ...theirs].sort())
  const whole = (200_000 + sumOf(timings, [...others, ...theirs])) / 3
  expect(Math.abs(200_000 + sumOf(timings, row) - whole)).toBeLessThan(0.1 * whole)
  expect(Math.abs(sumOf(timings, pool) / 2 - whole)).toBeLessThan(0.1 * whole)
})

test('a row with much other work gets no files', () => {
  const { row, pool } = balance(['./a'], ['./b'], {
    fixedMs: 60_000,
    workers: 2,
    timings: new Map(),
  })
  expect(row).toEqual([])
  expect(pool).toEqual(['./a', './b'])
})

test('nine in ten of the files that were measured are there', () => {
  const gone = [...timings.keys()].filter((file) => !existsSync(join(ROOT, file)))
  expect(gone.length).toBeLessThan(timings.size / 10)
})
