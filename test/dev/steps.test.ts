import { expect, test } from 'bun:test'
import { Steps, together } from '../../dev/stack/steps.ts'

test('a start shows what each step has waited for, in the order in which they began', async () => {
  const steps = new Steps(Date.now() - 1_000)
  const slow = steps.run('postgres', [], () => Bun.sleep(30))
  const quick = steps.run('redis', [], async () => 'redis://')
  expect(await quick).toBe('redis://')
  await slow
  await steps.run('schema', ['postgres', 'redis'], async () => undefined)
  const [first, second, third] = steps.table()
  expect([first?.[0], second?.[0], third?.[0]]).toEqual(['postgres', 'redis', 'schema'])
  expect(first?.[1]).toMatch(/^\d\.\d\d \+ \d\.\d\d s$/)
  expect(third?.[1]).toMatch(/^\d\.\d\d \+ \d\.\d\d s, after postgres, redis$/)
})

test('what starts beside a step that fails is waited for, so that it can be stopped', async () => {
  let hasStarted = false
  const start = async () => {
    await Bun.sleep(30)
    hasStarted = true
  }
  const failing = async () => {
    throw new Error('the port is in use')
  }
  const [end] = await Promise.allSettled([together(failing(), start())])
  expect(end).toMatchObject({ status: 'rejected', reason: new Error('the port is in use') })
  expect(hasStarted).toBe(true)
})
