import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { parseTransaction } from 'viem'
import { batchGas, USUAL_GAS } from '../../../core/chain/gas.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, settleAll, type TestRelayer } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  type DueSweep,
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  states,
} from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import {
  type FakeRpc,
  firstOf,
  type Reaction,
  type Rule,
  refuseTransactions,
  script,
} from '../../support/servers/fakeRpc.ts'

/** Nodes that refuse transactions which offer too much for all their gas, at high fees. */

const GWEI = 10n ** 9n
const COIN = 10n ** 18n

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc
let refusals: number

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 7 })
  chain = rig.chain
  node = rig.node
}, 120_000)

beforeEach(() => {
  refusals = 0
})

afterAll(() => rig?.close())

/** The gas limit of so many sweeps in one transaction. */
function gasOf(sweeps: number): bigint {
  const { base, perItem } = batchGas(USUAL_GAS.sweep.item)
  return base + perItem * BigInt(sweeps)
}

/** Refuses as geth and its kin do what offers more than `max` wei. */
function capped(max: bigint): Rule {
  const offersMore = (raw: string) => {
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(`0x02${raw.slice(4)}`)
    return gas * maxFeePerGas > max
  }
  const message = 'tx fee (1.81 ether) exceeds the configured cap (1.00 ether)'
  return refuseTransactions(offersMore, message, () => {
    refusals += 1
  })
}

async function setBaseFee(gwei: bigint): Promise<void> {
  await chain.node.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(gwei * GWEI).toString(16)}`])
  await chain.mine()
}

interface Rush {
  readonly database: Database
  readonly relayer: TestRelayer
  readonly sweeps: DueSweep[]
  /** Sees the sweeps to their end, and compares the money. */
  settle(): Promise<void>
}

/** Sweeps that wait, a key with plenty of money, and a base fee in gwei. */
async function rush(count: number, baseFee: bigint, batchMax = 50): Promise<Rush> {
  await setBaseFee(1n)
  const database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, count, { pays: 'recipient' })
  const key = rig.ownKey()
  await chain.node.rpc('anvil_setBalance', [addressOf(key), `0x${(1_000n * COIN).toString(16)}`])
  const variables = { RELAYER_BATCH_MAX: String(batchMax) }
  const timing = { bumpAfterMs: 0 }
  const relayer = openRelayer(database, chain, { key, rpcUrl: node.url, variables, timing })
  await setBaseFee(baseFee)
  return {
    database,
    relayer,
    sweeps,
    async settle() {
      await settleAll(database, chain, [relayer])
      node.rule()
      await expectSweptOnce(database, chain, sweeps, collected)
      await expectUnbrokenNonces(database, chain)
    },
  }
}

async function outcomes(database: Database): Promise<string[]> {
  const rows = await database`select outcome from relayer_tx order by account_nonce`
  return rows.map((row) => row.outcome)
}

describe('when fees are high', () => {
  test('batches are so small that no node refuses what they offer', async () => {
    const { database, settle } = await rush(10, 100n)
    node.rule(capped(COIN))
    await settle()
    expect(refusals).toBe(0)
    expect(await outcomes(database)).toEqual(['succeeded', 'succeeded'])
  })

  test('what a stricter node refuses is cancelled, and goes out in halves', async () => {
    const { database, settle } = await rush(12, 40n)
    node.rule(capped(COIN / 2n))
    await settle()
    expect(refusals).toBe(1)
    expect(await outcomes(database)).toEqual(['cancelled', 'succeeded', 'succeeded'])
  })

  test('what was refused is cancelled however far fees have fallen since', async () => {
    const { database, relayer, settle } = await rush(12, 40n)
    node.rule(capped(COIN / 2n))
    await relayer.turn()
    await setBaseFee(2n)
    await settle()
    expect(await outcomes(database)).toEqual(['cancelled', 'succeeded', 'succeeded'])
  })

  test('a transaction that a node has is left there when a bump would offer too much', async () => {
    const { database, relayer, settle } = await rush(5, 140n, 4)
    node.rule(capped(COIN))
    await relayer.turn()
    await relayer.turn()
    expect(refusals).toBe(0)
    const attempts = await database`select seq from relayer_attempt`
    expect(attempts.map(({ seq }) => seq)).toEqual([1, 1])
    await settle()
    expect(await outcomes(database)).toEqual(['succeeded', 'succeeded'])
  })

  test('a replacement offers the most that nodes let through, though it is not twice the base fee', async () => {
    const { database, relayer, settle } = await rush(4, 20n)
    node.rule(capped(COIN))
    await relayer.turn()
    await setBaseFee(200n)
    await relayer.turn()
    expect(refusals).toBe(0)
    const attempts = await database<{ max: bigint }[]>`
      select max_fee_per_gas as max from relayer_attempt order by seq`
    expect(attempts.map(({ max }) => max)).toEqual([40n * GWEI + GWEI, COIN / gasOf(4)])
    await settle()
    expect(await outcomes(database)).toEqual(['succeeded'])
  })

  test('a single item is offered the most that nodes let through', async () => {
    const { database, relayer, settle } = await rush(1, 1_000n)
    node.rule(capped(COIN))
    await relayer.turn()
    expect(await states(database)).toMatchObject({ 'sweep assigned': 1 })
    await settle()
    expect(refusals).toBe(0)
    expect(await outcomes(database)).toEqual(['succeeded'])
  })

  test('one that no node has is cancelled when a bump would offer too much', async () => {
    const { database, relayer, settle } = await rush(4, 140n)
    const message = 'transaction underpriced'
    const error: Reaction = { type: 'error', code: -32000, message }
    node.rule(firstOf(script('eth_sendRawTransaction', [error, error]), capped(COIN)))
    await relayer.turn()
    await settle()
    expect(refusals).toBe(0)
    expect(await outcomes(database)).toEqual(['cancelled', 'succeeded', 'succeeded'])
  })
})
