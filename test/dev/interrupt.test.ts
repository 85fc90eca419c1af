import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../dev/processes/child.ts'
import { identify } from '../../dev/processes/inspect.ts'

/** Without it orphans belong to the system, and only what has not lost its parent is ended. */
const canAdopt = process.platform === 'linux'

test.skipIf(!canAdopt).each([
  { what: 'interrupted', first: 'SIGINT', worker: null, child: '' },
  { what: 'interrupted twice', first: 'SIGTERM', worker: 'SIGTERM', child: '' },
  { what: 'killed', first: 'SIGKILL', worker: null, child: 'deaf' },
  { what: 'left alone by the killed half of it', first: null, worker: 'SIGKILL', child: '' },
] as const)(
  'a check that is $what leaves neither processes nor files',
  async ({ first, worker, child: kind }) => {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dirname, '../support/dev/miniature.ts'), kind],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const { folder, pids } = await firstLine(child.stdout)
    expect(existsSync(join(folder, 'left'))).toBe(true)
    expect(pids.map(identify)).not.toContain(undefined)
    const [working = 0] = pids
    if (first !== null) child.kill(first)
    if (worker !== null) process.kill(working, worker)
    await child.exited
    expect(child.exitCode).not.toBe(0)
    const isGone = () => !existsSync(folder) && pids.every((pid) => identify(pid) === undefined)
    expect(await waitUntil(isGone, 60_000)).toBe(true)
  },
  120_000,
)

async function firstLine(
  stream: ReadableStream<Uint8Array>,
): Promise<{ folder: string; pids: number[] }> {
  let text = ''
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n')) break
  }
  return JSON.parse(text)
}
