/** How files of tests become a step of a run. */
import { join } from 'node:path'
import { type Timings, writeTimings } from './files.ts'
import type { Run } from './run.ts'
import { countBun, type Step } from './step.ts'

export const bun = process.execPath

/** The command by which a script is run by hand, with the same Bun. */
export const again = (script: string) => `npx -y bun@${Bun.version} run ${script}`

/** The steps of a script, each of which starts the slowest file first and leaves what each of them took. */
export function tester(run: Run, timings: Timings, script: string) {
  return (name: string, files: readonly string[], flags: readonly string[] = []): Step => {
    const path = join(run.folder, `${name.replaceAll(/\W+/g, '-')}.json`)
    writeTimings(path, timings)
    const measuring = [`--timings=${path}`, '--update-timings']
    return {
      name,
      command: [bun, 'test', '--timeout', '120000', ...flags, ...measuring, ...files],
      count: countBun,
      again: again(script),
      measured: { path, files },
    }
  }
}
