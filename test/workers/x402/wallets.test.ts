import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { size } from 'viem'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  areAllSettlesConfirmed,
  dueSettles,
  expectSettledOnce,
  newForwarder,
} from '../../support/relayer/settles.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { type FakeRpc, type Rule, refuseTransactions } from '../../support/servers/fakeRpc.ts'
import { randomHex } from '../../support/x402/authorizations.ts'

/** Contract wallets, whose signatures may have 8,192 bytes each. */

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc
let refusals: number

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 2 })
  chain = rig.chain
  node = rig.node
}, 120_000)

beforeEach(() => {
  refusals = 0
})

afterAll(() => rig?.close())

/** Refuses as the pools of nodes do what has more than `max` bytes. */
function limited(max: number): Rule {
  const isTooLarge = (raw: string) => size(`0x${raw.slice(2)}`) > max
  return refuseTransactions(isTooLarge, 'oversized data', () => {
    refusals += 1
  })
}

/** Settles payments of so many wallets on a node that takes transactions of at most `max` bytes. */
async function settleWallets(count: number, max: number): Promise<Database> {
  const database = await rig.ownDatabase()
  const relayer = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
  const shop = await newForwarder(database, chain)
  await step(chain, relayer, 4)
  const signed = await dueSettles(database, chain, shop, count, randomHex(8_192))
  node.rule(limited(max))
  for (let turn = 0; turn < 20 && !(await areAllSettlesConfirmed(database)); turn += 1) {
    await step(chain, relayer)
  }
  node.rule()
  await expectSettledOnce(database, chain, signed)
  return database
}

describe('payments of wallets with the longest signatures', () => {
  test('go out in transactions that every node takes', async () => {
    await settleWallets(16, 128 * 1024)
    expect(refusals).toBe(0)
  })

  test('go out in halves when a node takes no transaction of that size', async () => {
    const database = await settleWallets(8, 40_000)
    expect(refusals).toBe(1)
    const txs = await database`
      select outcome from relayer_tx where kind = 'x402_wallet' order by account_nonce`
    expect(txs.map(({ outcome }) => outcome)).toEqual(['cancelled', 'succeeded', 'succeeded'])
  })
})
