import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dataOf, newPrice } from './checkout/calls.ts'
import { followChains, pay } from './ledger.ts'
import { type Answer, type ApiRig, openRig } from './rig.ts'
import { createEndpoint, deliveries, events, fanOut } from './webhooks/calls.ts'
import { insertPayment, register } from './x402/calls.ts'

/**
 * What is one merchant's is not there for another one: on every route of the API's own description,
 * with ids that are somebody else's.
 */

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown } | undefined>>
  }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

let rig: ApiRig
let routes: readonly Route[]
let stranger: string
/** The first merchant's ids, by the beginning of the paths that they belong to. */
let owned: Readonly<Record<string, Readonly<Record<string, string>>>>

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  stranger = (await rig.newMerchant()).secretKey
  owned = await fillLedger()
  const answer = await rig.call('GET', '/openapi.json', { key: null })
  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(answer.text)
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.every((one) => 'secretKey' in one) ?? false)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}, 120_000)
afterAll(() => rig.close())

/** Something of everything that a merchant can have. */
async function fillLedger() {
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

function callWith(key: string, { method, path, operation }: Route): Promise<Answer> {
  const ids = Object.entries(owned).find(([beginning]) => path.startsWith(beginning))?.[1]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids?.[name]
    if (id === undefined) throw new Error(`say whose ${name} it is in ${path}`)
    return id
  })
  const body = operation.requestBody?.content['application/json']?.example
  return rig.call(method, filled, { key, ...(body === undefined ? {} : { body }) })
}

describe('another merchant', () => {
  test('gets 404 from every route with an id that is not its own', async () => {
    const withId = routes.filter(({ path }) => path.includes('{'))
    expect(withId.length).toBeGreaterThan(20)
    for (const route of withId) {
      const { status, text } = await callWith(stranger, route)
      const seen = { route: `${route.method} ${route.path}`, status, text }
      expect(seen).toMatchObject({ status: 404, text: expect.stringContaining('not found') })
    }
  })

  test('sees nothing of it in any list, whatever it filters by', async () => {
    const ids = Object.values(owned).flatMap((one) => Object.values(one))
    const lists = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    expect(lists.length).toBeGreaterThan(5)
    for (const { path, operation } of lists) {
      const filters = (operation.parameters ?? []).filter(({ name }) => /Id$|^after$/.test(name))
      const queries = filters.flatMap(({ name }) => ids.map((id) => `?${name}=${id}`))
      for (const query of ['', ...queries]) {
        const { text, status } = await rig.call('GET', `${path}${query}`, { key: stranger })
        const seen = { path, query, status, found: ids.filter((id) => text.includes(id)) }
        expect(seen).toMatchObject({ found: [] })
        expect([200, 400]).toContain(status)
      }
    }
  })

  test('has changed nothing by trying', async () => {
    for (const route of routes.filter(
      ({ method, path }) => method === 'GET' && path.includes('{'),
    )) {
      const { status } = await callWith(rig.merchant.secretKey, route)
      expect({ route: route.path, status }).toEqual({ route: route.path, status: 200 })
    }
  })
})
