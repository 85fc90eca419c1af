import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Variables } from '../../core/config/reader.ts'
import { ROOT, VIEWS_SCHEMA } from '../deployment/schemaName.ts'

export interface PonderOptions {
  readonly schema: string
  /** Whether it makes the views that readers use as soon as the past is indexed. */
  readonly createsViews: boolean
  readonly host: string
  readonly port: number
  /** The whole configuration, resolved; Ponder's process reads it again. */
  readonly variables: Variables
  readonly hide: (text: string) => string
  readonly log: Logger
}

export interface PonderExit {
  readonly code: number | null
  readonly signal: string | null
}

export interface PonderProcess {
  readonly pid: number
  readonly exited: Promise<PonderExit>
  /** Ends it in order, or by force when it has not ended in time. */
  stop(graceMs: number): Promise<PonderExit>
}

/** Starts Ponder under this very runtime, as a child that ends when this process ends. */
export function startPonder({
  schema,
  createsViews,
  host,
  port,
  ...options
}: PonderOptions): PonderProcess {
  const args = ['--bun', ponderScript(), 'start', '--root', ROOT, '--schema', schema]
  if (createsViews) args.push('--views-schema', VIEWS_SCHEMA)
  args.push('--port', String(port), '--hostname', host)
  args.push('--log-format', 'json', '--log-level', ponderLevel(options.log.level))
  const child = spawn(process.execPath, args, {
    // It writes its GraphQL schema into a folder of its working directory.
    cwd: ROOT,
    env: {
      ...options.variables,
      // Ponder prefers this variable, which is the API's, to its own argument.
      PORT: String(port),
      // The collector takes this for the machine's memory, in bytes, and so collects more often. While
      // it catches up, tens of thousands of logs a second are read and thrown away.
      BUN_JSC_forceRAMSize: '200000000',
    },
    // When this process ends, its input does too, and Ponder with it: see parent.ts.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('Ponder could not be started')
  forward(child.stdout, (line) => process.stdout.write(`${options.hide(line)}\n`))
  forward(child.stderr, (line) => options.log.warn({ pid }, options.hide(line)))
  const exited = new Promise<PonderExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  return {
    pid,
    exited,
    async stop(graceMs) {
      // On SIGTERM it would end without releasing its schema.
      child.kill('SIGINT')
      const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
      const exit = await exited
      clearTimeout(force)
      return exit
    },
  }
}

/** Ponder's command line, found from the package itself because installers place it differently. */
function ponderScript(): string {
  return join(dirname(Bun.resolveSync('ponder', ROOT)), 'bin/ponder.js')
}

/** At its level "info" Ponder logs every block, which is worth reading only when debugging. */
function ponderLevel(level: string): string {
  return ['debug', 'trace', 'error'].includes(level) ? level : 'warn'
}

function forward(stream: Readable, take: (line: string) => void): void {
  createInterface({ input: stream }).on('line', take)
}
