/** Preloaded before all that needs a dependency, so that `bun test` works in a fresh clone. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { continueAs, installDependencies } from '../../../dev/install.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The command line of this process, where the system tells. */
const COMMAND = '/proc/self/cmdline'

// Those of a folder that another tool has installed are used as they are, as a worker does with those of its run.
if (!existsSync(join(ROOT, 'node_modules')) && process.env.BUN_TEST_WORKER_ID === undefined) {
  await installDependencies(ROOT, console.error)
  if (!existsSync(COMMAND)) throw new Error('The dependencies are installed. Start it again.')
  continueAs(readFileSync(COMMAND, 'utf8').split('\0').slice(1, -1))
}
