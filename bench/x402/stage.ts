import { callAndWait, type Run, type Target } from './load.ts'
import { startOurs } from './ours.ts'
import { createPayers, type Payers } from './payers.ts'
import { startReference } from './reference.ts'
import type { Side, SideName, SideOptions } from './side.ts'

/** A side with payers, warmed up and ready to be measured. */

export interface Stage {
  readonly side: Side
  readonly payers: Payers
  readonly settle: Target
  readonly verify: Target
  /** Waits until the side is idle and warms it up again, without a transaction. */
  ready(): Promise<void>
}

/** One for each caller at least. */
const PAYERS = 1_024
const WARM_CALLERS = 32
const WARM_VERIFIES = 320
const ONE_ROUND = { seconds: 0, leastRounds: 1, mostSeconds: 10 }

/** Starts a side, runs the work on it, and stops it even after an error. */
export async function onStage<T>(
  name: SideName,
  options: SideOptions,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const side = name === 'ours' ? await startOurs(options) : await startReference(name, options)
  try {
    const payers = createPayers(PAYERS)
    await payers.fund(side.chain)
    if (isByPermit(options)) await payers.approve(side.chain)
    const stage = stageOf(side, payers)
    // One settlement for each of some callers, so that nothing happens for the first time later.
    await post(stage, stage.settle, WARM_CALLERS)
    return await work(stage)
  } finally {
    await side.stop()
  }
}

function isByPermit({ scheme }: SideOptions): boolean {
  return scheme === 'upto' || scheme === 'permit2'
}

function stageOf(side: Side, payers: Payers): Stage {
  const stage: Stage = {
    side,
    payers,
    settle: { port: side.port, path: side.paths.settle, headers: side.headers },
    verify: { port: side.port, path: side.paths.verify },
    async ready() {
      await side.rest()
      await post(stage, stage.verify, WARM_VERIFIES)
    },
  }
  return stage
}

async function post({ side, payers }: Stage, target: Target, count: number): Promise<Run> {
  const postings = await payers.sign(side.chain, side.merchants, count)
  const span = { ...ONE_ROUND, leastRounds: count / WARM_CALLERS }
  return callAndWait(target, WARM_CALLERS, span, postings.values())
}
