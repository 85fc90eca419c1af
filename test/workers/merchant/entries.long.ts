import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { hasCode } from '../../../chain/blocks/accounts.ts'
import { readHub } from '../../../chain/hub/contract.ts'
import {
  deploymentCall,
  hubAddress,
  hubInitCode,
  type UnsignedCall,
} from '../../../chain/hub/deployment.ts'
import { readMerchant } from '../../../chain/hub/registry.ts'
import { missingCalls, readHubState, UNLIMITED } from '../../../chain/hub/setup.ts'
import { asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { prepareForwarder, registerForwarder } from '../../../store/hub/forwarders.ts'
import { ensureConfigured } from '../../../store/hub/registryEntries.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { type DueSweep, dueSweeps, states } from '../../support/relayer/sweeps.ts'
import { transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** Merchants' registry entries: which hub they are carried to, and what becomes of those that fail. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

test('a forwarder is deployed by the hub that it was made for, whichever hub is configured', async () => {
  const database = await rig.ownDatabase()
  const key = rig.ownKey()
  const variables = { HUB_ADDRESS: await deploySecondHub(addressOf(key)) }
  const merchantId = asMerchantId(Bun.randomUUIDv7())
  await database`insert into merchant (id, name) values (${merchantId}, 'Early')`
  const address = await database.begin(async (sql) => {
    const registered = await registerForwarder(sql, chain.hub, merchantId)
    await prepareForwarder(sql, merchantId, chain.networkId)
    return registered
  })
  await step(chain, openRelayer(database, chain, { key, variables }), 4)
  expect(await chain.client.getCode({ address })).toBeDefined()
})

describe('a registry entry', () => {
  test('goes to the hub of the deposits that wait for it, whichever hub is configured', async () => {
    const database = await rig.ownDatabase()
    const key = rig.ownKey()
    const newer = await deploySecondHub(addressOf(key))
    const old = await dueSweeps(database, chain, 2)
    const recent = await dueSweeps(database, { ...chain, hub: newer }, 2)
    const variables = { HUB_ADDRESS: newer }
    await settleAll(database, chain, [openRelayer(database, chain, { key, variables })])
    expect(await states(database)).toEqual({
      'settlement confirmed': 4,
      'sweep settled': 4,
      'configure settled': 2,
    })
    for (const [hub, sweeps] of [[chain.hub, old] as const, [newer, recent] as const]) {
      const merchantId = await merchantOf(database, sweeps[0]?.invoiceId)
      const entry = await readMerchant(chain.client, hub, merchantId)
      expect(entry).toMatchObject({ treasury: sweeps[0]?.recipient, version: 1 })
    }
  })

  test('that the hub refused is sent again, after a pause that grows, and is waited for', async () => {
    const database = await rig.ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1)
    const key = rig.ownKey()
    const variables = { CONFIG_SIGNER_KEY: generatePrivateKey() }
    const mistaken = openRelayer(database, chain, { key, variables })
    await step(chain, mistaken, 4)
    const failed = { 'configure failed': 1, 'sweep failed': 1, 'settlement failed': 1 }
    expect(await states(database)).toEqual(failed)
    await mistaken.release()
    await database`
      update work_item set created_at = '2026-01-01T00:00Z', updated_at = '2026-01-01T00:10Z'
      where kind = 'configure'`
    const [item] = await database<{ id: bigint }[]>`
      select id from work_item where kind = 'configure'`
    const waitsFor = () => ensure(database, sweep)
    expect(await waitsFor()).toBe(item?.id ?? null)
    const [again] = await database<{ notBefore: Date }[]>`
      select not_before from work_item where kind = 'configure'`
    expect(again?.notBefore).toEqual(new Date('2026-01-01T00:20Z'))
    // It is on its way now: asking once more changes nothing.
    expect(await waitsFor()).toBe(item?.id ?? null)
    await step(chain, openRelayer(database, chain, { key }), 4)
    expect(await states(database)).toMatchObject({ 'configure settled': 1 })
    expect(await waitsFor()).toBeNull()
  })

  test('ends by its own event, regardless of what else its transaction has carried', async () => {
    const database = await rig.ownDatabase()
    const refused = asMerchantId(Bun.randomUUIDv7())
    const merchantId = asMerchantId(Bun.randomUUIDv7())
    const treasury = addressOf(generatePrivateKey())
    for (const id of [refused, merchantId]) {
      await database`insert into merchant (id, name) values (${id}, 'A shop')`
    }
    const terms = { configVersion: 1, x402FeeBps: 50, x402FeeCap: baseUnits(5_000_000n) }
    await database.begin(async (sql) => {
      const impossible = { ...terms, x402FeeBps: 1_001 }
      await ensureConfigured(sql, chain, refused, treasury, impossible)
      await ensureConfigured(sql, chain, merchantId, treasury, terms)
      await ensureConfigured(sql, chain, merchantId, treasury, { ...terms, configVersion: 2 })
    })
    await step(chain, openRelayer(database, chain, { key: rig.ownKey() }), 8)
    const items = await database`select state, result from work_item order by id`
    expect([...items]).toEqual([
      { state: 'failed', result: { error: 'FeeRateAboveCap(1001, 1000)' } },
      { state: 'settled', result: { version: '1' } },
      { state: 'settled', result: { version: '2' } },
    ])
  })

  test('that a person was to look at is sent again an hour later at most', async () => {
    const database = await rig.ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1, { isFunded: false })
    await database`
      update work_item set state = 'review', created_at = '2026-01-01T00:00Z',
        updated_at = '2026-01-03T00:00Z'
      where kind = 'configure'`
    expect(await ensure(database, sweep)).not.toBeNull()
    const [again] = await database<{ notBefore: Date }[]>`
      select not_before from work_item where kind = 'configure'`
    expect(again?.notBefore).toEqual(new Date('2026-01-03T01:00Z'))
    expect(await states(database)).toMatchObject({ 'configure queued': 1 })
  })
})

