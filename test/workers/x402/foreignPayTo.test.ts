import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import { nameHub, registerForwarder } from '../../../store/hub/forwarders.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { claimSettles } from '../../support/relayer/settles.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import { authorizeEach } from '../../support/x402/authorizations.ts'

/** Payments to an address that someone with the API's credentials has called a merchant's forwarder. */

let rig: RelayerRig
beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => rig?.close())

test('a payment to an address that the hub does not derive is never sent, and waits for a person', async () => {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const thief = newAddress()
  await nameHub(database, chain.hub)
  const [robbed, honest] = [0, 1].map(() => asMerchantId(Bun.randomUUIDv7()))
  if (!robbed || !honest) throw new Error('there are two merchants')
  for (const id of [robbed, honest]) {
    await database`insert into merchant (id, name) values (${id}, 'Shop')`
  }
  const api = await openAs(databaseUrlOf(database), 'api')
  await api`
    insert into forwarder (merchant_id, address, hub) values (${robbed}, ${thief}, ${chain.hub})`
  const forwarder = await database.begin((sql) => registerForwarder(sql, chain.hub, honest))
  const stolen = await authorizeEach(chain, thief, 2)
  const good = await authorizeEach(chain, forwarder, 2)
  await claimSettles(api, chain, { merchantId: robbed, forwarder: thief }, stolen)
  await claimSettles(database, chain, { merchantId: honest, forwarder }, good)
  await step(chain, openRelayer(database, chain, { key: rig.ownKey() }), 5)
  expect(await chain.balance(thief)).toBe(0n)
  const rows = await database`
    select p.pay_to, p.status, w.state, w.result->>'error' as error
    from x402_payment p join work_item w on w.payload->>'paymentId' = p.id::text order by w.id`
  const error = "its payTo is neither its merchant's forwarder nor its own"
  const refused = { payTo: thief, status: 'pending', state: 'review', error }
  const paid = { payTo: forwarder, status: 'settled', state: 'settled', error: null }
  expect([...rows]).toEqual([refused, refused, paid, paid])
  await api.end()
}, 120_000)
