import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editsOf } from '../simulation/planted/edits.ts'
import { PLANTED } from '../simulation/planted/table.ts'
import { planted } from './fault.ts'
import { Imports } from './reach.ts'
import { sample, scanAll } from './sample.ts'
import { faultOf, TABLE } from './table.ts'

const ROOT = join(import.meta.dirname, '../..')

for (const entry of [...TABLE, ...PLANTED].flatMap(editsOf)) {
  test(`the table finds the place for: ${entry.name} in ${entry.file}`, () => {
    const fault = faultOf(ROOT, entry)
    const text = readFileSync(join(ROOT, entry.file), 'utf8')
    expect(planted(text, fault)).not.toBe(text)
    expect(replacementsOf(entry.file, text.slice(0, fault.start))).toEqual([])
    for (const file of entry.tests ?? []) expect(existsSync(join(ROOT, file))).toBe(true)
  })
}

/** The later files of the database that replace the function at the end of `before`: a fault in it would never run. */
function replacementsOf(file: string, before: string): string[] {
  const name = [...before.matchAll(/^create (?:or replace )?function (\w+)/gm)].at(-1)?.[1]
  if (!file.endsWith('.sql') || name === undefined) return []
  const files = ['schema', 'migrations'].flatMap((folder) =>
    [...new Bun.Glob(`store/${folder}/*.sql`).scanSync({ cwd: ROOT })].sort(),
  )
  return files
    .slice(files.indexOf(file) + 1)
    .filter((later) =>
      readFileSync(join(ROOT, later), 'utf8').includes(`create or replace function ${name}(`),
    )
}

test('an entry that is not found says so', () => {
  const entry = { name: 'none', file: 'package.json', find: 'no such text', put: '' }
  expect(() => faultOf(ROOT, entry)).toThrow('expects "no such text" 1 times in package.json')
})

test('what the operators plant in the tree is TypeScript', () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  for (const fault of sample(scanAll(ROOT, []), 300, 'any')) {
    transpiler.transformSync(planted(readFileSync(join(ROOT, fault.file), 'utf8'), fault))
  }
})

test('a sample is spread over the rooms, and a seed always gives the same', () => {
  const faults = scanAll(ROOT, [])
  const chosen = sample(faults, 30, '1')
  const rooms = Map.groupBy(chosen, ({ file }) => file.split('/')[0])
  expect([...rooms.values()].map((ofRoom) => ofRoom.length)).toEqual([10, 10, 10])
  expect(sample(faults, 30, '1')).toEqual(chosen)
  expect(sample(faults, 30, '2')).not.toEqual(chosen)
})

test('the tests that reach a file are found through imports, the nearest first', () => {
  const tests = new Imports(ROOT).testsOf('core/base/money.ts')
  expect(tests[0]?.distance).toBe(1)
  expect(tests.map(({ file }) => file)).toContain('test/core/base/money.test.ts')
})

test('a test that starts a program reaches what the program imports', () => {
  const tests = new Imports(ROOT).testsOf('core/config/hub.ts').map(({ file }) => file)
  expect(tests).toContain('test/cli/hub/hub.test.ts')
})
