import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { readMerchant } from '../../chain/hub.ts'
import { deploymentCall, hubAddress, hubInitCode, operatorCall } from '../../chain/hubDeployment.ts'
import type { Address } from '../../core/evm.ts'
import { addressOf } from '../../dev/keys.ts'
import type { Database } from '../../store/database.ts'
import type { HubChain } from '../support/chain.ts'
import { openRelayerRig, type RelayerRig } from '../support/relayerRig.ts'
import { openRelayer, settleAll } from '../support/relayers.ts'
import { dueSweeps, states } from '../support/sweeps.ts'
import { transact } from '../support/transactions.ts'

/** Merchants' registry entries: which hub they are carried to. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

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
})

/** Another hub of the same signers, at another address because refunds have another one. */
async function deploySecondHub(operator: Address): Promise<Address> {
  const { owner, configSigner, feeCollector } = chain.roles
  const roles = {
    owner: addressOf(owner),
    configSigner: addressOf(configSigner),
    refundSigner: addressOf(generatePrivateKey()),
    feeCollector: addressOf(feeCollector),
  }
  const initCode = await hubInitCode(roles, 'sandbox')
  const hub = hubAddress(initCode)
  for (const { to, data } of [deploymentCall(initCode), operatorCall(hub, operator, true)]) {
    const { status } = await transact(chain, owner, to, data, { gas: 12_000_000n })
    expect(status).toBe('success')
  }
  return hub
}

async function merchantOf(database: Database, invoiceId = ''): Promise<string> {
  const [row] = await database<{ merchant_id: string }[]>`
    select merchant_id from invoice where id = ${invoiceId}`
  if (!row) throw new Error(`there is no invoice ${invoiceId}`)
  return row.merchant_id
}
