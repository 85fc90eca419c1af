import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import pino from 'pino'
import { openKinds } from '../../../store/chain/openKinds.ts'
import { readChainState } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceX402 } from '../../../workers/ledger/x402Steps.ts'
import { Searches } from '../../../workers/turns/searches.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'

/** What the ledger asks a node for to hear of payouts. */

const SILENT = pino({ level: 'silent' })
let shared: RelayerRig
let database: Database
let rig: LedgerRig

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

beforeEach(async () => {
  shared.node.rule()
  database = await shared.ownDatabase()
  rig = await ledgerRig(database, shared.chain, shared.node.url)
  await rig.advance()
  await database`update chain_state set distributions_block = head`
}, 120_000)

async function booked(): Promise<bigint | undefined> {
  const [row] = await database<{ block: bigint }[]>`
    select distributions_block as block from chain_state`
  return row?.block
}

/** How many calls for logs one turn makes. */
async function logsAsked(): Promise<number> {
  const before = shared.node.calls.get('eth_getLogs') ?? 0
  const { database, client } = rig.projection
  const open = await openKinds(database, client.chain.networkId)
  await advanceX402(rig.projection, new Searches(client), open, SILENT)
  return (shared.node.calls.get('eth_getLogs') ?? 0) - before
}

async function awaitPayout(): Promise<void> {
  await database`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${shared.chain.networkId}, 'distribute', 'distribute:test', '{}')`
}

test('no block is asked for while no payment waits to be paid out', async () => {
  const before = await booked()
  await shared.chain.mine(40)
  await rig.advance()
  expect(await logsAsked()).toBe(0)
  expect(await booked()).toBe(before)
})

test('when one does, the blocks since are read, deep ones together and others by their hashes', async () => {
  await shared.chain.mine(40)
  await rig.advance()
  await awaitPayout()
  const { confirmations, finalityDepth } = rig.projection.client.chain
  expect(await logsAsked()).toBe(1 + finalityDepth + 1 - confirmations)
  const state = await readChainState(database, shared.chain.networkId)
  expect(await booked()).toBe((state?.head ?? 0n) - BigInt(confirmations) + 1n)
})

test('many blocks are read together in any case', async () => {
  await shared.chain.node.rpc('anvil_mine', ['0x230'])
  await rig.advance()
  expect(await logsAsked()).toBeGreaterThan(0)
})

test('nothing is booked from a node that stands still', async () => {
  const before = await booked()
  const [frozenAt] = await database<{ head: bigint }[]>`select head from chain_state`
  await shared.chain.mine(40)
  await rig.advance()
  await awaitPayout()
  shared.node.rule(() => ({ type: 'frozen', at: Number(frozenAt?.head) }))
  // The step is left for a turn whose node knows the block.
  await logsAsked()
  expect(await booked()).toBe(before)
  shared.node.rule(() => ({ type: 'forked', from: Number(frozenAt?.head) }))
  await logsAsked().catch(() => 0)
  expect(await booked()).toBe(before)
})
