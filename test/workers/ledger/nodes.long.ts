import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readChainState } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { checkIdentity, WrongChainError } from '../../../workers/blocks/head.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'

let chain: HubChain
let database: Database
let rig: LedgerRig

beforeAll(async () => {
  chain = await startHubChain()
  database = await freshDatabase()
  rig = await ledgerRig(database, chain)
}, 120_000)

afterAll(async () => {
  await database.end()
  await chain.node.stop()
})

describe('a node that errs', () => {
  let liar: FakeRpc
  let deceived: LedgerRig

  beforeAll(async () => {
    liar = startFakeRpc(chain.node.url)
    deceived = await ledgerRig(database, chain, liar.url)
  })
  afterAll(() => liar.stop())

  test('and names a newest block far ahead confirms nothing', async () => {
    const invoice = await deceived.invoice()
    await chain.mint([{ to: invoice.depositAddress, amount: 10_000_000n }])
    await chain.mine(1)
    await deceived.follow()
    await deceived.heal()
    await database`
      update payment set status = 'pending', confirmed_at = null where invoice_id = ${invoice.id}`
    const head = await chain.client.getBlock()
    const before = await readChainState(database, chain.networkId)
    liar.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { type: 'result', result: { ...hexBlock(head), number: '0x989680' } }
        : undefined,
    )
    expect(await deceived.advance()).toBe(false)
    liar.rule()
    const after = await readChainState(database, chain.networkId)
    expect(after?.head).toBe(before?.head ?? -1n)
  })

  test('and lags behind another one takes nothing back', async () => {
    await chain.mine(3)
    await deceived.follow()
    const head = await readChainState(database, chain.networkId)
    const old = await chain.client.getBlock({ blockNumber: (head?.head ?? 0n) - 2n })
    liar.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { type: 'result', result: hexBlock(old) }
        : undefined,
    )
    expect(await deceived.advance()).toBe(false)
    liar.rule()
    expect((await readChainState(database, chain.networkId))?.head).toBe(head?.head ?? -1n)
  })

  test('and answers for another chain is refused', async () => {
    liar.rule(({ method }) =>
      method === 'eth_chainId' ? { type: 'result', result: '0x1' } : undefined,
    )
    const check = checkIdentity(database, deceived.projection.client)
    await expect(check).rejects.toBeInstanceOf(WrongChainError)
    liar.rule()
  })
})

test('a node on another branch is told by a final block that the ledger has', async () => {
  await chain.mine(70)
  await rig.follow()
  const forked = startFakeRpc(chain.node.url)
  const right = startFakeRpc(chain.node.url)
  const from = Number(await chain.client.getBlockNumber()) - 60
  forked.requests(() => ({ type: 'forked', from }))
  const other = await ledgerRig(database, chain, `${forked.url},${right.url}`)
  const states = other.projection.client.urls().map(({ state }) => state)
  expect(states).toEqual(['forked', 'healthy'])
  await Promise.all([forked, right].map((node) => node.stop()))
})

test('a reorganisation replaces exactly the blocks that it displaced', async () => {
  await chain.mine(6)
  await rig.follow()
  const blocks = () => database<{ number: bigint; hash: string }[]>`
    select number, hash from chain_block where network_id = ${chain.networkId} order by number`
  const before = await blocks()
  await chain.node.rpc('anvil_reorg', [4, []])
  await chain.mine()
  await rig.follow()
  const after = await blocks()
  const kept = after.filter(({ number, hash }) =>
    before.some((block) => block.number === number && block.hash === hash),
  )
  expect(kept.length).toBe(before.length - 4)
  for (const { number, hash } of after) {
    const canonical = await chain.client.getBlock({ blockNumber: number })
    expect(hash).toBe(canonical.hash)
  }
})

/** A block as the node would send it. */
function hexBlock(block: Awaited<ReturnType<HubChain['client']['getBlock']>>) {
  const hex = (value: bigint | null) => `0x${(value ?? 0n).toString(16)}`
  return {
    number: hex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: hex(block.timestamp),
    gasLimit: hex(block.gasLimit),
    gasUsed: hex(block.gasUsed),
    transactions: [],
  }
}
