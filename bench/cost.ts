import { cells, HEADER, timesOf, used, withoutRest } from './cost/parts.ts'
import { measureStack } from './cost/rest.ts'
import { openStatements, SETTINGS } from './cost/statements.ts'
import { type Sizes, works } from './cost/work.ts'
import type { Report } from './report.ts'
import { type CountedStack, startCountedStack } from './rpc/stack.ts'

/**
 * Processor time for each piece of work, by process, and at rest. Rates differ from day to day and machine to
 * machine; processor time differs little, and is what an operator pays for.
 */

const BLOCK_TIME_MS = 1_000
/** After the start: what a deployment does once is over. */
const SETTLING_MS = 15_000

export async function measureCost(report: Report, quick: boolean): Promise<void> {
  const sizes: Sizes = quick ? { seconds: 3, invoices: 20 } : { seconds: 10, invoices: 200 }
  const stack = await startCountedStack({
    ...{ blockTimeMs: BLOCK_TIME_MS, urls: 1, hasWebSocket: false },
    variables: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    postgres: SETTINGS,
  })
  try {
    await measureWork(report, stack, sizes, quick ? 10 : 60)
  } finally {
    await stack.stop()
  }
  await measureStack(report, quick ? 20 : 60)
}

async function measureWork(
  report: Report,
  stack: CountedStack,
  sizes: Sizes,
  restSeconds: number,
): Promise<void> {
  const statements = await openStatements(stack.database)
  await Bun.sleep(SETTLING_MS)
  await statements.forget()
  const first = timesOf(stack.pids)
  await Bun.sleep(restSeconds * 1000)
  const rest = used(first, timesOf(stack.pids))
  const tops: [string, string[][]][] = [['a second at rest', await statements.top(restSeconds)]]
  const perSecond = new Map(
    [...rest].map(([part, { user, system }]) => [
      part,
      { user: user / restSeconds, system: system / restSeconds },
    ]),
  )
  const rows = [['work', 'pieces', ...HEADER]]
  for (const { name, prepare, run } of works(stack, sizes)) {
    await prepare?.()
    await statements.forget()
    const [before, started] = [timesOf(stack.pids), performance.now()]
    const pieces = await run()
    const seconds = (performance.now() - started) / 1000
    const times = withoutRest(used(before, timesOf(stack.pids)), perSecond, seconds)
    rows.push([name, String(pieces), ...cells(times, 1000 / pieces, 2)])
    tops.push([name, await statements.top(pieces)])
  }
  report.table(
    'Processor time by piece of work',
    'Milliseconds of processor time for each piece, without what the parts use at rest meanwhile. The load generator and the chain are not counted.',
    rows,
  )
  report.table(
    'A deployment at rest',
    `One chain with blocks of one second, one process of each kind: shares of one core in percent, over ${restSeconds} s.`,
    [HEADER, cells(perSecond, 100, 2)],
  )
  for (const [name, top] of tops) {
    report.table(
      `Statements: ${name}`,
      'For each piece: milliseconds in Postgres by its own clock, calls, rows, bytes of WAL.',
      [['ms', 'calls', 'rows', 'WAL', 'statement'], ...top],
    )
  }
}
