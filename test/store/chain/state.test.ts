import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  type BlockHeader,
  blockHashAt,
  blocksBetween,
  chainHeads,
  insertChainState,
  noteBlocks,
  readChainState,
  saveConfirmedTime,
  saveHead,
  saveHealedAt,
  saveProjectedBlock,
  saveRpcError,
  touchHead,
} from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newHash } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK, storeChain } from '../../support/store/invoice.ts'

const START = Date.parse('2026-06-01T12:00:00Z')
const NOW = new Date()

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate chain_state, chain_block`
  await storeChain(sql, { head: 0n })
  await storeChain(sql, { networkId: OTHER_NETWORK, head: 0n })
})
afterAll(() => sql.end({ timeout: 1 }))

/** A block whose time is its number in seconds. */
function block(number: bigint, hash = newHash()): BlockHeader {
  return { number, hash, parentHash: newHash(), time: timeOf(number) }
}

function timeOf(number: bigint): Date {
  return new Date(START + Number(number) * 1_000)
}

function blocks(from: bigint, to: bigint): BlockHeader[] {
  return Array.from({ length: Number(to - from) + 1 }, (_, i) => block(from + BigInt(i)))
}

const save = (headers: readonly BlockHeader[], mended: readonly BlockHeader[] = []) =>
  saveHead(sql, NETWORK, headers, mended, NOW)

async function stateOf(networkId = NETWORK) {
  const [row] = await sql`select * from chain_state where network_id = ${networkId}`
  return row
}

async function numbersOf(networkId: string): Promise<bigint[]> {
  const rows = await blocksBetween(sql, networkId, 0n, 1_000_000n)
  return rows.map(({ number }) => number)
}

describe('a new head', () => {
  test('is noted with its blocks, and no other chain’s', async () => {
    const headers = blocks(5n, 7n)
    await save(headers)
    expect(await readChainState(sql, NETWORK)).toMatchObject({
      ...{ head: 7n, headHash: headers[2]?.hash },
    })
    expect(await stateOf()).toMatchObject({ headSeenAt: NOW, headTime: timeOf(7n) })
    expect(await numbersOf(NETWORK)).toEqual([5n, 6n, 7n])
    expect(await stateOf(OTHER_NETWORK)).toMatchObject({ head: 0n, headHash: null })
    expect(await chainHeads(sql)).toEqual(
      new Map([
        [NETWORK, 7n],
        [OTHER_NETWORK, 0n],
      ]),
    )
  })

  test('replaces what a reorganisation displaced, from its first block upward', async () => {
    await saveHead(sql, OTHER_NETWORK, blocks(5n, 9n), [], NOW)
    const former = blocks(5n, 9n)
    await save(former)
    const headers = blocks(7n, 8n)
    await save(headers)
    expect(await numbersOf(NETWORK)).toEqual([5n, 6n, 7n, 8n])
    expect(await blockHashAt(sql, NETWORK, 6n)).toBe(former[1]?.hash ?? null)
    expect(await blockHashAt(sql, NETWORK, 7n)).toBe(headers[0]?.hash ?? null)
    expect(await numbersOf(OTHER_NETWORK)).toEqual([5n, 6n, 7n, 8n, 9n])
  })

  test('mends single blocks further down', async () => {
    const former = blocks(5n, 6n)
    await save(former)
    const mended = block(6n)
    await save([block(50n)], [mended])
    expect(await blockHashAt(sql, NETWORK, 5n)).toBe(former[0]?.hash ?? null)
    expect(await blockHashAt(sql, NETWORK, 6n)).toBe(mended.hash)
  })

  test('lets the thousand newest blocks and one be kept', async () => {
    await saveHead(sql, OTHER_NETWORK, [block(1n), ...blocks(5_000n, 5_010n)], [], NOW)
    await save(blocks(1n, 1_003n))
    const numbers = await numbersOf(NETWORK)
    expect([numbers[0], numbers.length]).toEqual([3n, 1_001])
    expect((await numbersOf(OTHER_NETWORK)).length).toBe(12)
  })

  test('of no blocks changes nothing', async () => {
    await save([])
    expect(await stateOf()).toMatchObject({ head: 0n, headSeenAt: null })
  })

  test('takes back what was read of blocks that it replaces', async () => {
    const read = async (distributionsBlock: bigint, ...given: Parameters<typeof save>) => {
      await sql`update chain_state set distributions_block = ${distributionsBlock}`
      await save(...given)
      expect((await stateOf(OTHER_NETWORK))?.distributionsBlock).toBe(distributionsBlock)
      return (await stateOf())?.distributionsBlock
    }
    expect(await read(9n, [block(10n)])).toBe(9n)
    expect(await read(10n, [block(10n)])).toBe(9n)
    expect(await read(12n, [block(10n)])).toBe(9n)
    expect(await read(12n, [block(20n)], [block(8n), block(7n)])).toBe(6n)
  })
})

describe('the confirmed time', () => {
  const confirmed = async () => (await stateOf())?.confirmedTime
  beforeEach(async () => {
    await save(blocks(5n, 10n))
    await saveHead(sql, OTHER_NETWORK, [{ ...block(8n), time: NOW }], [], NOW)
    await saveProjectedBlock(sql, NETWORK, 100n)
    await saveProjectedBlock(sql, OTHER_NETWORK, 100n)
  })

  test('is that of the newest confirmed block', async () => {
    await saveConfirmedTime(sql, NETWORK, 8n)
    expect(await confirmed()).toEqual(timeOf(8n))
    expect((await stateOf(OTHER_NETWORK))?.confirmedTime).toBeNull()
    await saveConfirmedTime(sql, NETWORK, 9n)
    expect(await confirmed()).toEqual(timeOf(9n))
  })

  test('goes no further than what is in the ledger', async () => {
    await saveProjectedBlock(sql, NETWORK, 6n)
    await saveConfirmedTime(sql, NETWORK, 8n)
    expect(await confirmed()).toEqual(timeOf(6n))
  })

  test('stays while the block is not known', async () => {
    await saveConfirmedTime(sql, NETWORK, 8n)
    await saveConfirmedTime(sql, NETWORK, 20n)
    expect(await confirmed()).toEqual(timeOf(8n))
  })

  test('is not written again when it is the same', async () => {
    const version = async () => {
      const [row] = await sql`select xmin::text from chain_state where network_id = ${NETWORK}`
      return row?.xmin
    }
    await saveConfirmedTime(sql, NETWORK, 8n)
    const before = await version()
    await saveConfirmedTime(sql, NETWORK, 8n)
    expect(await version()).toBe(before)
  })
})

describe('what is known about a chain', () => {
  test('begins once: its genesis stays', async () => {
    const [first, second] = [newHash(), newHash()]
    await insertChainState(sql, 'polygon', 137, first)
    await insertChainState(sql, 'polygon', 137, second)
    expect((await readChainState(sql, 'polygon'))?.genesisHash).toBe(first)
    expect(await readChainState(sql, 'arbitrum')).toBeNull()
  })

  test('is written for that chain alone', async () => {
    await saveRpcError(sql, NETWORK, 'x'.repeat(600))
    await saveHealedAt(sql, NETWORK, NOW)
    await saveProjectedBlock(sql, NETWORK, 9n)
    expect(await stateOf()).toMatchObject({
      ...{ rpcError: 'x'.repeat(500), healedAt: NOW, projectedBlock: 9n },
    })
    expect((await stateOf(OTHER_NETWORK))?.rpcError).toBeNull()
    await saveRpcError(sql, OTHER_NETWORK, 'down')
    await touchHead(sql, NETWORK, NOW)
    expect(await stateOf()).toMatchObject({ rpcError: null, headSeenAt: NOW })
    expect(await stateOf(OTHER_NETWORK)).toMatchObject({
      ...{ rpcError: 'down', healedAt: null, projectedBlock: 0n, headSeenAt: null },
    })
  })

  test('keeps the blocks that it knows when others are noted', async () => {
    const known = block(5n)
    await save([known])
    const passed = block(3n)
    await noteBlocks(sql, NETWORK, [block(5n), passed])
    expect(await blockHashAt(sql, NETWORK, 5n)).toBe(known.hash)
    expect(await blockHashAt(sql, NETWORK, 3n)).toBe(passed.hash)
    expect(await blockHashAt(sql, NETWORK, 4n)).toBeNull()
    expect(await blockHashAt(sql, OTHER_NETWORK, 5n)).toBeNull()
    expect(await blocksBetween(sql, NETWORK, 3n, 5n)).toHaveLength(2)
    expect(await blocksBetween(sql, NETWORK, 4n, 5n)).toEqual([{ number: 5n, hash: known.hash }])
    expect(await blocksBetween(sql, OTHER_NETWORK, 3n, 5n)).toEqual([])
  })
})
