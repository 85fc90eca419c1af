import { expect, test } from 'bun:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import { observeTurns } from '../../../metrics/process/turns.ts'
import { startLoop } from '../../../workers/turns/loop.ts'

test('every turn of a loop is counted, with how it ended and how long it took', async () => {
  const registry = new Registry()
  const observe = observeTurns(registry)
  let turns = 0
  const loop = startLoop({
    tickMs: () => 1,
    watch: { log: pino({ level: 'silent' }), onFatal() {} },
    async turn() {
      turns += 1
      if (turns === 2) throw new Error('a fault')
      await Bun.sleep(6)
    },
    onError: () => 1,
    onTurn: (isFailed, seconds) => observe({ loop: 'ledger', chain: 'base', isFailed, seconds }),
  })
  while (turns < 4) await Bun.sleep(1)
  await loop.stop()
  const text = await registry.metrics()
  const count = (outcome: string) =>
    new RegExp(
      `^remit_turn_seconds_count\\{loop="ledger",chain="base",outcome="${outcome}"\\} (\\d+)$`,
      'm',
    ).exec(text)?.[1]
  expect(count('failed')).toBe('1')
  expect(Number(count('done'))).toBe(turns - 1)
  expect(text).toContain(
    'remit_turn_seconds_bucket{le="0.005",loop="ledger",chain="base",outcome="done"} 0',
  )
})
