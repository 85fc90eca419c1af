import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The JSON document on stdout. */
  json(): Record<string, unknown>
}

/** Runs `bun run remit` with these variables and none of the person's own. */
export async function remit(
  variables: Readonly<Record<string, string | undefined>>,
  ...args: readonly string[]
): Promise<Ran> {
  const { PATH, HOME } = process.env
  const child = Bun.spawn([process.execPath, join(ROOT, 'cli/main.ts'), ...args], {
    cwd: ROOT,
    // A home without a stack, so that a developer's own is never touched.
    env: { PATH, HOME, REMIT_HOME: '/nonexistent', ...variables },
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
