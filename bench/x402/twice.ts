import type { Report } from '../report.ts'
import { measureCell } from './cell.ts'
import { type Attempt, postTwice, type Run } from './load.ts'
import { summary } from './matrix.ts'
import type { Selection } from './selection.ts'
import { SIDE_TITLES, type SideName } from './side.ts'
import { onStage } from './stage.ts'

/** Every authorization posted twice at the same time. */

const AUTHORIZATIONS = 500
const BLOCKS = 1000

export async function measureTwice(report: Report, selection: Selection): Promise<void> {
  const body: string[][] = []
  for (const name of selection.sides) body.push(await twiceOn(name))
  report.table(
    `x402: ${AUTHORIZATIONS} authorizations, each posted twice at once`,
    'Blocks of 1 s. One of the two must get a success, and the other the refusal of a duplicate; a caller that gets a success serves the resource.',
    [
      [
        ...['side', 'paid on-chain', 'one success', 'two successes', 'no success'],
        ...['duplicate_settlement', 'reverted', 'wrong answers'],
      ],
      ...body,
    ],
  )
}

function twiceOn(name: SideName): Promise<string[]> {
  return onStage(name, { blocks: BLOCKS, merchants: 1 }, async (stage) => {
    const { side, payers, settle, ready } = stage
    const postings = await payers.sign(side.chain, side.merchants, AUTHORIZATIONS)
    await ready()
    let attempts: readonly Attempt[] = []
    const load = async (): Promise<Run> => {
      const run = await postTwice(settle, postings)
      attempts = run.attempts
      return run
    }
    const figures = await measureCell(side, BLOCKS, load)
    console.log(`twice, ${name}: ${summary(figures)}`)
    const successes = [...successesOf(attempts).values()]
    const answered = (times: number) => String(successes.filter((count) => count === times).length)
    const duplicates = figures.reasons.get('duplicate_settlement') ?? 0
    return [
      ...[SIDE_TITLES[name], String(figures.paid), answered(1), answered(2), answered(0)],
      ...[String(duplicates), String(figures.reverted), String(figures.wrong)],
    ]
  })
}

/** How often each authorization was answered with a success. */
function successesOf(attempts: readonly Attempt[]): ReadonlyMap<string, number> {
  const successes = new Map<string, number>()
  for (const { posting, said } of attempts) {
    const { key } = posting
    successes.set(key, (successes.get(key) ?? 0) + (said === 'yes' ? 1 : 0))
  }
  return successes
}
