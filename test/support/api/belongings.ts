import { dataOf, newPrice } from './checkoutCalls.ts'
import { pay, randomHash } from './ledger.ts'
import { type ApiRig, OTHER_TREASURY } from './rig.ts'
import { createEndpoint, deliveries, events, fanOut } from './webhookCalls.ts'
import { insertPayment, register } from './x402Calls.ts'

/** Something of everything that a merchant can have: ids, by the beginning of the paths that they belong to. */
export async function fillLedger(rig: ApiRig) {
  const invoice = await rig.create()
  await pay(rig, invoice, 4_000_000n)
  const paid = await rig.call('GET', `/v1/invoices/${invoice.id}`)
  const transactionId = paid.json.data.transactions[0]?.id ?? ''
  const priced = await register(rig)
  const paymentId = await insertPayment(rig, priced, { status: 'settled' })
  const hook = await createEndpoint(rig)
  await rig.create()
  await fanOut(rig)
  const [delivery] = await deliveries(rig)
  const [event] = (await events(rig)).data
  const price = await newPrice(rig)
  const link = await rig.call('POST', '/v1/payment-links', { body: { price: price.id } })
  const [change] = await rig.database<{ id: string }[]>`
    insert into recipient_change (id, merchant_id, recipient, actor, actor_id, actor_name, waits_since, force_at)
    values (${Bun.randomUUIDv7()}, ${rig.merchant.merchant.id}, ${OTHER_TREASURY.toLowerCase()}, 'key',
      'wxyz', 'secret key …wxyz', now(), now() + interval '1 day')
    returning id`
  const channelId = randomHash()
  await rig.database`
    insert into x402_channel (network_id, channel_id, merchant_id, payer, payer_authorizer, receiver,
      receiver_authorizer, token, withdraw_delay, salt)
    select network_id, ${channelId}, merchant_id, payer, payer, pay_to, payer, asset, 900, ${randomHash()}
    from x402_payment where id = ${paymentId}`
  await rig.database`
    insert into x402_channel_voucher (network_id, channel_id, record)
    select network_id, channel_id, '{}' from x402_channel where channel_id = ${channelId}`
  return {
    '/v1/invoices/': { id: invoice.id, transactionId },
    '/v1/x402/endpoints/': { id: priced.id },
    '/v1/x402/payments/': { id: paymentId },
    '/v1/x402/channels/': { id: channelId },
    '/v1/webhooks/endpoints/': { id: hook.id },
    '/v1/webhooks/deliveries/': { id: delivery?.id ?? '' },
    '/v1/events/': { id: event?.id ?? '' },
    '/v1/prices/': { id: price.id },
    '/v1/payment-links/': { id: dataOf<{ id: string }>(link).id },
    '/v1/settings/recipient/changes/': { id: change?.id ?? '' },
  }
}
