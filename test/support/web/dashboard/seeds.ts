import { asEndpointId } from '../../../../core/base/ids.ts'
import { chainNamed, chainsOf, tokenNamed } from '../../../../core/chain/registry.ts'
import { forwarderAddress } from '../../../../core/hub/deposit.ts'
import type { Reason } from '../../../../core/x402/reasons.ts'
import { advanceWithWork } from '../../../../store/relayer/transition.ts'
import { PAYMENTS } from '../../../../store/x402/settles.ts'
import { type ApiRig, HUB } from '../../api/rig.ts'
import { newAddress } from '../../store/database.ts'
import { storeItem, storeKey, storeTransaction } from '../../store/relayer.ts'
import { aClaim, pending, settled } from '../../store/x402.ts'

/** What the pages of developers and operators show in tests and pictures. */

/** An endpoint that one payer has paid twice, another once, and a third in vain. */
export async function sellRequests(rig: ApiRig): Promise<void> {
  const { id: merchantId } = rig.merchant.merchant
  const body = {
    endpointUrl: 'https://api.shop.example/reports/daily',
    asset: 'USDC',
    network: 'base-sepolia',
    amountUsd: '0.05',
    description: 'The daily report',
  }
  const made = await rig.call('POST', '/v1/x402/endpoints', { body })
  const endpointId = asEndpointId(made.json.data.id)
  const chain = chainNamed('base-sepolia', chainsOf('sandbox'))
  const asset = tokenNamed(chain, 'USDC').address
  const shop = { id: merchantId, hub: HUB, forwarder: forwarderAddress(HUB, merchantId) }
  const [often, once] = [newAddress(), newAddress()]
  const claimOf = (from = newAddress()) => aClaim(shop, { asset, endpointId, from, value: 50_000n })
  for (const payer of [often, often, once]) await settled(rig.database, claimOf(payer))
  const paymentId = await pending(rig.database, claimOf())
  const reason: Reason = 'payment_expired'
  await rig.database.begin((sql) =>
    advanceWithWork(sql, PAYMENTS, 'failed', [{ id: paymentId, reason }]),
  )
}

/** One more endpoint. */
export async function sellAnother(rig: ApiRig, n: number): Promise<void> {
  const endpointUrl = `https://api.shop.example/reports/${n}`
  const body = { endpointUrl, asset: 'USDC', network: 'base-sepolia', amountUsd: '0.05' }
  await rig.call('POST', '/v1/x402/endpoints', { body })
}

/** Relayers in every state, and work that waits. */
export async function strain(rig: ApiRig): Promise<void> {
  const { database } = rig
  const active = await storeKey(database)
  await storeTransaction(database, active)
  const keys = [
    { status: 'draining', balance: '900000000000000000' },
    { status: 'no_funds', balance: '12000000000000' },
    { status: 'quarantined', balance: '400000000000000000' },
  ] as const
  await database`update relayer_key set balance = '2500000000000000000'`
  for (const { status, balance } of keys) {
    const { address } = await storeKey(database, { status })
    const note = status === 'quarantined' ? 'account nonce 41 was used by another sender' : null
    await database`
      update relayer_key set balance = ${balance}, note = ${note} where address = ${address}`
  }
  const item = await storeItem(database, 'configure', {}, { state: 'review' })
  await database`
    update work_item set result = '{"error": "the hub refused it three times"}' where id = ${item}`
  await storeItem(database, 'deploy', {}, { state: 'queued' })
}
