import { expect, test } from 'bun:test'
import type { Sample } from './samples.ts'
import { assess } from './verdict.ts'

const MB = 2 ** 20

/** A sample for each minute of an hour, with what is said to change. */
function hour(change: (minute: number) => { memory?: number; dead?: number; perRow?: number }) {
  return Array.from({ length: 61 }, (_, minutes): Sample => {
    const { memory = 200, dead = 1_000, perRow = 500 } = change(minutes)
    const live = 10_000 + 1_000 * minutes
    return {
      minutes,
      processes: [{ name: 'api 1', memory: memory * MB, files: 20 }],
      chainMemory: 0,
      connections: 30,
      tables: new Map([['public.history', { live, dead, bytes: live * perRow }]]),
    }
  })
}

const growing = (samples: readonly Sample[]) =>
  assess(samples).flatMap(({ what, isFlat }) => (isFlat ? [] : [what]))

test('history may grow, and what goes up and down is flat', () => {
  expect(growing(hour((minute) => ({ memory: 200 + 30 * (minute % 2) })))).toEqual([])
})

test('what grows while code is compiled is not counted', () => {
  expect(growing(hour((minute) => ({ memory: Math.min(200, 100 + 10 * minute) })))).toEqual([])
})

test('memory that leaks is found', () => {
  expect(growing(hour((minute) => ({ memory: 200 + minute / 2 })))).toEqual(['memory of api 1'])
})

test('tables that fill with dead rows, or grow beyond their rows, are found', () => {
  expect(growing(hour((minute) => ({ dead: 10_000 + 1_000 * minute })))).toEqual([
    'dead rows of public.history',
  ])
  expect(growing(hour((minute) => ({ perRow: 500 + 2 * minute })))).toEqual([
    'size of public.history',
  ])
})
