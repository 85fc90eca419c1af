import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../../dev/processes/child.ts'
import type { Part } from '../rpc/stack.ts'

/** The functions that cost most, by samples of processes that profiler.ts was loaded into. */

/** Settings of processes that can be profiled. */
export const PROFILED = { BUN_OPTIONS: `--preload ${join(import.meta.dirname, 'profiler.ts')}` }

/** What runs our own code. */
const PARTS: readonly Part[] = ['API', 'worker']
const TOP = 10
const WRITTEN_WITHIN_MS = 30_000
const ROOT = join(import.meta.dirname, '../..')

interface Profile {
  readonly nodes: readonly {
    readonly callFrame: { functionName: string; url: string; lineNumber: number }
    readonly hitCount: number
  }[]
}

/**
 * Begins profiles. They end by the answer: the process, a share of its samples and a function, for those that took
 * most samples themselves.
 */
export function beginProfiles(
  pids: Readonly<Record<Part, number>>,
): () => Promise<readonly string[][]> {
  for (const part of PARTS) process.kill(pids[part], 'SIGUSR2')
  return async () => {
    const tops = await Promise.all(PARTS.map(async (part) => topOf(part, await end(pids[part]))))
    return tops.flat()
  }
}

async function end(pid: number): Promise<Profile> {
  const file = join(tmpdir(), `remit-${pid}.cpuprofile`)
  process.kill(pid, 'SIGUSR2')
  if (!(await waitUntil(() => existsSync(file), WRITTEN_WITHIN_MS, 100))) {
    throw new Error('a profile was not written')
  }
  const profile: Profile = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return profile
}

function topOf(part: Part, { nodes }: Profile): string[][] {
  const all = nodes.reduce((sum, { hitCount }) => sum + hitCount, 0)
  const byFunction = Map.groupBy(nodes, ({ callFrame: { functionName, url, lineNumber } }) => {
    const path = url.replace(`file://${ROOT}/`, '').replace('node_modules/', '')
    return `${functionName || '(anonymous)'} ${path}${path === '' ? '' : `:${lineNumber + 1}`}`
  })
  return [...byFunction]
    .map(([name, same]) => [name, same.reduce((sum, { hitCount }) => sum + hitCount, 0)] as const)
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([name, hits]) => [part, `${((hits * 100) / all).toFixed(1)} %`, `\`${name.trim()}\``])
}
