import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { computingOf, familyOf } from '../process.ts'
import { openQuotas } from './quota.ts'
import { shareOf } from './ramp.ts'

/** Where no group can be made there is nothing to test, and the benchmark says so itself. */
const quotas = await Promise.resolve()
  .then(openQuotas)
  .catch(() => null)

test.skipIf(quotas === null)('a process that is held has its part of a processor', async () => {
  if (quotas === null) return
  const busy = spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })
  const pid = busy.pid ?? 0
  const over = new Promise((resolve) => busy.once('exit', resolve))
  quotas.hold(pid, 0.1)
  const [before, began] = [computingOf(pid), performance.now()]
  await Bun.sleep(400)
  const cores = ((computingOf(pid) - before) * 1_000) / (performance.now() - began)
  busy.kill('SIGKILL')
  await over
  await quotas.close()
  // A busy machine gives it less; what it is held to is the most.
  expect(cores).toBeLessThan(0.2)
})

test('a process has those that it started', () => {
  const child = spawn('/bin/sh', ['-c', 'sleep 5'], { stdio: 'ignore' })
  expect(familyOf(process.pid)).toContain(child.pid ?? 0)
  child.kill('SIGKILL')
})

test('what is added is compared with the first, process by process', () => {
  const [one, two] = [
    { processes: 1, perSecond: 100 },
    { processes: 2, perSecond: 190 },
  ]
  expect(shareOf(100, one, two)).toBe(0.9)
  expect(shareOf(100, two, { processes: 4, perSecond: 350 })).toBe(0.8)
})
