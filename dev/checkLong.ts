/**
 * `bun run check:long`: what would take the check minutes. Every `.long.ts` without a command of its own, one after the
 * other, because some of them measure pauses; the store's tests on the embedded Postgres; and the hub's coverage.
 */
import { join } from 'node:path'
import { hasOwnCommand, isOfStore, testFiles } from './check/files.ts'
import { beginning, conclude } from './check/report.ts'
import { type Run, runAlone, whole } from './check/run.ts'
import { runBeside, type Step } from './check/step.ts'
import { again, bun, tester } from './check/testing.ts'
import { installDependencies } from './install.ts'
import { sayAs } from './processes/terminal.ts'
import { HOW_TO_GET_IT, systemBrowser } from './servers/systemBrowser.ts'

const ROOT = join(import.meta.dirname, '..')

async function main(run: Run): Promise<number> {
  const since = beginning()
  const say = sayAs('check:long')
  await installDependencies(ROOT, say)
  if (!(await whole(run, systemBrowser(say, run.stopped)))) say(HOW_TO_GET_IT)
  const results = await runBeside([{ margin: '', steps: steps(run) }], ROOT, run.stopped)
  return run.stopped.aborted ? 1 : await conclude(results, since)
}

function steps(run: Run): Step[] {
  const testing = tester(run, new Map(), 'check:long')
  const long = testFiles(ROOT, 'long').filter((file) => !hasOwnCommand(file))
  return [
    {
      name: 'contract coverage',
      command: [bun, 'contracts/build.ts', 'coverage'],
      again: again('contracts coverage'),
    },
    testing('store tests on the embedded server', testFiles(ROOT).filter(isOfStore)),
    testing('long tests', long),
  ]
}

await runAlone(main)
