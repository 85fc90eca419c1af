/**
 * The folder of one development stack (`.remit`, or REMIT_HOME): databases, chains, generated keys,
 * logs, and PID files. Files with secrets are readable by their owner only.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { StackError } from '../processes/child.ts'
import { endGroup } from '../processes/group.ts'
import { readOrphan, removePidFile, stopOrphan, writePidFile } from '../processes/pidFiles.ts'
import type { Say } from '../processes/terminal.ts'
import { removePostgres, stopLeftoverPostgres } from '../servers/postgres.ts'
import { LOCAL_NETWORK_IDS, type Settings } from './settings.ts'

/** The entry points in the order of their stop, with their signals. */
export const ENTRY_POINTS = [
  { name: 'worker', script: 'workers/main.ts', signal: 'SIGTERM' },
  { name: 'api', script: 'api/main.ts', signal: 'SIGTERM' },
  // Ponder releases its schema only on SIGINT; after SIGTERM its next start waits for 20 s.
  { name: 'indexer', script: 'indexer/main.ts', signal: 'SIGINT' },
] as const

export type EntryPoint = (typeof ENTRY_POINTS)[number]

export type Home = {
  dir: string
  /** The environment entry that identifies children of this stack. */
  marker: string
  postgres: string
  postgresPassword: string
  redis: string
  stateFile(networkId: string): string
  log(name: string): string
  pidFile(name: string): string
}

export function openHome(root: string, variable: string | undefined): Home {
  const dir = resolve(root, variable || '.remit')
  mkdirSync(join(dir, 'logs'), { recursive: true })
  // If started by root, Postgres runs under another uid, which needs access to the folder; each
  // file with secrets has its own restrictive mode.
  if (process.getuid?.() === 0) chmodSync(dir, statSync(dir).mode | 0o011)
  return {
    dir,
    marker: `REMIT_HOME=${dir}`,
    postgres: join(dir, 'postgres/data'),
    postgresPassword: join(dir, 'postgres/password'),
    redis: join(dir, 'redis'),
    stateFile: (networkId) => join(dir, 'chains', `${networkId}.json`),
    log: (name) => join(dir, 'logs', `${name}.log`),
    pidFile: (name) => join(dir, 'run', `${name}.pid`),
  }
}

/** Makes this process the only launcher of the home. @throws StackError if another one is running. */
export function claimHome(home: Home): () => void {
  const file = home.pidFile('launcher')
  const other = readOrphan(file)
  if (other !== undefined && other.pid !== process.pid) {
    throw new StackError(
      `This stack is already running (process ${other.pid}); stop it first, ` +
        'or set REMIT_HOME to another folder (and the ports to 0) for a second one.',
    )
  }
  writePidFile(file, process.pid)
  return () => removePidFile(file)
}

/**
 * Stops the entry points that a killed launcher left running, with their child processes, and
 * the embedded servers that this start doesn't take over.
 */
export async function stopLeftovers(home: Home, settings: Settings, say: Say): Promise<void> {
  for (const { name, signal } of ENTRY_POINTS) {
    const file = home.pidFile(name)
    if (!existsSync(file)) continue
    const group = Number(readFileSync(file, 'utf8').split('\n')[0])
    const stopped = await stopOrphan(file, signal)
    const ended = group > 1 && (await endGroup(group, signal, home.marker))
    if (stopped || ended) say(`stopped the ${name} that an earlier launcher left running`)
  }
  if (settings.databaseUrl !== undefined) await stopLeftoverPostgres(home.postgres)
  if (settings.redisUrl !== undefined) await stopOrphan(join(home.redis, 'redis.pid'), 'SIGTERM')
  const simulated = settings.localChains.map(({ chain }) => chain.networkId)
  for (const networkId of LOCAL_NETWORK_IDS.filter((id) => !simulated.includes(id))) {
    await stopOrphan(`${home.stateFile(networkId)}.pid`, 'SIGTERM')
  }
}

/** Deletes databases and chains, which belong together; with `keys` also the generated keys. */
export async function wipe(
  home: Home,
  networkIds: readonly string[],
  { keys }: { keys: boolean },
): Promise<void> {
  await removePostgres(home.postgres)
  await stopOrphan(join(home.redis, 'redis.pid'), 'SIGTERM')
  for (const networkId of networkIds) {
    await stopOrphan(`${home.stateFile(networkId)}.pid`, 'SIGTERM')
  }
  const files = ['postgres', 'redis', 'chains', 'hub.json', 'dev.json', 'env', 'merchant.json']
  for (const name of keys ? [...files, 'keys.json', 'logs'] : files) {
    rmSync(join(home.dir, name), { recursive: true, force: true })
  }
}

/** Writes a file that only its owner can read, atomically. */
export function writeSecret(path: string, content: string): void {
  rmSync(`${path}.new`, { force: true })
  writeFileSync(`${path}.new`, content, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Reads a JSON file of the home; undefined if there is none. */
export function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
