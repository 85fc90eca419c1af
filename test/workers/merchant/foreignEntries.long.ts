import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeConfigure } from '../../../chain/hub/registry.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { prepareForwarder, registerForwarder } from '../../../store/hub/forwarders.ts'
import { entryAlarms } from '../../../store/hub/registryEntries.ts'
import { readHubWaiting } from '../../../store/relayer/hubWaits.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import { sweepKind } from '../../../workers/invoice/sweep.ts'
import { signMerchantConfig } from '../../support/hub/signatures.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { ownerCall, type RegistryScene, registryScene } from '../../support/relayer/registry.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { claimSettles } from '../../support/relayer/settles.ts'
import { dueSweeps } from '../../support/relayer/sweeps.ts'
import { transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { authorizeEach } from '../../support/x402/authorizations.ts'

/**
 * A thief of the key of registry entries writes newer versions of a merchant's, with the same treasury, which
 * takes no delay. What pays that merchant waits, burns no gas, and goes on when the recipient is set again.
 */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 2 })
  chain = rig.chain
  await ownerCall(chain, 'setDelays', [0, 3_600])
}, 120_000)

afterAll(() => rig?.close())

/** A merchant whose entry is in force. */
async function merchantWith(treasury: Address): Promise<RegistryScene> {
  const scene = await registryScene(rig)
  await scene.setRecipient(treasury)
  const invoice = await scene.paid()
  await scene.until(async () => (await scene.read(invoice)).invoice.status === 'completed')
  return scene
}

/** The thief's transaction goes first in the next block, before whatever is with the node. */
async function bump({ merchantId }: RegistryScene, treasury: Address, version: number) {
  const terms = { treasury, feeBps: 1_000, feeCap: baseUnits(10n ** 12n), version }
  const config = { merchantId, ...terms }
  const signature = await signMerchantConfig(chain.roles.configSigner, chain.hub, config)
  const call = encodeConfigure([{ config, signature }])
  const { status } = await transact(chain, chain.ownerKey, chain.hub, call, { isFirst: true })
  expect(status).toBe('success')
}

/** Turns until the newest item of a kind is signed, and in no block. */
async function signed(scene: RegistryScene, kind: string): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    await scene.relayer.turn()
    if ((await scene.work(kind)).at(-1)?.state === 'assigned') return
    await scene.turn()
  }
  throw new Error(`no ${kind} was signed`)
}

async function sent({ database }: RegistryScene, kind: string): Promise<number> {
  const rows = await database`select id from relayer_tx where kind = ${kind}`
  return rows.length
}

const waits = async (scene: RegistryScene, kind: string) =>
  (await scene.work(kind)).at(-1)?.hubWait === 'merchant_change'

/** Has what waits tried again at once, as time does. */
async function tryAgain({ database }: RegistryScene): Promise<void> {
  await database`update work_item set not_before = now() where hub_wait is not null`
}

test('sweeps wait in the same round until the recipient is set again', async () => {
  const treasury = newAddress()
  const scene = await merchantWith(treasury)
  const early = await scene.paid()
  await signed(scene, 'sweep')
  await bump(scene, treasury, 1_001)
  await scene.until(() => waits(scene, 'sweep'))
  expect((await scene.work('sweep')).at(-1)?.result?.waits).toBe('RegistryVersionMismatch(1, 1001)')
  await scene.until(async () => (await entryAlarms(scene.database)).length > 0)
  expect(await entryAlarms(scene.database)).toMatchObject([
    { type: 'foreign_entry', version: 1_001, treasury },
  ])

  const late = await scene.paid()
  await scene.until(async () => (await scene.work('sweep')).length === 3)
  const before = await sent(scene, 'sweep')
  for (let turn = 0; turn < 4; turn += 1) {
    await tryAgain(scene)
    await scene.turn()
  }
  expect(await sent(scene, 'sweep')).toBe(before)
  expect(await readHubWaiting(scene.database)).toEqual([
    { networkId: chain.networkId, kind: 'sweep', wait: 'merchant_change', count: 2 },
  ])
  expect((await scene.work('sweep')).at(-1)?.result?.waits).toContain('set the recipient again')

  await scene.setRecipient(treasury)
  for (const invoice of [early, late]) {
    await scene.until(async () => (await scene.read(invoice)).invoice.status === 'completed')
    expect((await scene.read(invoice)).settlements).toMatchObject([
      { round: 1, status: 'confirmed', recipient: treasury, registryVersion: 1_002 },
    ])
    const told = (await scene.events(invoice.id)).map(({ type }) => type)
    expect(told).not.toContain('settlement.failed')
    expect(told).not.toContain('settlement.retrying')
  }
  expect(await chain.balance(treasury)).toBe(3n * 9_950_000n)
  expect(await entryAlarms(scene.database)).toEqual([])
}, 240_000)

