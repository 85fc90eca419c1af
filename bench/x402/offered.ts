import { ms, type Report } from '../report.ts'
import { type Figures, measureCell } from './cell.ts'
import { offer } from './load.ts'
import { summary } from './matrix.ts'
import type { Selection } from './selection.ts'
import { onStage } from './stage.ts'

/** More payments than a chain with one transaction each could carry, offered at a steady pace. */

const PER_SECOND = 500
const SECONDS = 20
const QUICK_SECONDS = 5
const BLOCKS = 1000

/** Ours alone: the reference can't keep up with a tenth of it. */
export async function measureOffered(report: Report, selection: Selection): Promise<void> {
  const seconds = selection.isQuick ? QUICK_SECONDS : SECONDS
  const figures = await onStage('ours', { blocks: BLOCKS, merchants: 1 }, async (stage) => {
    const { side, payers, settle, ready } = stage
    const postings = await payers.sign(side.chain, side.merchants, PER_SECOND * seconds)
    await ready()
    return measureCell(side, BLOCKS, () => offer(settle, PER_SECOND, postings))
  })
  console.log(`offered: ${summary(figures)}`)
  report.table(
    `x402: ${PER_SECOND} payments offered per second`,
    `For ${seconds} s at blocks of 1 s, each sent at its time without waiting for answers; latencies count from that time.`,
    [HEADER, row(PER_SECOND * seconds, figures)],
  )
}

const HEADER = [
  ...['offered', 'settled', 'failures', 'settled/s', 'p50', 'p99', 'transactions'],
  ...['reverted', 'wrong answers'],
]

function row(offered: number, figures: Figures): string[] {
  return [
    offered.toLocaleString('en'),
    figures.settled.toLocaleString('en'),
    String(figures.failures),
    figures.perSecond.toFixed(0),
    ms(figures.p50),
    ms(figures.p99),
    String(figures.transactions),
    String(figures.reverted),
    String(figures.wrong),
  ]
}
