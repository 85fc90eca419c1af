import { expect } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database.ts'
import type { RelayerStep } from '../../../workers/relayer/context.ts'
import { workerUrlOf } from '../servers/database.ts'
import { type FakeRpc, sometimes } from '../servers/fakeRpc.ts'
import { spawnRelayer } from './process.ts'
import { QUICK, relayerVariables } from './relayers.ts'
import type { RelayerRig } from './rig.ts'

/** How workers die by SIGKILL, whatever it is that they send. */

/** Starts one more worker with the same key; it kills itself at a step, if one is named. */
export type Spawn = (killAt?: RelayerStep) => ReturnType<typeof spawnRelayer>

export function workersOf(
  { chain, node }: RelayerRig,
  database: Database,
  key: Hex,
  settings: Record<string, string>,
): Spawn {
  const variables = relayerVariables(chain, { key, rpcUrl: node.url, variables: settings })
  const { takenNonceBlocks: _, ...timing } = QUICK
  let workers = 0
  return (killAt) => {
    workers += 1
    return spawnRelayer({
      databaseUrl: workerUrlOf(database),
      variables,
      workerId: `worker-${workers}`,
      timing,
      ...(killAt === undefined ? {} : { killAt }),
    })
  }
}

/** One worker dies at the step; the next one works until `done` resolves. */
export async function dieAt(
  step: RelayerStep,
  spawn: Spawn,
  done: () => Promise<unknown>,
): Promise<void> {
  const first = spawn(step)
  await first.exited
  expect(first.signalCode).toBe('SIGKILL')
  const second = spawn()
  await done()
  second.kill('SIGKILL')
  await second.exited
}

/** Of two workers one dies twice a second, while answers to broadcasts are lost, until `done`. */
export async function dieAgainAndAgain(
  node: FakeRpc,
  spawn: Spawn,
  done: () => Promise<unknown>,
): Promise<void> {
  node.rule(sometimes('eth_sendRawTransaction', 0.08, { type: 'drop_answer' }))
  const workers = [spawn(), spawn()]
  for (let round = 0; round < 8; round += 1) {
    await Bun.sleep(300 + Math.random() * 500)
    const place = round % 2
    workers[place]?.kill('SIGKILL')
    await workers[place]?.exited
    workers[place] = spawn()
  }
  await done()
  node.rule()
  for (const worker of workers) {
    worker.kill('SIGKILL')
    await worker.exited
  }
}
