import { ms, type Report } from '../report.ts'
import { type Figures, measureCell } from './cell.ts'
import { callAndWait } from './load.ts'
import type { Selection } from './selection.ts'
import { type Blocks, SIDE_TITLES, type SideName } from './side.ts'
import { onStage, type Stage } from './stage.ts'

/** Callers that wait for each answer: ours beside the reference, by the number of callers. */

const NOTE =
  'Callers post x402 v2 settles and send the next one when the last is answered. The reference is ' +
  '`@x402/core` and `@x402/evm` behind HTTP as their server example puts them together, with one ' +
  "account, once with viem's nonce manager. Failures are answers without a success; p50 and p99 are " +
  "of successes. Gas is that of all the side's transactions, distributions included, by payments. " +
  'Wrong answers are those that the chain contradicts: a no to a payment that was made, or a yes ' +
  "to one that was not. The last column has the shares of all the machine's processors."
/** What is signed for one measurement at most. */
const MOST_POSTINGS = 14_000
const AUTOMINE_POSTINGS = 8_000
/** For sides that fail faster than blocks come. */
const SPARE_POSTINGS = 1_500
const LEAST_ROUNDS = 3
const MOST_SECONDS = 30

type Column = ReadonlyMap<number, Figures>

export async function measureMatrix(report: Report, selection: Selection): Promise<void> {
  for (const blocks of selection.blocks) {
    const columns = new Map<SideName, Column>()
    for (const name of selection.sides) {
      columns.set(name, await measureSide(name, blocks, selection))
    }
    report.table(
      `x402: callers that wait, ${blocksTitle(blocks)}`,
      NOTE,
      rows(selection, blocks, columns),
    )
  }
}

function blocksTitle(blocks: Blocks): string {
  return blocks === 'automine' ? 'a block per transaction' : `blocks of ${blocks / 1000} s`
}

function measureSide(name: SideName, blocks: Blocks, selection: Selection): Promise<Column> {
  return onStage(name, { blocks, merchants: 1 }, async (stage) => {
    const column = new Map<number, Figures>()
    for (const callers of selection.callers) {
      const figures = await settleFor(stage, blocks, callers, selection.seconds)
      console.log(`${blocksTitle(blocks)}, ${callers} callers, ${name}: ${summary(figures)}`)
      column.set(callers, figures)
    }
    return column
  })
}

/** Callers settle in a closed loop for some seconds, and for three rounds at least. */
export async function settleFor(
  { side, payers, settle, ready }: Stage,
  blocks: Blocks,
  callers: number,
  seconds: number,
): Promise<Figures> {
  await ready()
  const rounds = blocks === 'automine' ? 0 : Math.ceil((seconds * 1000) / blocks) + LEAST_ROUNDS
  const count = rounds === 0 ? AUTOMINE_POSTINGS : callers * rounds + SPARE_POSTINGS
  const postings = await payers.sign(side.chain, side.merchants, Math.min(count, MOST_POSTINGS))
  const span = { seconds, leastRounds: LEAST_ROUNDS, mostSeconds: MOST_SECONDS }
  return measureCell(side, blocks, () => callAndWait(settle, callers, span, postings.values()))
}

/** One line of progress, with figures that the tables leave out. */
export function summary(figures: Figures): string {
  const reasons = [...figures.reasons].map(([reason, count]) => `${count} ${reason}`)
  return [
    `${figures.perSecond.toFixed(1)}/s`,
    `p50 ${ms(figures.p50)}`,
    `p99 ${ms(figures.p99)}`,
    `${figures.settled} reported, ${figures.paid} paid in ${figures.transactions} transactions`,
    `gas ${figures.gasPerSettlement.toFixed(0)}`,
    `${figures.reverted} reverted, ${figures.wrong} wrong`,
    ...reasons,
  ].join(', ')
}

function rows(
  { callers, sides }: Selection,
  blocks: Blocks,
  columns: ReadonlyMap<SideName, Column>,
): string[][] {
  const header = [
    ...['callers', 'side', 'settled/s', 'failures', 'p50', 'p99', 'gas per settlement', 'reverted'],
    ...['wrong answers', 'of one per caller and block'],
    ...['rate ÷ reference', 'rate ÷ nonce manager', 'p50 ÷ reference', 'processors'],
  ]
  const body = callers.flatMap((count) =>
    sides.map((name) => {
      const own = columns.get(name)?.get(count)
      if (!own) return []
      const plain = columns.get('plain')?.get(count)
      const managed = columns.get('nonceManager')?.get(count)
      const ratios = [
        ratio(own.perSecond, plain?.perSecond),
        ratio(own.perSecond, managed?.perSecond),
        ratio(own.p50, plain?.p50),
      ]
      return [
        String(count),
        SIDE_TITLES[name],
        ...cells(own),
        blocks === 'automine' ? '' : `${((own.perSecond * blocks) / count / 10).toFixed(0)} %`,
        ...(name === 'ours' ? ratios : ['', '', '']),
        sharesOf(own),
      ]
    }),
  )
  return [header, ...body]
}

/** Which share of the processors each part took. */
function sharesOf({ processors }: Figures): string {
  return Object.entries(processors)
    .map(([part, share]) => `${part} ${(share * 100).toFixed(0)} %`)
    .join(', ')
}

function cells(figures: Figures): string[] {
  return [
    figures.perSecond.toFixed(1),
    String(figures.failures),
    ms(figures.p50),
    ms(figures.p99),
    Math.round(figures.gasPerSettlement).toLocaleString('en'),
    String(figures.reverted),
    String(figures.wrong),
  ]
}

export function ratio(ours: number, reference: number | undefined): string {
  return reference === undefined ? '' : (ours / reference).toFixed(2)
}
