import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { baseUnits } from '../../core/money.ts'
import { readChainState, saveConfirmedTime, saveProjectedBlock } from '../../store/chainState.ts'
import type { Database } from '../../store/database.ts'
import { findInvoice } from '../../store/invoices.ts'
import { announceExpiries } from '../../workers/ledger/expiry.ts'
import { checkIdentity, followHead, WrongChainError } from '../../workers/ledger/head.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'
import { type FakeRpc, startFakeRpc } from '../support/fakeRpc.ts'
import { type LedgerRig, ledgerRig } from '../support/ledger.ts'
import { freshDatabase } from '../support/relayers.ts'

let chain: HubChain
let database: Database
let rig: LedgerRig

beforeAll(async () => {
  chain = await startHubChain()
  database = await freshDatabase()
  rig = await ledgerRig(database, chain)
}, 60_000)

afterAll(async () => {
  await database.end()
  await chain.node.stop()
})

describe('a payment that the indexer missed', () => {
  test('is found by its deposit balance, confirmed, and promised to the merchant', async () => {
    await database`
      update merchant set config_version = 1, recipient = '0x00000000000000000000000000000000000000aa'
      where id = ${rig.merchantId}`
    const invoice = await rig.invoice()
    await chain.mint([{ to: invoice.depositAddress, amount: 10_500_000n }])
    await chain.mine(3)
    await rig.follow()
    expect(await rig.heal()).toBe(1)
    expect(await rig.heal()).toBe(0)
    await rig.follow()
    await chain.mine()
    await rig.follow()

    const found = await findInvoice(database, rig.merchantId, invoice.id)
    expect(found?.invoice).toMatchObject({
      status: 'paid',
      receivedAmount: baseUnits(10_500_000n),
      targetNetwork: chain.networkId,
    })
    expect(found?.settlements).toMatchObject([
      { amount: 10_500_000n, fee: 50_000n, status: 'open' },
    ])
    const items = await database<{ kind: string; waits: boolean }[]>`
      select kind, waits_for is not null as waits from work_item order by id`
    expect([...items]).toEqual([
      { kind: 'configure', waits: false },
      { kind: 'sweep', waits: true },
    ])
    const events = await rig.events(invoice.id)
    expect(events.map((event) => event.type)).toEqual([
      'invoice.created',
      'invoice.payment_detected',
      'invoice.payment_confirmed',
      'invoice.paid',
      'invoice.overpaid',
    ])
    expect(events.map((event) => event.version)).toEqual([1, 2, 3, 4, 5])
    expect(events.at(-1)?.data).toMatchObject({
      status: 'paid',
      overpaidAmount: '0.5',
      environment: 'sandbox',
      version: 5,
    })
  })
})

describe('the expiry of an unpaid invoice', () => {
  test('is told once, after every block that could have been in time is in the ledger', async () => {
    const head = await chain.client.getBlock()
    const expiresAt = new Date(Number(head.timestamp) * 1000 + 1_000)
    const invoice = await rig.invoice({ expiresAt })
    const announce = async () => {
      await rig.follow()
      await saveConfirmedTime(database, chain.networkId, 2)
      return (await announceExpiries(rig.projection, new Date())).changed
    }
    expect(await announce()).toBe(0)
    await chain.node.rpc('evm_increaseTime', [60])
    await chain.mine(3)
    // The chain is past it, but the indexer isn't: a payment may still turn up.
    expect(await announce()).toBe(0)
    const state = await readChainState(database, chain.networkId)
    await saveProjectedBlock(database, chain.networkId, (state?.head ?? 0n) + 3n)
    expect(await announce()).toBe(1)
    expect(await announce()).toBe(0)
    const told = (await rig.events(invoice.id)).map((event) => event.type)
    expect(told).toEqual(['invoice.created', 'invoice.expired'])
  })
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
    expect(await followHead(database, deceived.projection.client, new Date())).toBe(false)
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
    expect(await followHead(database, deceived.projection.client, new Date())).toBe(false)
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
