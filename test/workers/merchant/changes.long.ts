import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeConfigure, readRegistryState } from '../../../chain/hub/registry.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../../core/chain/words.ts'
import { SIGNED_VERSION_MAX } from '../../../core/hub/registryEntry.ts'
import { entriesOf, entryAlarms } from '../../../store/hub/registryEntries.ts'
import { signMerchantConfig } from '../../support/hub/signatures.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import {
  ownerCall,
  passTime,
  type RegistryScene,
  registryScene,
} from '../../support/relayer/registry.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** Changes of merchants' treasuries, which a hub takes only after a delay and its guardian can veto. */

const DELAY_S = 3_600

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 12 })
  chain = rig.chain
  await ownerCall(chain, 'setDelays', [0, DELAY_S])
}, 120_000)

afterAll(() => rig?.close())

/** A merchant that is paid to a first treasury, and asks for a second one that pends. */
async function changing() {
  const scene = await registryScene(rig)
  const [first, second] = [newAddress(), newAddress()]
  await scene.setRecipient(first)
  const before = await scene.paid()
  await scene.until(async () => (await scene.read(before)).invoice.status === 'completed')
  await scene.setRecipient(second)
  const after = await scene.paid()
  await scene.until(async () => (await scene.work('configure'))[1]?.hubWait === 'merchant_change')
  return { scene, first, second, after }
}

async function settledTo({
  scene,
  after,
}: Pick<Awaited<ReturnType<typeof changing>>, 'scene' | 'after'>) {
  await scene.until(async () => (await scene.read(after)).invoice.status === 'completed')
  const { settlements } = await scene.read(after)
  return settlements.map(({ status, recipient, registryVersion }) => {
    return { status, recipient, registryVersion }
  })
}

const stateOf = async ({ merchantId, projection }: RegistryScene) =>
  readRegistryState(chain.client, chain.hub, merchantId, await projection.client.rpc.getBlock())

describe('a change of an existing treasury', () => {
  test('waits for its time and is sent again with the same signature', async () => {
    const own = await changing()
    const { scene, first, second } = own
    await scene.turn(4)
    const [, entry] = await scene.work('configure')
    expect(entry).toMatchObject({ state: 'queued', hubWait: 'merchant_change' })
    expect(entry?.result?.waits).toContain('is active only after a delay: from')
    expect(await scene.work('sweep')).toMatchObject([{ state: 'settled' }, { state: 'queued' }])
    expect(await entriesOf(scene.database, scene.merchantId)).toMatchObject([
      { version: 1, treasury: first, changeVersion: 2, changeTreasury: second },
    ])
    const { carried } = entry?.payload ?? {}
    expect(carried).toBeDefined()

    await passTime(chain, DELAY_S)
    expect(await settledTo(own)).toEqual([
      { status: 'confirmed', recipient: second, registryVersion: 2 },
    ])
    expect(await chain.balance(second)).toBe(9_950_000n)
    const [, done] = await scene.work('configure')
    expect(done).toMatchObject({ state: 'settled', payload: { carried } })
    // Once to announce it, and once to put it in force.
    const txs = await scene.database`select id from relayer_tx where kind = 'configure'`
    expect(txs).toHaveLength(3)
    expect(await entriesOf(scene.database, scene.merchantId)).toMatchObject([
      { version: 2, treasury: second, changeVersion: null },
    ])
    expect(await entryAlarms(scene.database)).toEqual([])
  }, 120_000)

  test('ends by a veto: the treasury before it is paid, and operators are alarmed', async () => {
    const own = await changing()
    const { scene, first, second } = own
    await ownerCall(chain, 'veto', [uuidToBytes16(scene.merchantId)])
    expect(await settledTo(own)).toEqual([
      { status: 'confirmed', recipient: first, registryVersion: 1 },
    ])
    expect(await scene.work('configure')).toMatchObject([
      { state: 'settled' },
      { state: 'failed', result: { error: expect.stringContaining('was vetoed') } },
    ])
    expect(await entryAlarms(scene.database)).toMatchObject([
      { type: 'vetoed', version: 2, treasury: second },
    ])
    // Later invoices go by it at once, and nothing burns gas for the version that is burnt.
    const later = await scene.paid()
    await scene.until(async () => (await scene.read(later)).invoice.status === 'completed')
    expect(await scene.work('configure')).toHaveLength(2)
    const third = newAddress()
    await scene.setRecipient(third)
    expect(await entryAlarms(scene.database)).toEqual([])
    const last = await scene.paid()
    await scene.until(async () => (await scene.work('configure'))[2]?.hubWait !== null)
    await passTime(chain, DELAY_S)
    expect(await settledTo({ ...own, after: last })).toMatchObject([
      { recipient: third, registryVersion: 3 },
    ])
  }, 120_000)

  test('that another party has put in force is in force', async () => {
    const own = await changing()
    const { scene, second } = own
    await passTime(chain, DELAY_S)
    const [, sent] = await scene.work('configure')
    const config = {
      merchantId: scene.merchantId,
      ...{ treasury: second, feeBps: 0, feeCap: baseUnits(0n), version: 2 },
    }
    const signature = sent?.payload.carried?.signature ?? '0x'
    const call = encodeConfigure([{ config, signature }])
    await transact(chain, chain.ownerKey, chain.hub, call)
    expect((await stateOf(scene)).entry).toMatchObject({ treasury: second, version: 2 })
    expect(await settledTo(own)).toMatchObject([{ recipient: second, registryVersion: 2 }])
    const txs = await scene.database`select id from relayer_tx where kind = 'configure'`
    expect(txs).toHaveLength(2)
  }, 120_000)

  test('is left behind when the merchant wants yet another one', async () => {
    const own = await changing()
    const { scene } = own
    const third = newAddress()
    await scene.setRecipient(third)
    await scene.paid()
    await scene.until(async () => (await scene.work('configure'))[2]?.hubWait === 'merchant_change')
    await scene.until(async () => (await scene.work('configure'))[1]?.state === 'failed')
    expect((await scene.work('configure'))[1]?.result?.error).toContain('supersedes it')
    await passTime(chain, DELAY_S)
    expect(await settledTo(own)).toMatchObject([{ recipient: third, registryVersion: 3 }])
  }, 120_000)
})

