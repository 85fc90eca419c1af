/** The entry points of production, started by the launcher like by an operator. */
import { join } from 'node:path'
import { type Variables, withoutSigningKeys } from '../../core/config/reader.ts'
import type { Process } from '../../store/database/access.ts'
import {
  lastLines,
  type Running,
  type StackError,
  spawnDetached,
  stopProcess,
} from '../processes/child.ts'
import { endGroup } from '../processes/group.ts'
import { removePidFile, writePidFile } from '../processes/pidFiles.ts'
import { supervise } from '../processes/supervisor.ts'
import { type Say, sayAs, showLog } from '../processes/terminal.ts'
import { ENTRY_POINTS, type EntryPoint, type Home } from './home.ts'

/** The database URL of each entry point, with its own role; DATABASE_URL if none is set. */
export type DatabaseUrls = Readonly<Partial<Record<Process, string>>>

const METRICS_ORDER: readonly EntryPoint['name'][] = ['api', 'worker', 'indexer']

/**
 * As in the image: the allocator gives memory back after ten seconds, and not a tenth of one. Otherwise a process at
 * rest spends a fifth of its processor time on that.
 */
export const MEMORY_VARIABLES = {
  MIMALLOC_PURGE_DELAY: '10000',
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '10000',
}

/** The command of an entry point with these variables. */
export type Launch = (
  entry: EntryPoint,
  variables: Variables,
) => { readonly command: string; readonly args: string[]; readonly env: Variables }

export type EntryPlan = {
  root: string
  /** Starts an entry point other than by this runtime. */
  launch?: Launch | undefined
  home: Home
  /** The variables of the worker; other entry points get them without signing keys. */
  variables: Variables
  databaseUrls: DatabaseUrls
  /** The token for reading details of /ready; undefined if the API has its own, or none. */
  operatorToken?: string | undefined
  onStop: (stop: () => Promise<void>) => void
  onGiveUp: (reason: StackError) => void
}

/** Starts indexer, API and worker; they are stopped in reverse order. */
export async function startEntryPoints(plan: EntryPlan): Promise<void> {
  for (const entry of ENTRY_POINTS.toReversed()) {
    const log = plan.home.log(entry.name)
    const hideLog = showLog(entry.name, log)
    plan.onStop(async () => hideLog())
    const child = await supervise({
      name: entry.name,
      log,
      say: sayAs(entry.name),
      onGiveUp: plan.onGiveUp,
      start: () => startEntryPoint(plan, entry, log),
    })
    plan.onStop(child.stop)
    sayAs(entry.name)(`started (process ${child.current().pid}), log ${log}`)
  }
}

async function startEntryPoint(
  { root, home, databaseUrls, operatorToken, ...plan }: EntryPlan,
  entry: EntryPoint,
  log: string,
): Promise<Running> {
  const url = databaseUrls[entry.name]
  const variables = {
    ...MEMORY_VARIABLES,
    ...plan.variables,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
    ...metricsPort(plan.variables, entry),
    ...(entry.name === 'api' && operatorToken ? { OPERATOR_TOKEN: operatorToken } : {}),
  }
  const launch = plan.launch ?? byThisRuntime(root)
  const { running } = spawnDetached({
    ...launch(entry, { ...(entry.name === 'worker' ? variables : withoutSigningKeys(variables)) }),
    cwd: root,
    output: { file: log },
  })
  const { pid } = running
  const pidFile = home.pidFile(entry.name)
  writePidFile(pidFile, pid)
  // Its child processes end with it, so that ports and locks are free for the next one.
  const exited = running.exited.then(async (exit) => {
    await endGroup(pid, entry.signal, home.marker)
    return exit
  })
  return {
    pid,
    exited,
    stop: async () => {
      await stopProcess(pid, entry.signal, 20_000)
      await exited
      removePidFile(pidFile)
    },
  }
}

/** Uses this executable, because `bun` is not on PATH when npx runs the launcher. */
function byThisRuntime(root: string): Launch {
  return ({ script }, env) => ({ command: process.execPath, args: [join(root, script)], env })
}

/** On one machine each entry point needs its own port: METRICS_PORT and the following ones. */
function metricsPort({ METRICS_PORT: first }: Variables, entry: EntryPoint): Variables {
  if (!first || first === '0') return {}
  const place = METRICS_ORDER.indexOf(entry.name)
  return { METRICS_PORT: String(Number(first) + place) }
}

/** The API of the stack that starts. */
export interface StartingApi {
  readonly apiUrl: string
  readonly operatorToken: string
  /** True once the start is to be abandoned. */
  hasEnded(): boolean
}

const POLL_MS = 50

/** Waits until the API listens. */
export async function untilAnswering({ apiUrl, hasEnded }: StartingApi): Promise<void> {
  // Until then each connection is refused.
  while (!hasEnded() && !(await fetch(`${apiUrl}/health`).catch(() => null))) {
    await Bun.sleep(POLL_MS)
  }
}

/**
 * Waits until /ready reports no problems, and prints every few seconds what it
 * is waiting for.
 */
export async function untilReady(api: StartingApi, home: Home, say: Say): Promise<void> {
  const began = performance.now()
  let reportAt = 10_000
  for (;;) {
    const problem = await readiness(api)
    if (problem === undefined || api.hasEnded()) return
    const waited = performance.now() - began
    if (waited > reportAt) {
      reportAt += 10_000
      say(`still waiting after ${Math.round(waited / 1000)} s: ${problem}`)
      if (waited > 60_000) say(lastLines(home.log('api'), 3))
    }
    await Bun.sleep(POLL_MS)
  }
}

async function readiness({ apiUrl, operatorToken }: StartingApi): Promise<string | undefined> {
  try {
    const response = await fetch(`${apiUrl}/ready`, {
      headers: { authorization: `Bearer ${operatorToken}` },
      signal: AbortSignal.timeout(5_000),
    })
    if (response.ok) return undefined
    const { problems = [] } = Object(await response.json())
    return [`/ready returns ${response.status}`, ...problems].join('; ')
  } catch (error) {
    // It has ended and starts again; the caller retries.
    return `the API does not respond (${error instanceof Error ? error.message : String(error)})`
  }
}
