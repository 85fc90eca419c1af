import { cpus } from 'node:os'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import { computedDuring } from '../process.ts'
import { percentile } from '../report.ts'
import { drained, freshBlock } from './chain.ts'
import { contradictions, type Evidence, readEvidence } from './evidence.ts'
import type { Run } from './load.ts'
import type { Blocks, PaymentRequirements, Side } from './side.ts'

/** One measurement: the answers that callers got, compared with what the chain says. */

export interface Figures {
  /** Requests that were answered with a success. */
  readonly settled: number
  readonly perSecond: number
  /** Requests without a success. */
  readonly failures: number
  /** What was answered instead of a success, in its first line, and how often. */
  readonly reasons: ReadonlyMap<string, number>
  /** Of the requests that were answered with a success, in ms. */
  readonly p50: number
  readonly p99: number
  /** All the gas of the facilitator's transactions, by the payments that they made. */
  readonly gasPerSettlement: number
  readonly transactions: number
  readonly reverted: number
  /** Payouts of forwarders to merchants. */
  readonly distributions: number
  /** Answers that the chain contradicts. */
  readonly wrong: number
  readonly paid: number
  /** The share of the machine's processors that each part took, the load generator among them; 1 for all of them. */
  readonly processors: Readonly<Record<string, number>>
}

/** Runs a load on an idle side, from a fresh block on, and reads the chain afterwards. */
export async function measureCell(
  side: Side,
  blocks: Blocks,
  load: () => Promise<Run>,
): Promise<Figures> {
  const first = await freshBlock(side.chain, blocks)
  const began = performance.now()
  const { result: run, computed } = await computedDuring(side.processes, load)
  const all = ((performance.now() - began) / 1_000) * cpus().length
  const processors = Object.fromEntries(
    Object.entries(computed).map(([part, seconds]) => [part, seconds / all]),
  )
  const last = await drained(side.chain, blocks)
  const byPermit = new Set(side.merchants.filter(isByPermit).map(payeeOf))
  const evidence = await readEvidence(side.chain, side.senders, first + 1n, last, byPermit)
  return figuresOf(run, evidence, processors)
}

const isByPermit = ({ extra }: PaymentRequirements) => extra.assetTransferMethod === 'permit2'
const payeeOf = ({ payTo }: PaymentRequirements) => lowerCaseAddress(payTo)

function figuresOf(run: Run, evidence: Evidence, processors: Figures['processors']): Figures {
  const successes = run.attempts.filter(({ said }) => said === 'yes')
  const others = run.attempts.filter(({ said }) => said !== 'yes')
  const latencies = successes.map(({ latencyMs }) => latencyMs)
  const reasons = new Map<string, number>()
  for (const { reason } of others) {
    const [line = ''] = reason.split('\n')
    reasons.set(line, (reasons.get(line) ?? 0) + 1)
  }
  return {
    settled: successes.length,
    perSecond: successes.length / run.seconds,
    failures: others.length,
    reasons,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    gasPerSettlement: Number(evidence.gas) / evidence.paid.size,
    transactions: evidence.transactions,
    reverted: evidence.reverted,
    distributions: evidence.distributions,
    wrong: contradictions(run.attempts, evidence).length,
    paid: evidence.paid.size,
    processors,
  }
}