test('a sweep that names an older entry has the leader look which one it is to name', async () => {
  const database = await rig.ownDatabase()
  await dueSweeps(database, chain, 2, { isFunded: false })
  const result = { wait: 'merchant_change', error: 'RegistryVersionMismatch(1, 2)' }
  await database`update work_item set result = ${database.json(result)} where kind = 'sweep'`
  const [item, other] = await database<WorkItem[]>`
    select id, network_id, kind, payload, state, result, tries, batch_limit from work_item
    where kind = 'sweep' order by id`
  if (item === undefined || other === undefined) throw new Error('there are not two sweeps')
  const stopped = { ...other, result: { wait: 'stopped', error: 'IsStopped(1)' } }
  const looks = () => database`
    select hub, look_from from registry_entry where look_at is not null`
  await database.begin(async (sql) => sweepKind.waiting?.(sql, [stopped], 6n))
  expect([...(await looks())]).toEqual([])
  await database.begin(async (sql) => sweepKind.waiting?.(sql, [item], 7n))
  expect([...(await looks())]).toEqual([{ hub: chain.hub, lookFrom: 7n }])
})

test('payouts of a forwarder wait until the recipient is set again', async () => {
  const treasury = newAddress()
  const scene = await merchantWith(treasury)
  const { merchantId, database } = scene
  const forwarder = await database.begin(async (sql) => {
    const address = await registerForwarder(sql, chain.hub, merchantId)
    await prepareForwarder(sql, merchantId, chain.networkId)
    return address
  })
  const settled = await chain.balance(treasury)
  await bump(scene, treasury, 1_001)
  await scene.until(async () => (await entryAlarms(database)).length > 0)

  // Payments are settled all the same, and nothing is distributed with them.
  const payments = await authorizeEach(chain, forwarder, 3)
  const paid = payments.reduce((sum, { authorization }) => sum + authorization.value, 0n)
  await claimSettles(database, chain, { merchantId, forwarder }, payments)
  await scene.until(async () => (await chain.balance(forwarder)) === paid)
  await scene.turn(6)
  expect(await sent(scene, 'distribute')).toBe(0)

  // One that is under way when the thief writes yet another entry.
  await scene.setRecipient(treasury)
  await signed(scene, 'distribute')
  await bump(scene, treasury, 1_003)
  await scene.until(() => waits(scene, 'distribute'))
  const before = await sent(scene, 'distribute')
  await scene.until(async () => (await entryAlarms(database)).length > 0)
  for (let turn = 0; turn < 4; turn += 1) {
    await tryAgain(scene)
    await scene.turn()
  }
  expect(await sent(scene, 'distribute')).toBe(before)
  expect(await readHubWaiting(database)).toEqual([
    { networkId: chain.networkId, kind: 'distribute', wait: 'merchant_change', count: 1 },
  ])
  expect((await scene.work('distribute')).at(-1)?.result?.waits).toContain('not active')
  expect(await chain.balance(forwarder)).toBe(paid)

  await scene.setRecipient(treasury)
  await scene.until(async () => (await chain.balance(forwarder)) === 1n)
  expect(await chain.balance(treasury)).toBe(settled + paid - 1n)
  await scene.until(async () => (await scene.work('distribute')).at(-1)?.state === 'settled')
}, 240_000)
