import { describe, expect, test } from 'bun:test'
import { CURRENT, DRAFT } from './machine.ts'
import { defaultFigures, firstFigures, largestBatch, measure } from './measure.ts'
import { OPERATIONS } from './operations.ts'

const NAMES = OPERATIONS.map(({ name }) => name)

function operationOf(name: string) {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return operation
}

describe.each([CURRENT, DRAFT])(
  'by the rules $name, with the gas limits of the backend',
  (rules) => {
    test.each(NAMES)('%s', async (name) => {
      const operation = operationOf(name)
      const figures = await defaultFigures(operation, rules)
      const alone = await measure(operation, rules, 1, figures)
      expect(alone.failure).toBeNull()
      // Under the active rules nothing costs more, and the limits are the same.
      if (rules === CURRENT) return
      const batch = await measure(operation, rules, largestBatch(operation, figures), figures)
      expect(batch.failure).toBeNull()
      expect(batch.limit).toBeLessThanOrEqual(figures.largest)
    })
  },
)

test('what creates state fails by the draft with what version 1 gave each item', async () => {
  for (const operation of OPERATIONS.filter(({ name }) => /deploys|settle|distribute/.test(name))) {
    const figures = await firstFigures(operation, DRAFT)
    expect((await measure(operation, DRAFT, 1, figures)).failure).not.toBeNull()
    if (operation.isCostly) continue
    expect((await measure(operation, CURRENT, 1, figures)).failure).toBeNull()
  }
})
