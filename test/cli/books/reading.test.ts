import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPublicClient, http, type PublicClient } from 'viem'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { readInRanges } from '../../../chain/blocks/ranges.ts'
import { readBalances } from '../../../chain/tokens/balances.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Anvil } from '../../../dev/servers/anvil.ts'
import { startTestChain } from '../../support/servers/run.ts'

const TOKEN = lowerCaseAddress('0x00000000000000000000000000000000000000aa')
/** A "token" whose balance is the holder's own address: CALLDATALOAD(4) and return it. */
const ECHO = '0x60043560005260206000f3'
let node: Anvil
let client: PublicClient

beforeAll(async () => {
  node = await startTestChain()
  client = createPublicClient({ transport: http(node.url), cacheTime: 0 })
})

afterAll(() => node.stop())

function holder(n: number): Address {
  return lowerCaseAddress(`0x${n.toString(16).padStart(40, '0')}`)
}

describe('balances', () => {
  test('of any number of holders come in order', async () => {
    await node.rpc('anvil_setCode', [TOKEN, ECHO])
    for (const count of [0, 1, 499, 500, 501, 1203]) {
      const holders = Array.from({ length: count }, (_, i) => holder(i + 1))
      const balances = await readBalances(client, TOKEN, holders, await readHead(client))
      expect(balances.map(Number)).toEqual(holders.map((_, i) => i + 1))
    }
  })

  test('that a token refuses to tell are an error, never zero', async () => {
    for (const code of ['0x', '0x60006000fd', '0x00']) {
      await node.rpc('anvil_setCode', [TOKEN, code])
      const read = readBalances(client, TOKEN, [holder(1)], await readHead(client))
      await expect(read).rejects.toThrow()
    }
  })
})

describe('a stretch of blocks', () => {
  test('is read whole, once, in order, in pieces as large as are allowed by then', async () => {
    for (const [first, last] of [
      [3n, 40n],
      [0n, 59_999n],
      [7n, 7n],
      [5n, 4n],
    ] as const) {
      const asked: [bigint, bigint][] = []
      let most = 7n
      const read = async (from: bigint, to: bigint) => {
        asked.push([from, to])
        most = to % 2n === 0n ? 500n : 9n
        return to - from + 1n
      }
      const counts = await Array.fromAsync(readInRanges(first, last, read, () => most))
      expect(counts.reduce((sum, count) => sum + count, 0n)).toBe(last - first + 1n)
      expect(counts.every((count) => count <= 500n)).toBe(true)
      let next = first
      for (const [from, to] of asked) {
        expect(from).toBe(next)
        next = to + 1n
      }
    }
  })

  test('ends with what a piece throws', async () => {
    let reads = 0
    const broken = async () => {
      reads += 1
      throw new RangeError('refused')
    }
    await expect(Array.fromAsync(readInRanges(0n, 99_999n, broken))).rejects.toThrow('refused')
    expect(reads).toBe(1)
  })
})
