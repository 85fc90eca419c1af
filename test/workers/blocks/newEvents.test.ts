import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { PublicClient } from 'viem'
import { logsInBlock } from '../../../chain/transactions/logs.ts'
import { TRANSFERRED } from '../../../chain/x402/authorizationUse.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { eventsAfter } from '../../../workers/blocks/newEvents.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { isOfBlock } from '../../support/servers/provider.ts'

/** Blocks that a node shows without logs although they have some, as one does that lags. */

let shared: RelayerRig
/** The block before the one with a log, and that. */
let last: bigint
let end: bigint

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

beforeEach(async () => {
  const { chain, node } = shared
  node.rule()
  last = await chain.client.getBlockNumber()
  await chain.mint([{ to: newAddress(), amount: 1n }])
  end = await chain.client.getBlockNumber()
  node.rule((call) => (isOfBlock(call) ? { type: 'result', result: [] } : undefined))
}, 60_000)

async function opened(rpcUrl: string): Promise<LedgerRig> {
  const rig = await ledgerRig(await shared.ownDatabase(), shared.chain, rpcUrl)
  await rig.advance()
  return rig
}

/** The token's transfers in the new blocks, as payouts and channels are read. */
function read({ projection }: LedgerRig) {
  const { rpc } = projection.client
  const { address } = shared.chain.usdc
  const filter = { address, topics: [TRANSFERRED] }
  const source = {
    between: () => Promise.resolve([]),
    in: (hash: Hex, view: PublicClient = rpc) => logsInBlock(view, filter, hash),
    marks: { name: 'transfers', addresses: [address], topics: [TRANSFERRED] },
  }
  return eventsAfter(projection, source, last, last, end)
}

test('are not booked as empty, but read again at the next turn', async () => {
  const rig = await opened(shared.node.url)
  expect(await read(rig)).toEqual({ events: [], end: last })
  shared.node.rule()
  expect(await read(rig)).toMatchObject({ events: [{ blockNumber: end }], end })
})

test('are read from another URL at once', async () => {
  const rig = await opened(`${shared.node.url},${shared.chain.node.url}`)
  expect(await read(rig)).toMatchObject({ events: [{ blockNumber: end }], end })
})

test('are empty when they are shown so once more: bloom filters leave room for what is not there', async () => {
  const rig = await opened(shared.node.url)
  expect((await read(rig)).end).toBe(last)
  expect(await read(rig)).toEqual({ events: [], end })
})
