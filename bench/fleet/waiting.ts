import { percentile, type Report } from '../report.ts'
import { prepareDrain } from './drain.ts'
import { BLOCK_MS, COUNTS, type Fleet, QUOTA_CORES } from './fleet.ts'
import type { Loads } from './loads.ts'
import { shareByTime, shareOf } from './ramp.ts'

/** How fast 1, 2 and 4 workers of one chain settle payments that wait for them. */

const ROUNDS = 3
/** For each worker, in each round. */
const PAYMENTS = 3_000
const QUICK_PAYMENTS = 600
/** For each worker before it is held, so that its code is compiled. */
const WARM_UP = 3_000

interface Round {
  readonly perSecond: number
  readonly transactions: number
  /** Processors' time a second. */
  readonly held: number
  readonly database: number
}

export async function measureWaiting(
  report: Report,
  fleet: Fleet,
  { payers }: Loads,
  isQuick: boolean,
): Promise<void> {
  console.log(TITLE)
  const payments = isQuick ? QUICK_PAYMENTS : PAYMENTS
  const measured: { processes: number; round: Round }[] = []
  for (const processes of COUNTS) {
    fleet.hold([])
    await fleet.become({ worker: processes })
    const warmUp = await prepareDrain(fleet, payers, WARM_UP * processes)
    await warmUp()
    fleet.hold(['worker'])
    const rounds: Round[] = []
    for (let i = 0; i < ROUNDS; i += 1) {
      const drain = await prepareDrain(fleet, payers, payments * processes)
      rounds.push(await observed(fleet, drain))
    }
    console.log(
      ` ${processes}: ${rounds.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')}/s`,
    )
    measured.push({ processes, round: middle(rounds) })
  }
  report.table(TITLE, NOTE.replace('{payments}', payments.toLocaleString('en')), rowsOf(measured))
}

const TITLE = 'A fleet: x402 payments by workers of one chain'
const NOTE = `{payments} claimed payments wait for each worker, and then the keys may send, one for each worker; the middle one of ${ROUNDS} rounds. Each worker is held to ${QUOTA_CORES} of a processor; Postgres, which doesn't wait for the disk here, Redis and the chain with blocks of ${BLOCK_MS} ms share the machine.`

async function observed(fleet: Fleet, drain: () => Promise<number>): Promise<Round> {
  const now = async () => ({
    at: performance.now() / 1_000,
    held: fleet.computed(['worker']),
    database: fleet.databaseComputed(),
    transactions: await transactionsOf(fleet),
  })
  const before = await now()
  const perSecond = await drain()
  const after = await now()
  const seconds = after.at - before.at
  return {
    perSecond,
    transactions: after.transactions - before.transactions,
    held: (after.held - before.held) / seconds,
    database: (after.database - before.database) / seconds,
  }
}

async function transactionsOf({ database }: Fleet): Promise<number> {
  const [row] = await database<{ n: number }[]>`
    select count(*)::int as n from relayer_tx where kind = 'x402'`
  return row?.n ?? 0
}

function middle(rounds: readonly Round[]): Round {
  const rate = percentile(
    rounds.map(({ perSecond }) => perSecond),
    0.5,
  )
  const found = rounds.find(({ perSecond }) => perSecond === rate)
  if (found === undefined) throw new Error('nothing was measured')
  return found
}

function rowsOf(measured: readonly { processes: number; round: Round }[]): string[][] {
  const [first] = measured
  const rows = measured.map(({ processes, round }, i) => {
    const { perSecond, transactions, held, database } = round
    const before = measured[i - 1]
    const share =
      first && before
        ? shareOf(
            first.round.perSecond,
            { processes: before.processes, perSecond: before.round.perSecond },
            { processes, perSecond },
          ).toFixed(2)
        : ''
    return [
      ...[String(processes), perSecond.toFixed(0), share, String(transactions)],
      ...[(held / processes).toFixed(2), (perSecond / held).toFixed(0)],
      ...[first && before ? shareByTime(first.round, round).toFixed(2) : '', database.toFixed(2)],
    ]
  })
  const header = ['workers', 'settles/s', 'share of each added', 'transactions']
  const used = [
    'CPU of each worker',
    'by second of their CPU',
    "of the first one's",
    'CPU of Postgres',
  ]
  return [[...header, ...used], ...rows]
}
