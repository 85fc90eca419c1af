import { join } from 'node:path'
import { forge } from '../forge.ts'
import { Copy } from '../mutation/copy.ts'
import { isHub } from '../mutation/run.ts'
import { coverageIn, coverageTable, neverRun } from './report.ts'
import { SHALLOW } from './shallow.ts'

/** Which lines and branches of the hub's sources no test runs: `bun contracts/build.ts coverage`. */

/** Compares code that is compiled otherwise here. */
const IRRELEVANT_TEST = 'test_the_committed_init_code_is_the_compiled_one'

/**
 * Runs the tests on a hub compiled so that each instruction can be found in the sources again, prints a
 * table and what is missing; answers 1 below 100 % of lines and branches.
 */
export async function coverage(): Promise<number> {
  const sources = [...coverageIn(await measured())]
    .filter(([file]) => file.startsWith('src/') && isHub(file))
    .toSorted(([a], [b]) => a.localeCompare(b))
  if (sources.length === 0) throw new Error('No source of the hub was measured.')
  console.log(coverageTable(sources))
  const missing = sources.flatMap(([file, { lines, branches }]) => [
    ...neverRun(lines).map((place) => `${file}:${place} is never run`),
    ...neverRun(branches).map((place) => `${file}:${place} is never taken`),
  ])
  for (const sentence of missing) console.error(sentence)
  if (missing.length === 0) console.log('Every line and branch of the hub is run by a test.')
  return missing.length === 0 ? 0 : 1
}

/** The lcov report of the tests. */
async function measured(): Promise<string> {
  const copy = new Copy()
  try {
    for (const { file, find, put } of SHALLOW) {
      const [before, after, ...more] = copy.read(file).split(find)
      if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`coverage/shallow.ts expects "${find.trim()}" once in ${file}.`)
      }
      copy.write(file, `${before}${put}${after}`)
    }
    const report = join(copy.dir, 'lcov.info')
    const { stdout, stderr } = await forge(
      ['coverage', '--no-match-test', IRRELEVANT_TEST, '--report', 'lcov', '--report-file', report],
      { profile: 'coverage', cwd: copy.dir },
    )
    const file = Bun.file(report)
    if (await file.exists()) return await file.text()
    throw new Error(`The coverage was not measured.\n${stdout}${stderr}`)
  } finally {
    copy.remove()
  }
}
