import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ownAddressTypedData } from '../../../chain/blocks/ownAddress.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { fillLedger } from '../../support/api/belongings.ts'
import { type Operation, readDocument } from '../../support/api/document.ts'
import { followChains } from '../../support/api/ledger.ts'
import { sampleBody } from '../../support/api/prefilled.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'

/**
 * What is one merchant's is not there for another one: on every route of the API's own description,
 * with ids that are another party's.
 */

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
  owned = await fillLedger(rig)
  const { paths, security: usual } = await readDocument(rig)
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security = usual }]) => security.every((one) => 'secretKey' in one))
      .filter(([, { security = usual }]) => security.length !== 0)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}, 120_000)
afterAll(() => rig.close())

function callWith(key: string, { method, path, operation }: Route): Promise<Answer> {
  const ids = Object.entries(owned).find(([beginning]) => path.startsWith(beginning))?.[1]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids?.[name]
    if (id === undefined) throw new Error(`say whose ${name} it is in ${path}`)
    return id
  })
  const body = sampleBody(operation)
  return rig.call(method, filled, { key, ...(body === undefined ? {} : { body }) })
}

describe('another merchant', () => {
  test('gets 404 from every route with an id that is not its own', async () => {
    const withId = routes.filter(({ path }) => /\{(?!address)/.test(path))
    expect(withId.length).toBeGreaterThan(20)
    for (const route of withId) {
      const { status, text } = await callWith(stranger, route)
      const seen = { route: `${route.method} ${route.path}`, status, text }
      expect(seen).toMatchObject({ status: 404, text: expect.stringContaining('not found') })
    }
  })

  test('takes no address of its own out of use, nor over', async () => {
    const { id } = rig.merchant.merchant
    const account = privateKeyToAccount(generatePrivateKey())
    const address = lowerCaseAddress(account.address)
    const path = `/v1/x402/addresses/${account.address}`
    const signature = await account.signTypedData(ownAddressTypedData(id, address))
    const registered = await rig.call('POST', path, { body: { signature } })
    expect(registered.status).toBe(200)
    const removed = await rig.call('DELETE', path, { key: stranger })
    expect(removed.text).not.toContain(account.address)
    const taken = await rig.call('POST', path, { key: stranger, body: { signature } })
    expect(taken.status).toBe(400)
    const left = await rig.call('GET', '/v1/x402/addresses')
    expect(left.text).toContain(account.address)
  })

  test('sees nothing of it in any list, regardless of what it filters by', async () => {
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
