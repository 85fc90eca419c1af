import { describe, expect, test } from 'bun:test'
import pino from 'pino'
import { openDatabase } from '../../../store/database/database.ts'
import { reportFailure, startLoop } from '../../../workers/turns/loop.ts'

/** When an actor takes its turns, and when it gives up. */

const HOUR_MS = 3_600_000

/** A loop whose turns are ended by hand. */
function openLoop(options: { tickMs?: number; pauseMs?: number } = {}) {
  const { tickMs = HOUR_MS, pauseMs = HOUR_MS } = options
  const turns: PromiseWithResolvers<void>[] = []
  const failures: number[] = []
  const loop = startLoop({
    tickMs: () => tickMs,
    watch: { log: pino({ level: 'silent' }), onFatal() {} },
    turn() {
      const turn = Promise.withResolvers<void>()
      turns.push(turn)
      return turn.promise
    },
    onError(_, failuresInARow) {
      failures.push(failuresInARow)
      return pauseMs
    },
  })
  /** Ends the latest turn, and waits until what follows at once has begun. */
  const settle = async (end: (turn: PromiseWithResolvers<void>) => void) => {
    const turn = turns.at(-1)
    if (turn === undefined) throw new Error('there was no turn')
    end(turn)
    await Bun.sleep(20)
  }
  return {
    loop,
    turns,
    failures,
    succeed: () => settle((turn) => turn.resolve()),
    fail: () => settle((turn) => turn.reject(new Error('a fault'))),
  }
}

describe('a loop', () => {
  test('takes its first turn at once, and the next at its tick', async () => {
    const { loop, turns, succeed } = openLoop({ tickMs: 10 })
    expect(turns).toHaveLength(1)
    await succeed()
    while (turns.length < 2) await Bun.sleep(1)
    turns.at(-1)?.resolve()
    await loop.stop()
  })

  test('takes a turn sooner when it is woken, and only one at a time', async () => {
    const { loop, turns, succeed } = openLoop()
    await succeed()
    expect(turns).toHaveLength(1)
    loop.wake()
    await Bun.sleep(20)
    expect(turns).toHaveLength(2)
    // However often it is woken during a turn, one more follows.
    loop.wake()
    loop.wake()
    await Bun.sleep(20)
    expect(turns).toHaveLength(2)
    await succeed()
    expect(turns).toHaveLength(3)
    await succeed()
    expect(turns).toHaveLength(3)
    await loop.stop()
  })

  test('pauses after a fault however often it is woken', async () => {
    const { loop, turns, fail } = openLoop()
    await fail()
    loop.wake()
    await Bun.sleep(20)
    expect(turns).toHaveLength(1)
    await loop.stop()
    expect(turns).toHaveLength(1)
  })

  test('counts the faults since its last success', async () => {
    const { loop, turns, failures, fail, succeed } = openLoop({ pauseMs: 0 })
    await fail()
    await fail()
    loop.wake()
    await succeed()
    await fail()
    expect(failures).toEqual([1, 2, 1])
    turns.at(-1)?.resolve()
    await loop.stop()
  })

  test('is ready after its first turn that did not fail', async () => {
    const { loop, turns, fail, succeed } = openLoop({ pauseMs: 0 })
    let isReady = false
    void loop.ready.then(() => {
      isReady = true
    })
    await fail()
    expect(isReady).toBe(false)
    await succeed()
    expect(isReady).toBe(true)
    turns.at(-1)?.resolve()
    await loop.stop()
  })

  test('ends after the turn that is running', async () => {
    const { loop, turns, succeed } = openLoop({ tickMs: 0 })
    let hasEnded = false
    const stopping = loop.stop().then(() => {
      hasEnded = true
    })
    await Bun.sleep(20)
    expect(hasEnded).toBe(false)
    await succeed()
    await stopping
    expect(turns).toHaveLength(1)
  })
})

describe('an actor that fails', () => {
  /** Whether it gives up. */
  function givesUp(error: Error, failuresInARow: number, isPassing = false): boolean {
    const fatal: unknown[] = []
    const options = {
      // It is never connected to.
      database: openDatabase('postgres://unset', { name: 'test' }),
      workerId: 'worker',
      log: pino({ level: 'silent' }),
      onFatal: (cause: unknown) => fatal.push(cause),
    }
    reportFailure(options, error, failuresInARow, isPassing)
    return fatal.includes(error)
  }
  const withCode = (code: string) => Object.assign(new Error('a fault'), { code })

  test('gives up at the twentieth fault in a row', () => {
    expect(givesUp(new Error('a fault'), 19)).toBe(false)
    expect(givesUp(new Error('a fault'), 20)).toBe(true)
  })

  test.each(['ECONNREFUSED', '57P01', '40P01'])(
    'never gives up because the database is gone or busy (%s)',
    (code) => {
      expect(givesUp(withCode(code), 1_000)).toBe(false)
    },
  )

  test('never gives up because of a fault that its caller knows to pass', () => {
    expect(givesUp(new Error('a fault'), 1_000, true)).toBe(false)
  })
})

test('a turn that lasts long says where it stands, and its actor gives up in the end', async () => {
  const lines: object[] = []
  const given = Promise.withResolvers<unknown>()
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const turn = Promise.withResolvers<void>()
  const loop = startLoop({
    tickMs: () => HOUR_MS,
    watch: { log, onFatal: given.resolve },
    longTurnMs: 10,
    deadlineMs: 40,
    turn(at) {
      at('the third step')
      return turn.promise
    },
    onError: () => HOUR_MS,
  })
  expect(String(await given.promise)).toContain('the third step')
  expect(lines[0]).toMatchObject({ place: 'the third step', msg: 'a turn lasts long' })
  turn.resolve()
  await loop.stop()
  const told = lines.length
  await Bun.sleep(50)
  expect(lines).toHaveLength(told)
})
