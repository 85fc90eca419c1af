import { expect } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import type { RelayerStep } from '../../../workers/relayer/context.ts'
import { workerUrlOf } from '../servers/database.ts'
import { type FakeRpc, sometimes } from '../servers/fakeRpc.ts'
import { spawnRelayer, startRelayer } from './process.ts'
import { QUICK, relayerVariables } from './relayers.ts'
import type { RelayerRig } from './rig.ts'

/** How workers die by SIGKILL, regardless of what it is that they send. */

/** Workers with the same key. */
export interface Workers {
  /** One in a process of its own, which kills itself at a step, if one is named. */
  spawn(killAt?: RelayerStep): ReturnType<typeof spawnRelayer>
  /** One in the process of the test works until `done` resolves. */
  work(done: () => Promise<unknown>): Promise<void>
  /** How many transactions all of them have signed. */
  signed(): Promise<number>
}

/** How often workers die in turns. The full count is RELAYER_KILLS=8. */
const KILLS = Number(process.env.RELAYER_KILLS ?? 3)
const FULL_KILLS = 8
/** A worker that has nothing left to send is killed all the same, after so long. */
const IDLE_MS = 3_000

/** What so many items for the full count are for the kills of this run. */
export function itemsFor(full: number): number {
  return Math.ceil((full * KILLS) / FULL_KILLS)
}

export function workersOf(
  { chain, node }: RelayerRig,
  database: Database,
  key: Hex,
  settings: Record<string, string>,
): Workers {
  const variables = relayerVariables(chain, { key, rpcUrl: node.url, variables: settings })
  const { takenNonceBlocks: _, ...timing } = QUICK
  let workers = 0
  const next = () => {
    workers += 1
    const workerId = `worker-${workers}`
    return { databaseUrl: workerUrlOf(database), variables, workerId, timing }
  }
  return {
    spawn: (killAt) => spawnRelayer({ ...next(), ...(killAt === undefined ? {} : { killAt }) }),
    async work(done) {
      const worker = startRelayer(next())
      await done().finally(() => worker.stop())
    },
    async signed() {
      const [row] = await database<{ count: number }[]>`
        select count(*)::integer as count from relayer_attempt`
      return row?.count ?? 0
    },
  }
}

/** One worker dies at the step; the next one works until `done` resolves. */
export async function dieAt(
  step: RelayerStep,
  workers: Workers,
  done: () => Promise<unknown>,
): Promise<void> {
  const first = workers.spawn(step)
  await first.exited
  expect(first.signalCode).toBe('SIGKILL')
  await workers.work(done)
}

/** Of two workers one dies while they send, again and again, and answers to broadcasts are lost, until `done`. */
export async function dieAgainAndAgain(
  node: FakeRpc,
  { spawn, signed }: Workers,
  done: () => Promise<unknown>,
): Promise<void> {
  node.rule(sometimes('eth_sendRawTransaction', 0.08, { type: 'drop_answer' }))
  const workers = [spawn(), spawn()]
  for (let round = 0; round < KILLS; round += 1) {
    const before = await signed()
    // One that is still being loaded would lose nothing.
    for (const end = Date.now() + IDLE_MS; Date.now() < end && (await signed()) === before; ) {
      await Bun.sleep(20)
    }
    await Bun.sleep(Math.random() * 300)
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
