import { dataOf, newPrice } from './checkout/calls.ts'
import { pay } from './ledger.ts'
import type { ApiRig } from './rig.ts'
import { createEndpoint, deliveries, events, fanOut } from './webhooks/calls.ts'
import { insertPayment, register } from './x402/calls.ts'

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
  return {
    '/v1/invoices/': { id: invoice.id, transactionId },
    '/v1/x402/endpoints/': { id: priced.id },
    '/v1/x402/payments/': { id: paymentId },
    '/v1/webhooks/endpoints/': { id: hook.id },
    '/v1/webhooks/deliveries/': { id: delivery?.id ?? '' },
    '/v1/events/': { id: event?.id ?? '' },
    '/v1/prices/': { id: price.id },
    '/v1/payment-links/': { id: dataOf<{ id: string }>(link).id },
  }
}
