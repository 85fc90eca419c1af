import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPublicClient, http, type PublicClient, RpcRequestError, TimeoutError } from 'viem'
import { readInRanges } from '../../chain/ranges.ts'
import { readBalances } from '../../chain/token/balances.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Anvil } from '../../dev/servers/anvil.ts'
import { startTestChain } from '../support/servers/run.ts'

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
      const balances = await readBalances(client, TOKEN, holders, 0n)
      expect(balances.map(Number)).toEqual(holders.map((_, i) => i + 1))
    }
  })

  test('that a token refuses to tell are an error, never zero', async () => {
    for (const code of ['0x', '0x60006000fd', '0x00']) {
      await node.rpc('anvil_setCode', [TOKEN, code])
      await expect(readBalances(client, TOKEN, [holder(1)], 0n)).rejects.toThrow()
    }
  })
})

describe('a stretch of blocks', () => {
  /** A node that refuses more than some blocks at once, and remembers what it answered. */
  function strictNode(most: bigint) {
    const answered: [bigint, bigint][] = []
    let refused = 0
    const read = async (from: bigint, to: bigint): Promise<bigint> => {
      if (to - from + 1n > most) {
        refused += 1
        const message = 'query returned more than 10000 results'
        throw new RpcRequestError({ body: {}, error: { code: -32_005, message }, url: node.url })
      }
      answered.push([from, to])
      return to - from + 1n
    }
    return { answered, read, refusals: () => refused }
  }

  test('is read whole, once, in order, whatever the node allows', async () => {
    for (const most of [1n, 7n, 500n, 1_000_000n]) {
      const strict = strictNode(most)
      const last = most === 1n ? 40n : 60_000n
      let total = 0n
      for await (const count of readInRanges(3n, last, strict.read)) total += count
      expect(total).toBe(last - 2n)
      let next = 3n
      for (const [from, to] of strict.answered) {
        expect(from).toBe(next)
        next = to + 1n
      }
    }
  })

  /** A node that says nothing at all to questions about more than some blocks. */
  function slowNode(most: bigint) {
    const asked: bigint[] = []
    const read = async (from: bigint, to: bigint): Promise<bigint> => {
      asked.push(to - from + 1n)
      if (to - from + 1n > most) throw new TimeoutError({ body: {}, url: node.url })
      return to - from + 1n
    }
    return { asked, read }
  }

  test('that a node is too slow for is read in much smaller pieces', async () => {
    let total = 0n
    for await (const count of readInRanges(0n, 59_999n, slowNode(700n).read)) total += count
    expect(total).toBe(60_000n)
  })

  test('of a node that is silent is given up at the second time', async () => {
    const { asked, read } = slowNode(0n)
    const all = async () => {
      for await (const _ of readInRanges(0n, 59_999n, read)) break
    }
    await expect(all()).rejects.toThrow(TimeoutError)
    expect(asked).toEqual([10_000n, 625n])
  })

  test('is given up at once for what is no fault of the node', async () => {
    let reads = 0
    const all = async () => {
      for await (const _ of readInRanges(0n, 100n, broken)) break
    }
    const broken = async () => {
      reads += 1
      throw new RangeError('our own')
    }
    await expect(all()).rejects.toThrow('our own')
    expect(reads).toBe(1)
  })

  test('of nothing asks nothing', async () => {
    const strict = strictNode(10n)
    for await (const _ of readInRanges(5n, 4n, strict.read)) throw new Error('nothing was expected')
    expect(strict.answered).toEqual([])
  })

  test('that the node refuses block by block is its error', async () => {
    const all = async () => {
      for await (const _ of readInRanges(0n, 100n, strictNode(0n).read)) break
    }
    await expect(all()).rejects.toThrow('more than 10000 results')
  })
})
