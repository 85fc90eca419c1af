import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readHead, viewAt } from '../../../chain/blocks/blocks.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import type { View } from '../../../chain/rpc/view.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { readSweeps, type SweepRow } from '../../../store/invoice/sweeps.ts'
import { SweepsByOthers } from '../../../workers/invoice/sweepsByOthers.ts'
import { SCANS_PER_TURN, Searches } from '../../../workers/turns/searches.ts'
import { copyLedger } from '../../support/invoice/ledgerCopy.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSweeps, expectSweptOnce, states } from '../../support/relayer/sweeps.ts'
import { setBlacklisted } from '../../support/relayer/transactions.ts'
import { type HubChain, workerConfig } from '../../support/servers/chain.ts'
import type { FakeRpc } from '../../support/servers/fakeRpc.ts'

/** What a relayer asks the chain about sweeps that its own transaction did not make. */

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 6 })
  chain = rig.chain
  node = rig.node
}, 120_000)

afterAll(() => rig?.close())

function searches(): number {
  return node.calls.get('eth_getLogs') ?? 0
}

/** The same work is done by another operator, who shares nothing with us but the chain. */
async function sweptByAnother(database: Database): Promise<void> {
  const other = await rig.ownDatabase()
  await copyLedger(database, other)
  const key = rig.ownKey()
  await settleAll(other, chain, [openRelayer(other, chain, { key, workerId: 'stranger' })])
}

describe('a sweep that our transaction did not make', () => {
  test('is searched for nowhere while its deposit holds all that was paid', async () => {
    const database = await rig.ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await setBlacklisted(chain, sweep?.recipient ?? ZERO_ADDRESS, true)
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const before = searches()
    await step(chain, relayer, 4)
    expect(await states(database)).toEqual({ 'settlement failed': 1, 'sweep failed': 1 })
    expect(searches()).toBe(before)
  })

  test('is searched for nowhere when a reorganisation has taken its payment', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await sweptByAnother(database)
    await database`update payment set status = 'reverted', reverted_at = now()`
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const before = searches()
    await step(chain, relayer, 4)
    expect(await states(database)).toEqual({ 'settlement failed': 1, 'sweep failed': 1 })
    expect(searches()).toBe(before)
  })

  test('is found after a search of many turns, none of which asks too much', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const count = SCANS_PER_TURN + 5
    const sweeps = await dueSweeps(database, chain, count, { pays: 'recipient' })
    await sweptByAnother(database)
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    const first = searches()
    let most = 0
    for (let turn = 0; turn < 8; turn += 1) {
      const before = searches()
      await step(chain, relayer)
      most = Math.max(most, searches() - before)
    }
    expect(most).toBe(SCANS_PER_TURN)
    expect(searches() - first).toBe(count)
    await expectSweptOnce(database, chain, sweeps, collected)
  })
})

describe('a sweep that another operator made', () => {
  test('is the one that we were to make if it moved just this money, and is not booked yet', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await sweptByAnother(database)
    const [item] = await database<{ id: bigint }[]>`select id from work_item where kind = 'sweep'`
    const [row] = await readSweeps(database, item ? [item.id] : [])
    if (!row) throw new Error('there is no sweep')
    const client = openChain(workerConfig(chain.variables()).chain)
    const head = await readHead(chain.client)
    const find = async (change: Partial<SweepRow> = {}, view: View = head) => {
      const searches = new Searches(client)
      searches.beginTurn()
      const search = new SweepsByOthers(database, client, searches)
      return (await search.find(chain.hub, [{ ...row, ...change }], view)).found
    }
    const found = await find()
    const made = found.map(({ event }) => [event.remitted, event.fee])
    expect(made).toEqual([[row.amount - row.fee, row.fee]])
    expect(await find({ amount: baseUnits(row.amount + 1n) })).toEqual([])
    // It remits as much with another fee.
    const more = { amount: baseUnits(row.amount + 1n), fee: baseUnits(row.fee + 1n) }
    expect(await find(more)).toEqual([])
    const [payment] = await database<{ block: bigint }[]>`select block_number as block from payment`
    expect(await find({}, await viewAt(chain.client, payment?.block ?? 0n))).toEqual([])
    await database`update settlement set tx_hash = ${found[0]?.event.txHash ?? null}`
    expect(await find()).toEqual([])
  })
})

describe('a search through blocks', () => {
  test('makes so many calls per turn, goes on in the next, and asks for as much as nodes allow', async () => {
    const searches = new Searches({ logRange: () => 10n })
    const asked: (readonly [bigint, bigint])[] = []
    const find = (key: string, to: bigint, at: bigint) => {
      searches.beginTurn()
      return searches.find(key, 1n, to, async (from, end) => {
        asked.push([from, end])
        return at >= from && at <= end ? at : null
      })
    }
    expect(await find('one', 1_000n, 205n)).toEqual({ type: 'open' })
    expect(asked).toHaveLength(SCANS_PER_TURN)
    expect(await find('one', 1_000n, 205n)).toEqual({ type: 'found', value: 205n })
    expect(asked.at(-1)).toEqual([201n, 210n])
    expect(await find('other', 15n, 99n)).toEqual({ type: 'nothing' })
    expect(asked.slice(-2)).toEqual([
      [1n, 10n],
      [11n, 15n],
    ])
  })
})