/** Plans the next sweep's registry entry, as the ledger does. */
async function ensure(database: Database, sweep: DueSweep | undefined): Promise<bigint | null> {
  if (!sweep) throw new Error('there is no sweep')
  const { recipient } = sweep
  const merchantId = await merchantOf(database, sweep.invoiceId)
  const terms = {
    recipient,
    configVersion: 1,
    x402FeeBps: 50,
    x402FeeCap: baseUnits(5_000_000n),
  }
  const entry = await database.begin((sql) =>
    ensureConfigured(sql, chain, merchantId, recipient, terms),
  )
  return entry.waitsFor
}

/** Another hub of the same owner and signers, at another address because its environment is another one. */
async function deploySecondHub(operator: Address): Promise<Address> {
  const { owner, configSigner, refundSigner, feeCollector } = chain.roles
  const initCode = await hubInitCode(addressOf(owner), 'live')
  const hub = hubAddress(initCode)
  const setup = {
    configSigner: addressOf(configSigner),
    refundSigner: addressOf(refundSigner),
    feeCollector: addressOf(feeCollector),
    guardian: null,
    operators: [operator],
    tokens: [{ ...chain.usdc, isListed: true, refundLimit: UNLIMITED }],
    delays: { owner: 0, config: 0 },
  }
  const send = async ({ to, data }: UnsignedCall) => {
    const { status } = await transact(chain, owner, to, data, { gas: 12_000_000n })
    expect(status).toBe('success')
  }
  if (!(await hasCode(chain.client, hub))) await send(deploymentCall(initCode))
  const reading = await readHub(chain.client, hub)
  if (reading.type !== 'hub') throw new Error('the second hub is none')
  const state = await readHubState(chain.client, hub, reading.roles, setup)
  for (const call of missingCalls(hub, setup, state)) await send(call)
  return hub
}

async function merchantOf(database: Database, invoiceId = ''): Promise<MerchantId> {
  const [row] = await database<{ merchantId: MerchantId }[]>`
    select merchant_id from invoice where id = ${invoiceId}`
  if (!row) throw new Error(`there is no invoice ${invoiceId}`)
  return row.merchantId
}
