import { ms, type Report } from '../../report.ts'
import type { Figures } from '../cell.ts'
import { ratio, settleFor, summary } from '../matrix.ts'
import type { Selection } from '../selection.ts'
import type { Scheme } from '../side.ts'
import { SIDE_TITLES, type SideName } from '../side.ts'
import { onStage } from '../stage.ts'

/** Settlements by other schemes than `exact` with EIP-3009, ours beside the reference's. */

const BLOCKS = 1000
const CALLERS = [64, 256]
const QUICK_CALLERS = [64]

const TITLES: Readonly<Record<Scheme, string>> = {
  upto: 'upto, of less than its maximum',
  permit2: 'exact by Permit2',
  channels: 'deposits into channels of batch-settlement',
}
const NOTE =
  'Blocks of 1 s. Callers post settles and send the next one when the last is answered. The reference ' +
  "is `@x402/evm`'s own facilitator for the scheme. Gas is that of all the side's transactions by " +
  'payments. Wrong answers are those that the chain contradicts.'

/** Measures one scheme and prints its table. */
export function measureScheme(scheme: Scheme) {
  return async (report: Report, selection: Selection): Promise<void> => {
    const callers = selection.isQuick ? QUICK_CALLERS : CALLERS
    const columns = new Map<SideName, readonly Figures[]>()
    for (const name of selection.sides) {
      columns.set(name, await column(scheme, name, callers, selection.seconds))
    }
    report.table(`x402: ${TITLES[scheme]}`, NOTE, rows(callers, columns))
  }
}

function column(
  scheme: Scheme,
  name: SideName,
  callers: readonly number[],
  seconds: number,
): Promise<readonly Figures[]> {
  return onStage(name, { blocks: BLOCKS, merchants: 1, scheme }, async (stage) => {
    const found: Figures[] = []
    for (const count of callers) {
      const figures = await settleFor(stage, BLOCKS, count, seconds)
      console.log(`${scheme}, ${count} callers, ${name}: ${summary(figures)}`)
      found.push(figures)
    }
    return found
  })
}

function rows(
  callers: readonly number[],
  columns: ReadonlyMap<SideName, readonly Figures[]>,
): string[][] {
  const header = [
    ...['callers', 'side', 'settled/s', 'failures', 'p50', 'p99', 'gas per settlement'],
    ...['reverted', 'wrong answers', 'rate ÷ reference', 'rate ÷ nonce manager'],
  ]
  const body = callers.flatMap((count, i) =>
    [...columns].flatMap(([name, figures]) => {
      const own = figures[i]
      if (own === undefined) return []
      const against = (other: SideName) =>
        name === 'ours' ? ratio(own.perSecond, columns.get(other)?.[i]?.perSecond) : ''
      return [
        [
          ...[String(count), SIDE_TITLES[name], own.perSecond.toFixed(1), String(own.failures)],
          ...[ms(own.p50), ms(own.p99), Math.round(own.gasPerSettlement).toLocaleString('en')],
          ...[String(own.reverted), String(own.wrong), against('plain'), against('nonceManager')],
        ],
      ]
    }),
  )
  return [header, ...body]
}
