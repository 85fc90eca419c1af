import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { parseTransaction } from 'viem'
import type { Database } from '../../../store/database/database.ts'
import { readTipFloor } from '../../../store/relayer/attempts.ts'
import { readAlarms } from '../../../store/turns/alarms.ts'
import { pauseAfter } from '../../../workers/relayer/deliver.ts'
import { openRelayer, settleAll } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSweeps, expectSweptOnce, expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { type FakeRpc, type Rule, refuseTransactions } from '../../support/servers/fakeRpc.ts'

/** Pools with a minimum tip that the node does not suggest, and nodes whose words no client is known for. */

const GWEI = 10n ** 9n
const FLOOR = 25n * GWEI

let rig: RelayerRig
let chain: HubChain
let node: FakeRpc
/** The bytes that were refused, in order. */
let refused: string[]

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 10 })
  chain = rig.chain
  node = rig.node
}, 120_000)

beforeEach(() => {
  refused = []
})

afterAll(() => rig?.close())

function tipOf(raw: string): bigint {
  return parseTransaction(`0x02${raw.slice(4)}`).maxPriorityFeePerGas ?? 0n
}

/** A pool that takes no tip below the floor. */
function pool(words: string): Rule {
  const isBelow = (raw: string) => {
    const isRefused = tipOf(raw) < FLOOR
    if (isRefused) refused.push(raw)
    return isRefused
  }
  return refuseTransactions(isBelow, words, () => undefined)
}

function refuseAll(words: string): Rule {
  return refuseTransactions(
    (raw) => refused.push(raw) > 0,
    words,
    () => undefined,
  )
}

async function sweepsAt(variables: Record<string, string> = {}, retryMs = 0) {
  const database = await rig.ownDatabase()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, 2, { pays: 'recipient' })
  const setup = { key: rig.ownKey(), rpcUrl: node.url, variables, timing: { retryMs } }
  const relayer = openRelayer(database, chain, setup)
  const settle = async () => {
    await settleAll(database, chain, [relayer])
    node.rule()
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  }
  return { database, relayer, settle }
}

async function tipsOf(database: Database): Promise<bigint[]> {
  const rows = await database<{ tip: bigint }[]>`
    select max_priority_fee_per_gas as tip from relayer_attempt order by tx_id, seq`
  return rows.map(({ tip }) => tip)
}

async function refusals(database: Database): Promise<string[]> {
  const alarms = await readAlarms(database)
  return alarms.filter(({ kind }) => kind === 'refused').map(({ detail }) => detail)
}

describe('a pool with a minimum tip', () => {
  test.each([
    `transaction gas price below minimum: gas tip cap 1000000000, minimum needed ${FLOOR}`,
    `transaction underpriced: tip needed ${FLOOR}, tip permitted 1000000000`,
  ])('that names it has it adopted at once, for all workers: %s', async (words) => {
    const { database, settle } = await sweepsAt()
    node.rule(pool(words))
    await settle()
    expect(refused).toHaveLength(1)
    expect(await readTipFloor(database, chain.networkId)).toBe(FLOOR)
    expect((await tipsOf(database)).map((tip) => tip >= FLOOR)).toEqual([false, true])
    // The next transaction, of another process, begins with it.
    node.rule(pool(words))
    const next = openRelayer(database, chain, { key: rig.ownKey(), rpcUrl: node.url })
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    await settleAll(database, chain, [next])
    expect(refused).toHaveLength(1)
  })

  test('that names none is found out by doubling, beyond five times the suggestion', async () => {
    const { database, settle } = await sweepsAt()
    node.rule(pool('transaction underpriced'))
    await settle()
    expect(refused.length).toBeLessThanOrEqual(6)
    expect(new Set(refused).size).toBe(refused.length)
    expect((await tipsOf(database)).at(-1)).toBeGreaterThanOrEqual(FLOOR)
  })

  test('above the operator’s limit is not paid, and nothing is sent beyond the limit', async () => {
    const { database, relayer, settle } = await sweepsAt({ MAX_FEE_GWEI_BASE_SEPOLIA: '20' })
    node.rule(pool(`transaction underpriced: gas tip cap 1, minimum needed ${FLOOR}`))
    for (let turn = 0; turn < 6; turn += 1) await relayer.turn()
    const rows = await database<{ most: bigint }[]>`
      select max(max_fee_per_gas) as most from relayer_attempt`
    expect(rows[0]?.most).toBeLessThanOrEqual(20n * GWEI)
    const kinds = (await readAlarms(database)).map(({ kind }) => kind)
    expect(kinds).toContain('fee_ceiling')
    expect(kinds).toContain('refused')
    node.rule()
    await settle()
  })
})

describe('a refusal in words of no client', () => {
  const WORDS = 'the moon is full'

  test('is an alarm with the words when it comes for the third time, and over once it is taken', async () => {
    const { database, relayer, settle } = await sweepsAt()
    node.rule(refuseAll(WORDS))
    while (refused.length < 2) await relayer.turn()
    expect(await refusals(database)).toEqual([])
    while (refused.length < 3) await relayer.turn()
    expect(await refusals(database)).toEqual([WORDS])
    expect(new Set(refused).size).toBe(1)
    node.rule()
    await settle()
  })

  test('is not repeated before its pause is over', async () => {
    const { relayer } = await sweepsAt({}, 600_000)
    node.rule(refuseAll(WORDS))
    for (let turn = 0; turn < 5; turn += 1) await relayer.turn()
    node.rule()
    expect(refused).toHaveLength(1)
    expect(relayer.pace).toBe('open')
  })

  test('is repeated after pauses that double up to half a minute', () => {
    const pauses = [0, 1, 2, 3, 4, 8, 100].map((refusals) => pauseAfter(refusals, 250))
    expect(pauses).toEqual([250, 250, 500, 1_000, 2_000, 30_000, 30_000])
    expect(pauseAfter(100, 60_000)).toBe(60_000)
    expect(pauseAfter(100, 0)).toBe(0)
  })

  test('of a cancellation is reported as well', async () => {
    const { database, relayer, settle } = await sweepsAt()
    node.rule(refuseAll('invalid chain id for signer: have 1 want 2'))
    for (let turn = 0; turn < 4; turn += 1) await relayer.turn()
    expect(await refusals(database)).toEqual(['invalid chain id for signer: have 1 want 2'])
    node.rule()
    await settle()
  })
})
