import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openChain } from '../../../chain/rpc/client.ts'
import { encodeAuthorization } from '../../../chain/x402/settlement.ts'
import { openUseSearches } from '../../../chain/x402/useSearch.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { forwarderAddress } from '../../../core/hub/deposit.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { play } from '../../support/servers/provider.ts'
import {
  authorizePaid,
  randomHex,
  type SignedAuthorization,
} from '../../support/x402/authorizations.ts'

/** Looks at how authorizations were used: one request each, remembered, and never more than so many. */

let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  chain = await startHubChain()
  await chain.mine(100)
  node = startFakeRpc(chain.node.url)
})
beforeEach(() => play(node))
afterAll(async () => {
  await node.stop()
  await chain.node.stop()
})

function openLooks(options?: Parameters<typeof openUseSearches>[1]) {
  const { chain: config } = workerConfig({ ...chain.variables(), RPC_URL_BASE_SEPOLIA: node.url })
  return openUseSearches(openChain(config), options)
}

async function queryOf({ authorization }: SignedAuthorization, nonce = authorization.nonce) {
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  return { token: chain.usdc.address, payer: authorization.from, nonce, fromBlock: 0n, head }
}

/** A payment that another party has carried out. */
async function carried(): Promise<SignedAuthorization> {
  const to = forwarderAddress(chain.hub, asMerchantId(Bun.randomUUIDv7()))
  const payment = await authorizePaid(chain, { to })
  const [key] = chain.relayerKeys
  if (key === undefined) throw new Error('the chain has relayers')
  await transact(chain, key, chain.usdc.address, encodeAuthorization(payment))
  return payment
}

function logRequests(): number {
  return node.calls.get('eth_getLogs') ?? 0
}

describe('a look', () => {
  test('finds the use by one request for its range and one for its block, and is remembered for a while', async () => {
    let now = 0
    const searches = openLooks({ now: () => now })
    const query = await queryOf(await carried())
    const before = logRequests()
    expect(searches.known(query)).toBeUndefined()
    const use = await searches.search(query)
    expect(use).toMatchObject({ type: 'paid' })
    expect(await searches.known(query)).toEqual(use)
    expect(await searches.search(query)).toEqual(use)
    expect(logRequests() - before).toBe(2)
    now = 30_001
    expect(searches.known(query)).toBeUndefined()
  })

  test('that finds nothing is forgotten sooner: another node may know more', async () => {
    let now = 0
    const searches = openLooks({ now: () => now })
    const query = await queryOf(await carried(), randomHex(32))
    expect(await searches.search(query)).toBeNull()
    expect(searches.known(query)).toBeDefined()
    now = 2_001
    expect(searches.known(query)).toBeUndefined()
  })

  test('that got no answer is not remembered', async () => {
    const searches = openLooks()
    const query = await queryOf(await carried())
    node.rule(({ method }) => (method === 'eth_getLogs' ? { type: 'drop_answer' } : undefined))
    await expect(searches.search(query)).rejects.toThrow()
    play(node)
    expect(await searches.search(query)).toMatchObject({ type: 'paid' })
  })

  test('reaches as far back as the node allows, and learns how far that is', async () => {
    play(node, { logRange: { most: 30, words: 'infura' } })
    const searches = openLooks({ now: () => performance.now() * 1_000_000 })
    const recent = await queryOf(await carried())
    const found = []
    for (let i = 0; i < 4; i += 1) found.push(await searches.search(recent))
    // Each refusal halves what is asked for next: about a hundred blocks, fifty, and then few enough.
    expect(found.map((use) => use?.type)).toEqual([undefined, undefined, 'paid', 'paid'])
    await chain.mine(40)
    const old = { ...recent, head: recent.head + 40n }
    expect(await searches.search(old)).toBeNull()
  })

  test('remembers so many authorizations and no more', async () => {
    const searches = openLooks({ kept: 2 })
    const payment = await carried()
    const queries = await Promise.all([1, 2, 3].map(() => queryOf(payment, randomHex(32))))
    for (const query of queries) await searches.search(query)
    expect(queries.map((query) => searches.known(query) !== undefined)).toEqual([false, true, true])
  })
})
