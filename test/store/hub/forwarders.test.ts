import { describe, expect, test } from 'bun:test'
import { forwarderAddress } from '../../../core/hub/deposit.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  forwarderHub,
  forwarderHubs,
  prepareForwarder,
  prepareForwarderEverywhere,
  registerForwarder,
} from '../../../store/hub/forwarders.ts'
import { registerEndpoint } from '../../../store/x402/endpoints.ts'
import {
  forThisFile,
  isWaiting,
  newAddress,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import { newMerchant } from '../../support/store/webhook.ts'
import {
  aClaim,
  anEndpointDraft,
  changePayment,
  findItem,
  newShop,
  pending,
  type Shop,
  settled,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

test('a merchant has one forwarder, of the hub that it was first made for', async () => {
  const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
  const [hub, newHub] = [newAddress(), newAddress()]
  const register = (at: typeof hub) => sql.begin((t) => registerForwarder(t, at, merchantId))
  const address = forwarderAddress(hub, merchantId)
  expect(await forwarderHub(sql, merchantId)).toBeNull()
  await sql.begin((t) => registerForwarder(t, newHub, other))
  expect(await register(hub)).toBe(address)
  expect(await register(newHub)).toBe(address)
  expect(await forwarderHub(sql, merchantId)).toBe(hub)
  expect(await forwarderHubs(sql)).toEqual([hub, newHub].toSorted())
  const watched = await sql`select kind from watched where merchant_id = ${merchantId}`
  expect([...watched]).toEqual([{ kind: 'forwarder' }])
})

describe('a forwarder is prepared on a network', () => {
  const prepare = ({ id }: Shop, networkId: string) =>
    sql.begin((t) => prepareForwarder(t, id, networkId))
  const entryOf = ({ id, hub }: Shop, networkId: string) =>
    findItem(sql, `configure:${networkId}:${hub}:${id}:1`)

  test('once, with its code and where its money goes', async () => {
    const recipient = newAddress()
    const shop = await newShop(sql, { recipient })
    await newShop(sql, { recipient: newAddress() })
    const networkId = newNetwork()
    await prepare(shop, networkId)
    await prepare(shop, networkId)
    const items =
      await sql`select kind from work_item where network_id = ${networkId} order by kind`
    expect(items.map(({ kind }) => kind)).toEqual(['configure', 'deploy'])
    expect((await entryOf(shop, networkId))?.payload).toMatchObject({
      ...{ merchantId: shop.id, treasury: recipient, hub: shop.hub, version: 1 },
      ...{ feeBps: 50, feeCap: '5000000' },
    })
  })

  test('without a recipient with its code only', async () => {
    const shop = await newShop(sql)
    const networkId = newNetwork()
    await prepare(shop, networkId)
    const items = await sql`select kind from work_item where network_id = ${networkId}`
    expect(items.map(({ kind }) => kind)).toEqual(['deploy'])
  })

  test('after a recipient that is just being set', async () => {
    const shop = await newShop(sql)
    const networkId = newNetwork()
    const change = await openTransaction(
      sql,
      (t) => t`
        update merchant set recipient = ${newAddress()}, config_version = 1 where id = ${shop.id}`,
    )
    const prepared = prepare(shop, networkId)
    expect(await isWaiting(sql, prepared)).toBe(true)
    await change.commit()
    await prepared
    expect(await entryOf(shop, networkId)).not.toBeNull()
  })

  test('if there is one', async () => {
    const merchantId = await newMerchant(sql)
    const prepared = sql.begin((t) => prepareForwarder(t, merchantId, newNetwork()))
    await expect(prepared).rejects.toThrow('has no forwarder')
  })

  test('wherever it is paid, was paid, or holds money', async () => {
    const [shop, other] = [await newShop(sql), await newShop(sql)]
    const networks = [newNetwork(), newNetwork(), newNetwork()]
    const [charged = '', known = '', paid = ''] = networks
    const draft = anEndpointDraft({ networkId: charged })
    await registerEndpoint(sql, shop.hub, shop.id, draft, new Date())
    const onChain = ({ id }: Shop, networkId: string) => sql`
      insert into forwarder_on_chain (merchant_id, network_id, token)
      values (${id}, ${networkId}, ${newAddress()})`
    await onChain(shop, known)
    await settled(sql, aClaim(shop, { networkId: paid }))
    // None of these is a reason.
    const distributed = await settled(sql, aClaim(shop, { networkId: newNetwork() }))
    await changePayment(sql, distributed, { distribution_id: Bun.randomUUIDv7() })
    await pending(sql, aClaim(shop, { networkId: newNetwork() }))
    await settled(sql, aClaim(other, { networkId: newNetwork() }))
    await onChain(other, newNetwork())
    const elsewhere = anEndpointDraft({ networkId: newNetwork() })
    await registerEndpoint(sql, other.hub, other.id, elsewhere, new Date())

    await sql`delete from work_item where kind = 'deploy'`
    await sql.begin((t) => prepareForwarderEverywhere(t, shop.id))
    const deploys = await sql`
      select network_id from work_item where kind = 'deploy' order by network_id`
    expect(deploys.map(({ networkId }) => networkId)).toEqual(networks.toSorted())
  })
})
