import { describe, expect, test } from 'bun:test'
import { commandFor, failuresIn } from '../../dev/check/failures.ts'
import { countBun, outcomeOf, type Step } from '../../dev/check/step.ts'

const OUTPUT = `test/a.test.ts:
(pass) one [1.00ms]
error: expected 1
      at a.test.ts:3
(fail) two [2.00ms]
(pass) three [1.00ms]

test/b.test.ts:
(fail) four [2.00ms]

2 tests failed:
(fail) two [2.00ms]
(fail) four [2.00ms]

 2 pass
 2 fail`

const STEP: Step = {
  name: 'tests',
  command: [],
  count: countBun,
  again: 'bun run check',
  measured: { path: '', files: [] },
}

describe('the failed tests of a run', () => {
  test('are repeated once, each with its file and what it printed', () => {
    expect(failuresIn(OUTPUT)).toEqual([
      {
        file: 'test/a.test.ts',
        text: 'error: expected 1\n      at a.test.ts:3\n(fail) two [2.00ms]',
      },
      { file: 'test/b.test.ts', text: '(fail) four [2.00ms]' },
    ])
  })

  test('are repeated by their last forty lines where they printed much', () => {
    const printed = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')
    const [repeated] = failuresIn(`${printed}\n(fail) long [1.00ms]`)
    const lines = repeated?.text.split('\n') ?? []
    expect(lines).toHaveLength(40)
    expect(lines[0]).toBe('line 61')
  })

  test('are none in a run without a failure', () => {
    expect(failuresIn('(pass) one [1.00ms]\n 1 pass\n 0 fail')).toEqual([])
  })
})

test('a file whose process ended, and one that could not be read, are failures of theirs', () => {
  const output = `test/a.test.ts:
(pass) before [0.07ms]
✗ test/a.test.ts (worker crashed: SIGKILL)

test/b.test.ts:

# Unhandled error between tests
-------------------------------
1 | throw new Error('no load')
error: no load
-------------------------------

 1 pass
 2 fail`
  const [crashed, unread] = failuresIn(output)
  expect(crashed).toEqual({
    file: 'test/a.test.ts',
    text: '✗ test/a.test.ts (worker crashed: SIGKILL)',
  })
  expect(unread?.file).toBe('test/b.test.ts')
  expect(unread?.text).toContain('error: no load')
})

test('one command runs the files that failed, each once and on the same server', () => {
  const [two, four] = failuresIn(OUTPUT)
  if (two === undefined || four === undefined) throw new Error('two failed')
  expect(commandFor([four, two, two])).toBe(
    `npx -y bun@${Bun.version} test --timeout 120000 ./test/a.test.ts ./test/b.test.ts`,
  )
  expect(commandFor([two], { TEST_POSTGRES: '/usr/lib/postgresql/15' })).toStartWith(
    'TEST_POSTGRES=/usr/lib/postgresql/15 npx ',
  )
  expect(commandFor([{ file: null, text: '' }])).toBeNull()
})

describe('a run of tests', () => {
  test('that ends in order has nothing to say', () => {
    const counted = { passed: 1, failed: 0, failures: [], again: [] }
    expect(outcomeOf(STEP, ' 1 pass\n 0 fail', null)).toEqual(counted)
  })

  test('that printed no counts has failed, by name', () => {
    const judged = outcomeOf(STEP, 'panic: out of memory', 'SIGILL')
    expect(judged).toMatchObject({ passed: 0, failed: 1, again: ['bun run check'] })
    expect(judged.failures).toEqual([
      { file: null, text: 'tests: ended without counts (SIGILL)\npanic: out of memory' },
    ])
    expect(outcomeOf(STEP, '', null).failed).toBe(1)
    const under = outcomeOf(STEP, 'test/a.test.ts:\n(pass) one\n\ntest/b.test.ts:\n', 'SIGKILL')
    expect(under.failures.map(({ file }) => file)).toEqual(['test/b.test.ts'])
  })

  test('that counted no failure and did not end in order has failed, by name', () => {
    const judged = outcomeOf(STEP, ' 1 pass\n 0 fail', 'exit code 3')
    expect(judged).toMatchObject({ passed: 1, failed: 1 })
    expect(judged.failures[0]?.text).toStartWith('tests: exit code 3')
  })
})
