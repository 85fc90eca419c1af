import postgres from 'postgres'
import type { Copy } from './copy.ts'

/** One run of one test file in a copy of the tree. */
export interface TestRun {
  readonly passed: boolean
  readonly timedOut: boolean
  /** The test that failed; null when the file failed outside of a test. */
  readonly failed: string | null
  readonly seconds: number
}

/** The servers of the whole run, which the tests find instead of starting their own. */
export interface Servers {
  readonly databaseUrl: string
  readonly redisUrl: string
}

const FAILED = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m

/** The test processes that run now. */
const underWay = new Set<Bun.Subprocess>()

export function killTests(): void {
  for (const child of underWay) child.kill('SIGKILL')
}

/** Runs a test file up to its first failure, and no longer than `limit` seconds. */
export async function runTest(
  copy: Copy,
  servers: Servers,
  test: string,
  limit: number,
): Promise<TestRun> {
  const started = performance.now()
  const child = Bun.spawn(commandOf(test), {
    cwd: copy.dir,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      ...process.env,
      DATABASE_URL: servers.databaseUrl,
      REDIS_URL: servers.redisUrl,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
  })
  underWay.add(child)
  let timedOut = false
  const alarm = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, limit * 1000)
  // The pipes are not waited for: what a killed test leaves running holds them open.
  const output = collect(child.stdout, child.stderr)
  const code = await child.exited
  clearTimeout(alarm)
  underWay.delete(child)
  copy.sweep()
  await dropDatabases(servers.databaseUrl, child.pid)
  const text = await Promise.race([output.ended, Bun.sleep(500).then(output.soFar)])
  const seconds = (performance.now() - started) / 1000
  const failed = FAILED.exec(text)?.[1] ?? null
  return { passed: code === 0, timedOut, failed, seconds }
}

function commandOf(test: string): string[] {
  return [process.execPath, 'test', '--bail', '--timeout', '60000', `./${test}`]
}

function collect(...streams: ReadableStream<Uint8Array>[]) {
  let text = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  }
  const soFar = () => text
  return { soFar, ended: Promise.all(streams.map(read)).then(soFar) }
}

/** A test that fails with --bail, or is killed, leaves its databases; they bear its process's id. */
async function dropDatabases(url: string, pid: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const rows = await sql<{ datname: string }[]>`
      select datname from pg_database where datname like ${`test\\_${pid}\\_%`}`
    for (const { datname } of rows) await sql`drop database if exists ${sql(datname)} with (force)`
  } finally {
    await sql.end()
  }
}
