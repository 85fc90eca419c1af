import { afterAll, beforeAll, expect, test } from 'bun:test'
import { KINDS } from '../../../workers/relayer/kinds.ts'
import { greetings, greetKind, queueGreetings } from '../../support/relayer/greetings.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'

let rig: RelayerRig
beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 2 })
}, 120_000)
afterAll(() => rig?.close())

const all = (status: string, state: string, heard: number) =>
  Array(3).fill({ status, state, heard })

test('a new kind of work needs one file and one line in the table', async () => {
  const [database, { chain }] = [await rig.ownDatabase(), rig]
  const kinds = { ...KINDS, greet: greetKind }
  await queueGreetings(database, chain.networkId, 'greet', 3)
  const relayer = openRelayer(database, chain, { key: rig.ownKey(), kinds })
  await step(chain, relayer)
  expect(await greetings(database)).toEqual(all('open', 'assigned', 0))
  await relayer.turn()
  expect(await greetings(database)).toEqual(all('mined', 'settled', 0))
  const shares = await database`
    select from relayer_tx, jsonb_to_recordset(gas_shares) as s (merchant uuid) join greeting on merchant_id = merchant`
  expect(shares).toHaveLength(3)
  await chain.node.rpc('anvil_reorg', [1, []])
  await relayer.turn()
  expect(await greetings(database)).toEqual(all('open', 'assigned', 0))
  await step(chain, relayer, 6)
  expect(await greetings(database)).toEqual(all('confirmed', 'settled', 1))
  expect(await database`select from relayer_tx`).toHaveLength(1)
})

test('work of a kind that this version does not know is left alone', async () => {
  const [database, { chain }] = [await rig.ownDatabase(), rig]
  await queueGreetings(database, chain.networkId, 'greet', 3)
  const relayer = openRelayer(database, chain, { key: rig.ownKey() })
  await step(chain, relayer, 3)
  expect(await greetings(database)).toEqual(all('open', 'queued', 0))
})
