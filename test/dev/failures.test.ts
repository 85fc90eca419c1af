import { expect, test } from 'bun:test'
import { failuresIn } from '../../dev/failures.ts'

const OUTPUT = `test/a.test.ts:
(pass) one [1.00ms]
error: expected 1
      at a.test.ts:3
(fail) two [2.00ms]
(pass) three [1.00ms]
(fail) four [2.00ms]

 2 pass
 2 fail`

test('the failed tests of a run are repeated, each with what it printed', () => {
  expect(failuresIn(OUTPUT)).toBe(
    'error: expected 1\n      at a.test.ts:3\n(fail) two [2.00ms]\n\n(fail) four [2.00ms]',
  )
})

test('of a failure that printed much, the last forty lines are repeated', () => {
  const printed = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')
  const repeated = failuresIn(`${printed}\n(fail) long [1.00ms]`).split('\n')
  expect(repeated).toHaveLength(40)
  expect(repeated[0]).toBe('line 61')
})

test('a run without a failure has nothing to repeat', () => {
  expect(failuresIn('(pass) one [1.00ms]\n 1 pass\n 0 fail')).toBe('')
})
