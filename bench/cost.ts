import { beginProfiles, PROFILED } from './cost/functions.ts'
import {
  cells,
  HEADER,
  medianOf,
  scaled,
  type Times,
  timesOf,
  used,
  withoutRest,
} from './cost/parts.ts'
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
/** The one of median cost is shown: in the first, connections still plan their statements. */
const ROUNDS = 5

export interface CostOptions {
  readonly isQuick: boolean
  /** Pieces of work, by their first words, without the stacks at rest; all by default. */
  readonly only: readonly string[] | undefined
  /** Functions are named beside statements. Then times are longer, by the samples that are taken. */
  readonly hasFunctions: boolean
}

export async function measureCost(report: Report, options: CostOptions): Promise<void> {
  const { isQuick, only, hasFunctions } = options
  const sizes: Sizes = isQuick ? { seconds: 3, invoices: 20 } : { seconds: 5, invoices: 100 }
  const stack = await startCountedStack({
    ...{ blockTimeMs: BLOCK_TIME_MS, urls: 1, hasWebSocket: false },
    variables: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...(hasFunctions && PROFILED) },
    postgres: SETTINGS,
  })
  try {
    await measureWork(report, stack, sizes, options)
  } finally {
    await stack.stop()
  }
  if (only === undefined) await measureStack(report, isQuick ? 20 : 60)
}

async function measureWork(
  report: Report,
  stack: CountedStack,
  sizes: Sizes,
  { isQuick, only, hasFunctions }: CostOptions,
): Promise<void> {
  const [restSeconds, rounds] = isQuick ? [10, 3] : [only === undefined ? 60 : 30, ROUNDS]
  const statements = await openStatements(stack.database)
  await Bun.sleep(SETTLING_MS)
  await statements.forget()
  const resting = hasFunctions ? beginProfiles(stack.pids) : null
  const first = timesOf(stack.pids)
  await Bun.sleep(restSeconds * 1000)
  const rest = used(first, timesOf(stack.pids))
  const named = { name: 'a second at rest', statements: await statements.top(restSeconds) }
  const tops: Top[] = [{ ...named, functions: await resting?.() }]
  const perSecond = scaled(rest, 1 / restSeconds)
  const rows = [['work', 'pieces', ...HEADER]]
  const isWanted = (name: string) => only?.some((word) => name.includes(word)) ?? true
  for (const { name, prepare, run } of works(stack, sizes)) {
    if (!isWanted(name)) continue
    const costs: Times[] = []
    for (let round = 1; ; round += 1) {
      await prepare?.()
      const profile = hasFunctions ? beginProfiles(stack.pids) : null
      await statements.forget()
      const [before, started] = [timesOf(stack.pids), performance.now()]
      const pieces = await run()
      const seconds = (performance.now() - started) / 1000
      const times = withoutRest(used(before, timesOf(stack.pids)), perSecond, seconds)
      costs.push(scaled(times, 1000 / pieces))
      if (round < rounds) continue
      rows.push([name, String(pieces), ...cells(medianOf(costs), 1, 2)])
      tops.push({ name, statements: await statements.top(pieces), functions: await profile?.() })
      break
    }
  }
  report.table(
    'Processor time by piece of work',
    `Milliseconds of processor time for each piece, without what the parts use at rest meanwhile; the median of ${rounds} rounds. The load generator and the chain are not counted.`,
    rows,
  )
  report.table(
    'A deployment at rest',
    `One chain with blocks of one second, one process of each kind: shares of one core in percent, over ${restSeconds} s.`,
    [HEADER, cells(perSecond, 100, 2)],
  )
  for (const top of tops) {
    report.table(
      `Statements: ${top.name}`,
      'For each piece: milliseconds in Postgres by its own clock, calls, rows, bytes of WAL.',
      [['ms', 'calls', 'rows', 'WAL', 'statement'], ...top.statements],
    )
    if (top.functions === undefined) continue
    report.table(
      `Functions: ${top.name}`,
      'By samples of each process while it worked: the share that each function took itself.',
      [['process', 'share', 'function'], ...top.functions],
    )
  }
}

/** What cost most of a piece of work. */
interface Top {
  readonly name: string
  readonly statements: readonly string[][]
  readonly functions?: readonly string[][] | undefined
}
