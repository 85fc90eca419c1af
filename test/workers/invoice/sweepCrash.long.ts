import { afterAll, beforeAll, describe, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { dieAgainAndAgain, dieAt, itemsFor, workersOf } from '../../support/relayer/crashes.ts'
import { CRASHES } from '../../support/relayer/process.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  isAllConfirmed,
} from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** Workers that die by SIGKILL, at every line of the relayer where a crash could do harm. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 12, mining: 100 })
  chain = rig.chain
}, 190_000)

afterAll(() => rig?.close())

async function scene(sweeps: number) {
  const database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const due = await dueSweeps(database, chain, sweeps)
  const workers = workersOf(rig, database, rig.ownKey(), { RELAYER_BATCH_MAX: '2' })
  return { database, collected, due, workers }
}

function confirmed(database: Database, limitMs: number): Promise<boolean> {
  return eventually(
    () => isAllConfirmed(database),
    (isAll) => isAll,
    limitMs,
  )
}

describe('a worker that is killed', () => {
  for (const [step, when] of CRASHES) {
    test(`${when} loses and repeats nothing`, async () => {
      const { database, collected, due, workers } = await scene(6)
      await dieAt(step, workers, () => confirmed(database, 90_000))
      await expectSweptOnce(database, chain, due, collected)
      await expectUnbrokenNonces(database, chain)
    }, 190_000)
  }

  test('again and again, beside another one, with broadcasts dropped, still loses nothing', async () => {
    const { database, collected, due, workers } = await scene(itemsFor(60))
    await dieAgainAndAgain(rig.node, workers, () => confirmed(database, 90_000))
    await expectSweptOnce(database, chain, due, collected)
    await expectUnbrokenNonces(database, chain)
  }, 190_000)
})