describe('a change that was not requested here', () => {
  test('raises an alarm, delays payouts, and ends by a veto', async () => {
    const scene = await registryScene(rig)
    const [treasury, thief] = [newAddress(), newAddress()]
    await scene.setRecipient(treasury)
    const invoice = await scene.paid()
    await scene.until(async () => (await scene.read(invoice)).invoice.status === 'completed')
    const config = {
      merchantId: scene.merchantId,
      ...{ treasury: thief, feeBps: 0, feeCap: baseUnits(0n), version: 1_001 },
    }
    const signature = await signMerchantConfig(chain.roles.configSigner, chain.hub, config)
    const call = encodeConfigure([{ config, signature }])
    await transact(chain, chain.ownerKey, chain.hub, call)
    const next = await scene.paid()
    await scene.until(async () => (await scene.work('sweep'))[1]?.hubWait === 'merchant_change')
    await ownerCall(chain, 'veto', [uuidToBytes16(scene.merchantId)])
    await scene.until(async () => (await scene.read(next)).invoice.status === 'completed')
    const { settlements } = await scene.read(next)
    expect(settlements).toMatchObject([{ status: 'confirmed', recipient: treasury }])
  }, 120_000)
})

describe('a chain that missed many versions', () => {
  test('gets the newest in steps', async () => {
    const scene = await registryScene(rig)
    const treasury = newAddress()
    await scene.setRecipient(treasury)
    await scene.database`update merchant set config_version = 2_500 where id = ${scene.merchantId}`
    const invoice = await scene.paid()
    await scene.until(async () => (await scene.read(invoice)).invoice.status === 'completed')
    expect((await stateOf(scene)).entry).toMatchObject({ treasury, version: 2_500 })
    const txs = await scene.database`select id from relayer_tx where kind = 'configure'`
    expect(txs).toHaveLength(3)
    const { settlements } = await scene.read(invoice)
    expect(settlements).toMatchObject([{ registryVersion: 2_500, recipient: treasury }])
  }, 120_000)

  test('takes a version that is further ahead than a signature may be of the entry in force', async () => {
    const own = await changing()
    const { scene, first } = own
    await scene.database`update merchant set config_version = 1_000 where id = ${scene.merchantId}`
    await scene.setRecipient(newAddress())
    await scene.paid()
    await scene.until(async () => (await scene.work('configure'))[2]?.hubWait === 'merchant_change')
    await ownerCall(chain, 'veto', [uuidToBytes16(scene.merchantId)])
    expect(await settledTo(own)).toMatchObject([{ recipient: first, registryVersion: 1 }])
    const third = newAddress()
    await scene.setRecipient(third)
    const last = await scene.paid()
    await scene.until(async () => (await scene.work('configure'))[3]?.hubWait !== null)
    await passTime(chain, DELAY_S)
    expect(await settledTo({ ...own, after: last })).toMatchObject([
      { recipient: third, registryVersion: 1_002 },
    ])
  }, 120_000)

  test('waits for the owner when all versions that can be signed are used up', async () => {
    const scene = await registryScene(rig)
    const [first, second] = [newAddress(), newAddress()]
    await scene.setRecipient(first)
    const before = await scene.paid()
    await scene.until(async () => (await scene.read(before)).invoice.status === 'completed')
    const owners = (treasury: Address, version: number) => {
      const terms = { treasury, feeBps: 0, feeCap: 0, version }
      const args = [{ ...terms, merchantId: uuidToBytes16(scene.merchantId) }] as const
      return ownerCall(chain, 'setMerchant', args)
    }
    await owners(first, SIGNED_VERSION_MAX)
    await scene.database`
      update merchant set config_version = ${SIGNED_VERSION_MAX} where id = ${scene.merchantId}`
    await scene.setRecipient(second)
    const after = await scene.paid()
    await scene.until(async () => (await scene.work('configure'))[1]?.hubWait === 'merchant_change')
    const [, entry] = await scene.work('configure')
    expect(entry?.result?.waits).toContain(`write version ${SIGNED_VERSION_MAX + 1}`)
    await scene.turn(2)
    await owners(second, SIGNED_VERSION_MAX + 1)
    await scene.database`update work_item set not_before = now() where hub_wait is not null`
    expect(await settledTo({ scene, after })).toMatchObject([
      { recipient: second, registryVersion: SIGNED_VERSION_MAX + 1 },
    ])
  }, 120_000)
})
