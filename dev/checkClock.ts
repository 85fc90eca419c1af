/**
 * `bun run check:clock`: the tests on another day or in another time zone.
 *
 *     bun run check:clock --at +400d                            # the whole check, 400 days from now
 *     bun run check:clock --at 2028-02-28T23:59:00Z test/store  # tests of a folder, before a leap day
 *     bun run check:clock --at Pacific/Kiritimati test/core test/api
 *
 * Browsers are left out of the second form by naming folders without pages. Linux and a C compiler are needed.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runToEnd } from './processes/command.ts'
import { canInstallPackages, installPackages } from './servers/debianPackages.ts'

const DAY_SECONDS = 86_400

/** The variables that move the clock to `at`: days from now (`+40d`), an instant, or a time zone. */
export function clockVariables(at: string, now: Date): Record<string, string> {
  const days = /^\+(\d{1,4})d$/.exec(at)?.[1]
  if (days !== undefined) return { CLOCK_SECONDS: `${Number(days) * DAY_SECONDS}` }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at)) {
    return { CLOCK_SECONDS: `${Math.round((Date.parse(at) - now.getTime()) / 1000)}` }
  }
  if (Intl.supportedValuesOf('timeZone').includes(at)) return { TZ: at }
  throw new RangeError(`--at takes +40d, 2028-02-28T23:59:00Z or a time zone, not "${at}"`)
}

async function compile(folder: string): Promise<string> {
  const library = join(folder, 'clock.so')
  if (Bun.which('cc') === null && canInstallPackages()) {
    await installPackages(['gcc', 'libc6-dev'], new AbortController().signal)
  }
  const source = join(import.meta.dirname, 'clock.c')
  const command = ['cc', '-shared', '-fPIC', '-O2', '-o', library, source]
  const failure = await runToEnd(command)
  if (failure !== undefined) throw new Error(`cc could not compile dev/clock.c: ${failure}`)
  return library
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { at: { type: 'string', default: '+400d' } },
    allowPositionals: true,
  })
  const moved = clockVariables(values.at, new Date())
  const folder = mkdtempSync(join(tmpdir(), 'remit-clock-'))
  // Postgres runs under another user.
  chmodSync(folder, 0o755)
  try {
    const variables = { ...process.env, ...moved, LD_PRELOAD: await compile(folder) }
    const command =
      positionals.length === 0 ? ['run', 'check'] : ['test', '--timeout', '120000', ...positionals]
    const child = Bun.spawn([process.execPath, ...command], {
      ...{ cwd: join(import.meta.dirname, '..'), env: variables },
      ...{ stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
    })
    const stop = () => child.kill('SIGTERM')
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    process.exitCode = await child.exited
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) await main()
