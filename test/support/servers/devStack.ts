import { expect } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import {
  signalProcess,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../../../dev/processes/child.ts'
import { readOrphan } from '../../../dev/processes/pidFiles.ts'
import type { Description } from '../../../dev/stack/description.ts'
import { type Ran, remit as remitWith } from '../cli/run.ts'

/**
 * The whole product for end-to-end tests: the launcher with a home and ports of its own, and the
 * entry points that it starts. Its parts can be killed like any process.
 */

const ROOT = join(import.meta.dirname, '../../..')
/** Enough for a test that polls; the limits themselves are tested elsewhere. */
const NO_LIMITS = { RATE_LIMIT_AUTHENTICATED: '1000000', RATE_LIMIT_UTILITY: '1000000' }
const FREE_PORTS = {
  PORT: '0',
  GRAPHQL_PORT: '0',
  POSTGRES_PORT: '0',
  REDIS_PORT: '0',
  RPC_PORT_BASE_SEPOLIA: '0',
  RPC_PORT_SEPOLIA: '0',
}

export type Part = 'api' | 'indexer' | 'worker' | 'redis' | 'postgres'

export interface DevStack {
  readonly home: string
  /** What .remit/dev.json says. */
  readonly description: Description
  readonly secondsToReady: number
  /** Kills one part with SIGKILL; false when it is just being started again. */
  kill(part: Part): boolean
  /** Kills the launcher and everything it started with SIGKILL. */
  killEverything(): Promise<void>
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>
}

/** A folder for a stack, which several starts may share. Ports stay the same over its restarts. */
export function createHome(): { home: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'remit-stack-'))
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Starts a stack and resolves when it says that it is ready; that of another tree where it is named. */
export async function startDevStack(
  home: string,
  environment: Readonly<Record<string, string>> = {},
  root: string = ROOT,
): Promise<DevStack> {
  const started = performance.now()
  const log = join(home, 'launcher.log')
  rmSync(join(home, 'dev.json'), { force: true })
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(root, 'dev/main.ts')],
    cwd: root,
    env: { ...cleanEnvironment(), ...FREE_PORTS, ...NO_LIMITS, ...environment, REMIT_HOME: home },
    output: { file: log },
  })
  const release = stopOnParentDeath(running.pid, 'SIGINT')
  while (!existsSync(join(home, 'dev.json'))) {
    if (running.ended() !== undefined) {
      throw new Error(`the stack did not start:\n${readFileSync(log, 'utf8').slice(-4000)}`)
    }
    await Bun.sleep(25)
  }
  const description: Description = JSON.parse(readFileSync(join(home, 'dev.json'), 'utf8'))
  return {
    home,
    description,
    secondsToReady: (performance.now() - started) / 1000,
    kill: (part) => killPart(home, part),
    async killEverything() {
      process.kill(running.pid, 'SIGKILL')
      await running.exited
      release()
      for (const pid of partsOf(home)) killProcess(pid)
    },
    async stop() {
      await stopProcess(running.pid, 'SIGINT', 40_000)
      release()
    },
  }
}

/** The invoice as the API shows it. */
export async function getInvoice(stack: DevStack, id: string): Promise<InvoiceJson> {
  return callApi(stack, `/v1/invoices/${id}`)
}

export async function createInvoice(
  stack: DevStack,
  body: Readonly<Record<string, unknown>>,
): Promise<InvoiceJson> {
  return callApi(stack, '/v1/invoices', body)
}

/** Calls the API with the demo merchant's key, patiently: the API may just be starting again. */
export async function callApi<T>(
  stack: DevStack,
  path: string,
  body?: unknown,
  patienceSeconds = 180,
): Promise<T> {
  const end = Date.now() + patienceSeconds * 1_000
  for (;;) {
    try {
      const response = await fetch(stack.description.apiUrl + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'X-Service-Key': stack.description.secretKey,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      if (response.status < 500) {
        if (!response.ok) throw new Refused(`${path} answered ${response.status}: ${text}`)
        return JSON.parse(text).data
      }
    } catch (error) {
      if (error instanceof Refused) throw error
    }
    if (Date.now() > end) throw new Error(`${path} did not answer for ${patienceSeconds} s`)
    await Bun.sleep(100)
  }
}

class Refused extends Error {}

/** Looks until the condition holds, and says what was last seen when it never does. */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (Date.now() > end) {
      const shown = JSON.stringify(seen, (_, value) =>
        typeof value === 'bigint' ? value.toString() : value,
      )
      throw new Error(`waited ${timeoutMs} ms in vain; last seen: ${shown}`)
    }
    await Bun.sleep(100)
  }
}

/** What the launcher gives its processes, but for what it was given itself. */
export function variablesOf({ home }: DevStack): Record<string, string> {
  const lines = readFileSync(join(home, 'env'), 'utf8').split('\n')
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(pairs)
}

/** Does what `bun run remit ...` does against the stack. */
export function remit(stack: DevStack, ...args: readonly string[]): Promise<Ran> {
  return remitWith({ ...cleanEnvironment(), REMIT_HOME: stack.home }, ...args)
}

/** Compares ledger and chains to the unit: what differs must be gone within so many seconds. */
export async function expectReconciled(stack: DevStack, seconds = 5): Promise<void> {
  const { code, out } = await remit(stack, 'reconcile', '--json', '--wait', String(seconds))
  expect({ code, differences: JSON.parse(out).differences }).toEqual({ code: 0, differences: [] })
}

/** Runs a script of the project with this Bun. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

/** The stack under test brings its own servers, regardless of what the person running the tests configured. */
function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(DATABASE_URL|REDIS_URL|RPC_URL_|WS_URL_|REMIT_)/.test(entry[0]),
  )
  return Object.fromEntries(kept)
}

const PID_FILES: Readonly<Record<Part, readonly string[]>> = {
  api: ['run/api.pid'],
  indexer: ['run/indexer.pid'],
  worker: ['run/worker.pid'],
  redis: ['redis/remit.pid', 'redis/redis.pid'],
  postgres: ['postgres/data/postmaster.pid'],
}

function killPart(home: string, part: Part): boolean {
  const pids = PID_FILES[part].flatMap((file) => {
    const orphan = readOrphan(join(home, file))
    return orphan ? [orphan.pid] : []
  })
  for (const pid of pids) killProcess(pid)
  return pids.length > 0
}

/** Every process whose environment names this home: what a kill -9 of everything hits. */
function partsOf(home: string): number[] {
  const own = process.pid
  const found: number[] = []
  for (const entry of new Bun.Glob('[0-9]*').scanSync({ cwd: '/proc', onlyFiles: false })) {
    const pid = Number(entry)
    if (pid === own) continue
    try {
      const words = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (words.includes(`REMIT_HOME=${home}`) || command.includes(home)) found.push(pid)
    } catch {
      // The process ended while we looked.
    }
  }
  return found
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had ended already.
  }
}

/** Ends a part in order; the launcher starts it again. */
export async function restart({ home }: DevStack, part: Part): Promise<void> {
  const file = join(home, `run/${part}.pid`)
  const before = readOrphan(file)?.pid
  if (before === undefined) throw new Error(`${part} does not run`)
  signalProcess(before, 'SIGTERM')
  const isNew = () => existsSync(file) && ![undefined, before].includes(readOrphan(file)?.pid)
  if (!(await waitUntil(isNew, 60_000))) throw new Error(`${part} was not started again`)
}
