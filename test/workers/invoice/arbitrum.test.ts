import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { parseTransaction } from 'viem'
import type { Hex } from '../../../core/chain/evm.ts'
import { batchGas, USUAL_GAS } from '../../../core/chain/gas.ts'
import { bytesIn } from '../../../core/chain/words.ts'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, settleAll } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSweeps, expectSweptOnce } from '../../support/relayer/sweeps.ts'
import { placeArbitrum } from '../../support/servers/arbitrum.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** On Arbitrum a transaction's gas pays for its data on Ethereum, before any of it is used. */

let rig: RelayerRig
let chain: HubChain
/** A unit of data, in wei. */
let dataPrice: bigint

beforeAll(async () => {
  rig = await openRelayerRig({ networkId: 'arbitrum-sepolia', relayers: 2 })
  chain = rig.chain
}, 120_000)

beforeEach(async () => {
  const { baseFeePerGas } = await chain.client.getBlock()
  dataPrice = 20n * (baseFeePerGas ?? 0n)
  await placeArbitrum(chain.node, { dataPrice: Number(dataPrice) })
})

afterAll(() => rig?.close())

/** What Nitro takes for a transaction's data, if it could not compress any of it: arbos/l1pricing. */
function gasForData(raw: Hex, baseFee: bigint): bigint {
  return (16n * BigInt(bytesIn(raw.slice(2))) * dataPrice) / baseFee
}

interface Attempt {
  readonly raw: Hex
  readonly hash: Hex
  readonly isCancel: boolean
  readonly items: number
}

/** Those that were mined, each with the base fee of its block. */
async function minedAttempts(database: Database) {
  const attempts = await database<Attempt[]>`
    select a.raw, a.hash, a.is_cancel, t.item_count as items
    from relayer_attempt a join relayer_tx t on t.id = a.tx_id and t.mined_hash = a.hash`
  return Promise.all(
    attempts.map(async (attempt) => {
      const { blockNumber } = await chain.client.getTransactionReceipt({ hash: attempt.hash })
      const { baseFeePerGas } = await chain.client.getBlock({ blockNumber })
      const { gas = 0n } = parseTransaction(attempt.raw)
      return { ...attempt, gas, forData: gasForData(attempt.raw, baseFeePerGas ?? 1n) }
    }),
  )
}

const { base, perItem } = batchGas(USUAL_GAS.sweep.item)

test('sweeps have gas for it beside what their batches count', async () => {
  const database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, 5)
  await settleAll(database, chain, [openRelayer(database, chain, { key: rig.ownKey() })])
  await expectSweptOnce(database, chain, sweeps, collected)
  const mined = await minedAttempts(database)
  expect(mined.length).toBeGreaterThan(0)
  for (const { gas, forData, items } of mined) {
    expect(gas - base - perItem * BigInt(items)).toBeGreaterThan(forData)
  }
})

test('so has what takes the place of one that had too little, and its work goes on', async () => {
  const database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, 1)
  let refused: unknown
  rig.node.rule(({ method, params }) => {
    const [raw] = params
    refused ??= method === 'eth_sendRawTransaction' ? raw : undefined
    if (method !== 'eth_sendRawTransaction' || raw !== refused) return undefined
    return { type: 'error', code: -32_000, message: 'intrinsic gas too low' }
  })
  const setup = { key: rig.ownKey(), rpcUrl: rig.node.url }
  await settleAll(database, chain, [openRelayer(database, chain, setup)])
  await expectSweptOnce(database, chain, sweeps, collected)
  const cancel = (await minedAttempts(database)).find(({ isCancel }) => isCancel)
  if (cancel === undefined) throw new Error('nothing was cancelled')
  expect(cancel.gas - 21_000n).toBeGreaterThan(cancel.forData)
})
