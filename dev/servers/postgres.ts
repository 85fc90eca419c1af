/**
 * The embedded PostgreSQL: real server binaries from npm with our own data directory. It
 * survives kill -9 (full durability unless a test disables it) and listens on loopback only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  type Running,
  type Spawned,
  StackError,
  signalProcess,
  stopProcess,
  waitUntil,
} from '../processes/child.ts'
import { commandLine, hasErrorCode, processesIn } from '../processes/inspect.ts'
import { claimPort } from './ports.ts'
import { nativeFolder, reachableDir } from './postgresFiles.ts'
import { requirePassword } from './postgresPassword.ts'
import { startServer } from './start.ts'

/** The user and database of every embedded server. */
const NAME = 'remit'
/** PostgreSQL refuses to run as root, so a root launcher runs it as an unprivileged user. */
const UNPRIVILEGED = 65534

export type PostgresOptions = {
  dataDir: string
  /** 0 means any free port. */
  port: number
  /** The server's log file; by default next to the data directory. */
  log?: string
  /** False trades durability for speed, for databases of a single test run. */
  durable?: boolean
  /**
   * The file with the password for connections; created if missing. Without it, the server
   * trusts every client, for databases of a single test run.
   */
  passwordFile?: string
  /** The installation folder of another server, instead of the embedded one. */
  native?: string
  /** Additional server settings. */
  settings?: Readonly<Record<string, string>>
}

export type PostgresServer = Running & { url: string; port: number; dataDir: string }

/**
 * Starts the server, initialising a new data directory. A server left behind on the
 * same directory by a killed launcher is stopped first.
 * @throws StackError if the port is busy or the server does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const dataDir = reachableDir(options.dataDir)
  const log = options.log ?? `${dataDir}.log`
  const native = options.native ?? nativeFolder()
  await stopLeftoverPostgres(dataDir)
  const port = await claimPort(options.port, 'PostgreSQL', 'POSTGRES_PORT')
  if (!existsSync(join(dataDir, 'PG_VERSION'))) await initialise(native, dataDir)
  const password =
    options.passwordFile === undefined
      ? ''
      : await requirePassword(dataDir, options.passwordFile, NAME, (statement) =>
          single(native, dataDir, statement),
        )
  const { durable = true, settings = {} } = options
  const server = await launch({ native, dataDir, port, log, durable }, settings)
  return {
    pid: server.pid,
    exited: server.exited,
    port,
    dataDir,
    url: `postgres://${NAME}${password && `:${password}`}@127.0.0.1:${port}/${NAME}`,
    // SIGINT is PostgreSQL's fast shutdown: it ends the sessions and writes a checkpoint.
    stop: () => stopProcess(server.pid, 'SIGINT', 15_000),
  }
}

/** Deletes a data directory at its real location, after stopping its server. */
export async function removePostgres(dataDir: string): Promise<void> {
  const real = reachableDir(dataDir)
  await stopLeftoverPostgres(real)
  rmSync(real, { recursive: true, force: true })
}

type Launch = Required<Pick<PostgresOptions, 'native' | 'dataDir' | 'port' | 'log' | 'durable'>>

async function launch(
  { native, dataDir, port, log, durable }: Launch,
  own: Readonly<Record<string, string>>,
): Promise<Spawned> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // All connections use TCP, and a socket path in a deep checkout can be too long.
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '128MB',
    // In the data directory, so that a killed server leaves nothing elsewhere.
    dynamic_shared_memory_type: 'mmap',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...own,
  }
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const [command, ...args] = unprivileged(join(native, 'bin/postgres'), '-D', dataDir, ...flags)
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer({
        name: 'PostgreSQL',
        command,
        args,
        cwd: dirname(dataDir),
        log,
        isUp: (pid) => isReady(dataDir, pid),
        withinMs: 60_000,
        signal: 'SIGINT',
      })
    } catch (error) {
      // Sessions of a killed server keep its shared memory until they detect its end.
      const isHeld = error instanceof StackError && error.message.includes('is still in use')
      if (!isHeld || attempt === 10) throw error
      await Bun.sleep(500)
    }
  }
}

/** The server writes `ready` into line 8 of postmaster.pid once it accepts connections. */
function isReady(dataDir: string, pid: number): boolean {
  const lines = postmasterFile(dataDir)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

function postmasterFile(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Stops a server that a killed launcher left on this directory, after verifying its identity. */
export async function stopLeftoverPostgres(wanted: string): Promise<void> {
  const dataDir = reachableDir(wanted)
  const pid = Number(postmasterFile(dataDir)[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return
  const line = commandLine(pid)
  if (line === undefined) await forgetZombie(dataDir, pid)
  else if (line.includes('postgres') && line.includes(dataDir)) {
    await stopProcess(pid, 'SIGINT', 15_000)
  }
}

/**
 * A killed server remains a zombie where nothing reaps it (in containers without an init), and the next
 * one would consider it alive. Its PID file is removed once no session uses the data.
 */
async function forgetZombie(dataDir: string, pid: number): Promise<void> {
  if (!signalProcess(pid, 0)) return
  const left = () => processesIn(dataDir).length === 0
  if (await waitUntil(left, 10_000)) rmSync(join(dataDir, 'postmaster.pid'), { force: true })
}

/** Prepares the cluster in another folder and renames it, so that a crash leaves no partial cluster. */
async function initialise(native: string, dataDir: string): Promise<void> {
  const parent = dirname(dataDir)
  mkdirSync(parent, { recursive: true })
  for (const entry of readdirSync(parent)) {
    if (entry.startsWith(`${basename(dataDir)}.init-`)) {
      rmSync(join(parent, entry), { recursive: true, force: true })
    }
  }
  if (existsSync(dataDir)) {
    if (readdirSync(dataDir).length > 0) {
      throw new StackError(`${dataDir} is not empty and not a PostgreSQL data directory.`)
    }
    rmSync(dataDir, { recursive: true })
  }
  const draft = join(parent, `${basename(dataDir)}.init-${process.pid}`)
  mkdirSync(draft, { mode: 0o700 })
  if (process.getuid?.() === 0) chownSync(draft, UNPRIVILEGED, UNPRIVILEGED)
  const flags = ['-U', NAME, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
  await run(unprivileged(join(native, 'bin/initdb'), '-D', draft, ...flags))
  await single(native, draft, `create database ${NAME}`)
  renameSync(draft, dataDir)
}

/** Executes a statement on the data of a stopped server. */
async function single(native: string, dataDir: string, statement: string): Promise<void> {
  const command = join(native, 'bin/postgres')
  await run(unprivileged(command, '--single', '-D', dataDir, 'postgres'), `${statement}\n`)
}

/** In its own session: Ctrl-C reaches only the launcher, which waits for this command. */
async function run([command = '', ...args]: string[], input = ''): Promise<void> {
  const child = spawn(command, args, {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.on('data', (bytes) => {
    words += String(bytes)
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new StackError(`PostgreSQL could not be set up: ${words.trim()}`)
}

/** The command, run through setpriv under another uid if this process is root. */
function unprivileged(command: string, ...args: string[]): [string, ...string[]] {
  if (process.getuid?.() !== 0) return [command, ...args]
  const setpriv = Bun.which('setpriv')
  if (setpriv === null) {
    throw new StackError(
      'PostgreSQL refuses to run as root and setpriv (package util-linux) is missing: ' +
        'run this as another user, or set DATABASE_URL.',
    )
  }
  const identity = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups']
  return [setpriv, ...identity, command, ...args]
}
