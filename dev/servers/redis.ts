/**
 * The development stack's Redis: a server found on this machine, or fetched from the system's
 * package repository if there is none. It appends every write to its log, so that kill -9 of the
 * server loses no acknowledged write.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Running, StackError, stopProcess } from '../processes/child.ts'
import { runToEnd } from '../processes/command.ts'
import { removePidFile, stopOrphan, writePidFile } from '../processes/pidFiles.ts'
import { claimPort } from './ports.ts'
import { startServer } from './start.ts'

export type RedisOptions = {
  dataDir: string
  /** 0 means any free port. */
  port: number
  /** The server's log file; by default next to the data directory. */
  log?: string
  /** Called with a message about what is being installed. */
  say?: (sentence: string) => void
}

export type RedisServer = Running & { url: string; port: number }

const HOW_TO_GET_IT =
  'No Redis was found: install redis-server or valkey-server, or set REDIS_URL to a running one.'
const FETCHED = resolve(import.meta.dir, '../../.cache/redis')
/** Packages of redis-server on Debian and Ubuntu beyond the C library; the server is in the tools. */
const PACKAGES = ['redis-tools', 'liblzf1', 'libjemalloc2', 'libatomic1']

type Binary = { command: string; libraries?: string }

/**
 * Starts the server, after stopping one that a killed launcher left on the same directory.
 * @throws StackError if there is no Redis, the port is busy or the server does not start.
 */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const dataDir = resolve(options.dataDir)
  const log = options.log ?? `${dataDir}.log`
  const pidFile = join(dataDir, 'redis.pid')
  await stopOrphan(pidFile, 'SIGTERM')
  const binary = await findRedis(options.say ?? (() => {}))
  const port = await claimPort(options.port, 'Redis', 'REDIS_PORT')
  mkdirSync(dataDir, { recursive: true })
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: dataDir,
    daemonize: 'no',
    appendonly: 'yes',
    save: '',
    // Queues must never be evicted: a full Redis must refuse writes instead.
    'maxmemory-policy': 'noeviction',
  }
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value])
  const running = await startServer({
    name: 'Redis',
    command: binary.command,
    args,
    cwd: dataDir,
    env: { ...process.env, ...(binary.libraries ? { LD_LIBRARY_PATH: binary.libraries } : {}) },
    log,
    isUp: () => answers(port),
    withinMs: 30_000,
    signal: 'SIGTERM',
    onSpawn: (pid) => writePidFile(pidFile, pid),
  })
  return {
    pid: running.pid,
    exited: running.exited,
    port,
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      await stopProcess(running.pid, 'SIGTERM')
      removePidFile(pidFile)
    },
  }
}

/** Whether the server on this port has loaded its data: until then PING returns -LOADING. */
async function answers(port: number): Promise<boolean> {
  const answer = Promise.withResolvers<boolean>()
  try {
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_socket, bytes) => answer.resolve(bytes.toString().startsWith('+PONG')),
        close: () => answer.resolve(false),
        error: () => answer.resolve(false),
      },
    })
    socket.write('PING\r\n')
    const timeout = setTimeout(() => answer.resolve(false), 1_000)
    const ready = await answer.promise
    clearTimeout(timeout)
    socket.end()
    return ready
  } catch {
    // It doesn't listen yet; the caller retries.
    return false
  }
}

/**
 * Finds a server: on PATH, fetched earlier, installed by apt as root, fetched by apt without root.
 * @throws StackError with instructions to install one.
 */
async function findRedis(say: (sentence: string) => void): Promise<Binary> {
  const present = onPath() ?? fetched()
  if (present !== undefined) return present
  if (Bun.which('apt-get') === null) throw new StackError(HOW_TO_GET_IT)
  if (process.getuid?.() === 0) await installByApt(say)
  else await fetchByApt(say)
  const found = onPath() ?? fetched()
  if (found === undefined) throw new StackError(HOW_TO_GET_IT)
  return found
}

function onPath(): Binary | undefined {
  const folders = [process.env.PATH, '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'].join(':')
  const command =
    Bun.which('redis-server', { PATH: folders }) ?? Bun.which('valkey-server', { PATH: folders })
  return command === null ? undefined : { command }
}

async function installByApt(say: (sentence: string) => void): Promise<void> {
  say('Redis is not installed; installing the Debian package redis-server with apt-get.')
  const install = ['apt-get', 'install', '-y', '-o', 'DPkg::Lock::Timeout=120', 'redis-server']
  if ((await runToEnd(install)) === undefined) return
  await runToEnd(['apt-get', 'update'])
  const failure = await runToEnd(install)
  if (failure !== undefined) {
    throw new StackError(`${HOW_TO_GET_IT} (apt-get install redis-server failed: ${failure})`)
  }
}

/** Without root: unpacks the packages into .cache, with their libraries found by path. */
async function fetchByApt(say: (sentence: string) => void): Promise<void> {
  if (Bun.which('dpkg') === null) throw new StackError(HOW_TO_GET_IT)
  say('Redis is not installed; fetching it into .cache/redis with apt-get download.')
  const draft = `${FETCHED}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(join(draft, 'lists/partial'), { recursive: true })
  mkdirSync(join(draft, 'archives/partial'), { recursive: true })
  let failure = await runToEnd(['apt-get', 'download', ...PACKAGES], { cwd: draft })
  if (failure !== undefined) {
    // The system's package lists may be missing or outdated, and only root can update them: use our own.
    const own = [
      ...['-o', `Dir::State::lists=${draft}/lists`, '-o', `Dir::Cache=${draft}`],
      ...['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User='],
    ]
    await runToEnd(['apt-get', 'update', ...own], { cwd: draft })
    failure = await runToEnd(['apt-get', 'download', ...own, ...PACKAGES], { cwd: draft })
  }
  for (const name of readdirSync(draft).filter((entry) => entry.endsWith('.deb'))) {
    failure ??= await runToEnd(['dpkg', '-x', join(draft, name), join(draft, 'root')])
  }
  if (failure !== undefined) {
    rmSync(draft, { recursive: true, force: true })
    throw new StackError(`${HOW_TO_GET_IT} (apt-get download failed: ${failure})`)
  }
  // The tools ship the server's executable under the name of its file checker.
  symlinkSync('redis-check-rdb', join(draft, 'root/usr/bin/redis-server'))
  rmSync(FETCHED, { recursive: true, force: true })
  await Bun.$`mv ${join(draft, 'root')} ${FETCHED}`.quiet()
  rmSync(draft, { recursive: true, force: true })
}

function fetched(): Binary | undefined {
  const command = join(FETCHED, 'usr/bin/redis-server')
  if (!existsSync(command)) return undefined
  const library = join(FETCHED, 'usr/lib')
  const folders = readdirSync(library).map((name) => join(library, name))
  return { command, libraries: folders.join(':') }
}
