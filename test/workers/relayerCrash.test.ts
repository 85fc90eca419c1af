import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../store/database.ts'
import type { RelayerStep } from '../../workers/relayer/world.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'
import { type FakeRpc, sometimes, startFakeRpc } from '../support/fakeRpc.ts'
import { CRASHES, spawnRelayer } from '../support/relayerProcess.ts'
import { databaseUrlOf, freshDatabase, QUICK, relayerVariables } from '../support/relayers.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  isAllConfirmed,
} from '../support/sweeps.ts'

/** Workers that die by SIGKILL, at every line of the relayer where a crash could do harm. */

let chain: HubChain
let node: FakeRpc
let taken = 0
const databases: Database[] = []

beforeAll(async () => {
  chain = await startHubChain({ relayers: 12, mining: 100 })
  node = startFakeRpc(chain.node.url)
}, 60_000)

afterAll(async () => {
  for (const database of databases) await database.end()
  await node?.stop()
  await chain?.node.stop()
})

async function scene(sweeps: number) {
  const database = await freshDatabase()
  databases.push(database)
  const key = chain.relayerKeys[taken++]
  if (key === undefined) throw new Error('the chain has too few relayer keys')
  const collected = await chain.balance(chain.collector)
  const due = await dueSweeps(database, chain, sweeps)
  const variables = relayerVariables(chain, {
    key,
    rpcUrl: node.url,
    variables: { RELAYER_BATCH_MAX: '2' },
  })
  const { foreignBlocks: _, ...timing } = QUICK
  let workers = 0
  const spawn = (killAt?: RelayerStep) => {
    workers += 1
    return spawnRelayer({
      databaseUrl: databaseUrlOf(database),
      variables,
      workerId: `worker-${workers}`,
      timing,
      ...(killAt === undefined ? {} : { killAt }),
    })
  }
  return { database, collected, due, spawn }
}

async function confirmed(database: Database, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isAllConfirmed(database))) {
    if (performance.now() > end) throw new Error('the sweeps were not confirmed in time')
    await Bun.sleep(50)
  }
}

describe('a worker that is killed', () => {
  for (const [step, when] of CRASHES) {
    test(`${when} loses and repeats nothing`, async () => {
      const { database, collected, due, spawn } = await scene(6)
      const first = spawn(step)
      await first.exited
      expect(first.signalCode).toBe('SIGKILL')
      const second = spawn()
      await confirmed(database, 20_000)
      second.kill('SIGKILL')
      await second.exited
      await expectSweptOnce(database, chain, due, collected)
      await expectUnbrokenNonces(database, chain)
    }, 40_000)
  }

  test('again and again, beside another one, with broadcasts dropped, still loses nothing', async () => {
    const { database, collected, due, spawn } = await scene(60)
    node.rule(sometimes('eth_sendRawTransaction', 0.08, { type: 'drop_answer' }))
    const workers = [spawn(), spawn()]
    for (let round = 0; round < 8; round += 1) {
      await Bun.sleep(300 + Math.random() * 500)
      const place = round % 2
      workers[place]?.kill('SIGKILL')
      await workers[place]?.exited
      workers[place] = spawn()
    }
    await confirmed(database, 40_000)
    node.rule()
    for (const worker of workers) {
      worker.kill('SIGKILL')
      await worker.exited
    }
    await expectSweptOnce(database, chain, due, collected)
    await expectUnbrokenNonces(database, chain)
  }, 90_000)
})
