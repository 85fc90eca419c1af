import { type Computed, computedDuring, perPiece } from '../process.ts'
import { ms, percentile, type Report } from '../report.ts'
import { callAndWait, type Run } from './load.ts'
import { ratio } from './matrix.ts'
import type { Posting } from './posting.ts'
import type { Selection } from './selection.ts'
import { SIDE_TITLES, type SideName } from './side.ts'
import { onStage } from './stage.ts'

/** Verifications per second, ours beside the reference. */

const CALLERS = 64
/** Each is verified many times; verifying leaves no trace on either side. */
const AUTHORIZATIONS = 2_000

export async function measureVerify(report: Report, selection: Selection): Promise<void> {
  const names = selection.sides.filter((name) => name !== 'nonceManager')
  const runs = new Map<SideName, Verifying>()
  for (const name of names) runs.set(name, await verifyOn(name, selection.seconds))
  const plain = runs.get('plain')
  const body = [...runs].map(([name, run]) => {
    const { attempts, computed } = run
    const good = attempts.filter(({ said }) => said === 'yes')
    const latencies = good.map(({ latencyMs }) => latencyMs)
    return [
      SIDE_TITLES[name],
      rate(run).toFixed(0),
      String(attempts.length - good.length),
      ms(percentile(latencies, 0.5)),
      ms(percentile(latencies, 0.99)),
      name === 'ours' ? ratio(rate(run), plain && rate(plain)) : '',
      perPiece([computed], attempts.length),
    ]
  })
  report.table(
    `x402: verify, ${CALLERS} callers`,
    `Valid payments, of which ${AUTHORIZATIONS} take turns; every answer must be a yes. As much again went before, unmeasured. The last column has the processor time of each in ms: load generator, facilitator, chain and database share the machine.`,
    [['side', 'verified/s', 'failures', 'p50', 'p99', 'ratio', 'processor time'], ...body],
  )
}

/** A run, and what each part has computed for it. */
type Verifying = Run & { readonly computed: Computed }

function verifyOn(name: SideName, seconds: number): Promise<Verifying> {
  return onStage(name, { blocks: 1000, merchants: 1 }, async ({ side, payers, verify, ready }) => {
    await ready()
    const postings = await payers.sign(side.chain, side.merchants, AUTHORIZATIONS)
    const span = { seconds, leastRounds: 0, mostSeconds: seconds }
    // Both sides run JavaScript, which is compiled while it runs: as much again goes before.
    await callAndWait(verify, CALLERS, span, inTurns(postings))
    const { result, computed } = await computedDuring(side.processes, () =>
      callAndWait(verify, CALLERS, span, inTurns(postings)),
    )
    return { ...result, computed }
  })
}

function* inTurns(postings: readonly Posting[]): Generator<Posting> {
  for (;;) yield* postings
}

function rate(run: Run): number {
  return run.attempts.filter(({ said }) => said === 'yes').length / run.seconds
}
