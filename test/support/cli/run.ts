import { join } from 'node:path'
import { runLine } from '../../../cli/line.ts'
import { MACHINE } from '../clock.ts'

const ROOT = join(import.meta.dir, '../../..')

type Settings = Readonly<Record<string, string | undefined>>

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The JSON document on stdout. */
  json(): Record<string, unknown>
}

/**
 * What `bun run remit` does with these variables and none of the person's own, in the process of the test:
 * starting one takes longer than what most commands do.
 */
export async function remit(variables: Settings, ...args: readonly string[]): Promise<Ran> {
  let [out, err] = ['', '']
  const code = await runLine(args, {
    environment: surroundings(variables),
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return { code, out, err, json: () => JSON.parse(out) }
}

/** The same in a process of its own, where its streams, signals or exit code are what is tested. */
export async function remitProcess(variables: Settings, ...args: readonly string[]): Promise<Ran> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'cli/main.ts'), ...args], {
    cwd: ROOT,
    env: surroundings(variables),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err, json: () => JSON.parse(out) }
}

/** A home without a stack, so that a developer's own is never touched. */
function surroundings(variables: Settings): Settings {
  return { ...MACHINE, REMIT_HOME: '/nonexistent', ...variables }
}
