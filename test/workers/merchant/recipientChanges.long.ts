import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Address } from '../../../core/chain/evm.ts'
import { entriesOf, entryAlarms } from '../../../store/hub/registryEntries.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import {
  ownerCall,
  passTime,
  type RegistryScene,
  registryScene,
} from '../../support/relayer/registry.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** A recipient that a merchant has asked for: its delay and the hub's run at the same time. */

const DELAY_S = 3_600

let rig: RelayerRig
let chain: HubChain
beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4 })
  chain = rig.chain
  await ownerCall(chain, 'setDelays', [0, DELAY_S])
}, 120_000)
afterAll(() => rig?.close())

/** A merchant that is paid to a first recipient, and has asked for a second one. */
async function changing(delayS = DELAY_S) {
  const scene = await registryScene(rig)
  const [first, second] = [newAddress(), newAddress()]
  await scene.setRecipient(first)
  const before = await scene.paid()
  await scene.until(async () => (await scene.read(before)).invoice.status === 'completed')
  const id = await asked(scene, second, delayS)
  return { scene, first, second, id }
}

async function asked({ database, merchantId }: RegistryScene, to: Address, delayS: number) {
  const [row] = await database<{ id: string }[]>`
    insert into recipient_change (id, merchant_id, recipient, actor, actor_id, actor_name, waits_since,
      force_at, notified_at)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${to}, 'key', 'x', 'a key', now(),
      now() + make_interval(secs => ${delayS}), now())
    returning id`
  return row?.id ?? ''
}

const heard = async ({ database, merchantId }: RegistryScene) =>
  (await entriesOf(database, merchantId))[0]

const ownOf = async ({ database, merchantId }: RegistryScene) => {
  const [row] =
    await database`select recipient, config_version from merchant where id = ${merchantId}`
  return row
}

test('the hub hears of it at once, and is ready when it is in force here', async () => {
  const { scene, first, second, id } = await changing()
  await scene.until(async () => (await heard(scene))?.changeTreasury === second)
  expect(await heard(scene)).toMatchObject({ version: 1, treasury: first, changeVersion: 2 })
  expect(await ownOf(scene)).toMatchObject({ recipient: first, configVersion: 1 })
  // No one else's doing.
  expect(await entryAlarms(scene.database)).toEqual([])
  const waiting = await scene.paid()

  await passTime(chain, DELAY_S)
  await scene.database`update recipient_change set force_at = now() where id = ${id}`
  await scene.until(async () => (await scene.read(waiting)).invoice.status === 'completed')
  const { settlements } = await scene.read(waiting)
  expect(settlements).toMatchObject([{ recipient: second, registryVersion: 2 }])
  expect(await ownOf(scene)).toMatchObject({ recipient: second, configVersion: 2 })
  expect(await scene.work('configure')).toHaveLength(2)
}, 120_000)

test('one that is cancelled is withdrawn from the hub, and the old one is paid without a delay', async () => {
  const { scene, first, second, id } = await changing()
  await scene.until(async () => (await heard(scene))?.changeTreasury === second)
  const waiting = await scene.paid()
  await scene.database`
    update recipient_change set state = 'cancelled', ended_at = now() where id = ${id}`
  await scene.until(async () => (await scene.read(waiting)).invoice.status === 'completed')
  const { settlements } = await scene.read(waiting)
  expect(settlements).toMatchObject([{ recipient: first, registryVersion: 3 }])
  expect(await heard(scene)).toMatchObject({ version: 3, treasury: first, changeVersion: null })
  const work = await scene.work('configure')
  expect(work.map(({ state }) => state)).toEqual(['settled', 'failed', 'settled'])
}, 120_000)

test('a hub hears of nothing before what is left of the wait is as long as its own delay', async () => {
  const { scene, second, id } = await changing(DELAY_S + 3_600)
  await scene.turn(2)
  expect(await scene.work('configure')).toHaveLength(1)
  // Another chain that has no entry yet could take this one at once.
  await scene.database`
    insert into chain_state (network_id, chain_id, genesis_hash) values ('elsewhere', 7, ${newHash()})`
  await scene.database`
    update recipient_change set force_at = now() + make_interval(secs => ${DELAY_S}) where id = ${id}`
  await scene.turn(2)
  expect(await scene.work('configure')).toHaveLength(1)
  await scene.database`delete from chain_state where network_id = 'elsewhere'`
  await scene.until(async () => (await heard(scene))?.changeTreasury === second)
}, 120_000)

const newHash = () => `0x${'5'.repeat(64)}`
