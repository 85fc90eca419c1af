import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { dueSweeps } from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** Which work goes first when there is more of it than a key can carry. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 2 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

/** The kinds of the transactions that a key with room for two begins, while payments and a sweep wait. */
async function begun(change: (database: Database) => Promise<unknown>): Promise<string[]> {
  const database = await rig.ownDatabase()
  const variables = {
    RELAYER_IN_FLIGHT_MAX: '2',
    X402_BATCH_MAX: '1',
    RELAYER_BATCH_MAX: '1',
  }
  const relayer = openRelayer(database, chain, { key: rig.ownKey(), variables })
  await dueSweeps(database, chain, 3, { pays: 'recipient' })
  await dueSettles(database, chain, await newForwarder(database, chain), 3)
  await change(database)
  await relayer.turn()
  const txs = await database<{ kind: string }[]>`select kind from relayer_tx order by account_nonce`
  return txs.map(({ kind }) => kind)
}

describe('a key that has room for two transactions', () => {
  test('carries payments first, however long the line of sweeps before them is', async () => {
    expect(await begun(async () => {})).toEqual(['x402', 'x402'])
  })

  test('carries one of what has waited too long before the rest', async () => {
    const waitLong = (database: Database) => database`
      update work_item set not_before = now() - interval '1 minute',
        updated_at = now() - interval '1 minute' where kind = 'sweep'`
    expect(await begun(waitLong)).toEqual(['sweep', 'x402'])
  })
})
