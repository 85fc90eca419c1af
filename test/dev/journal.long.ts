import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberToHex } from 'viem'
import { type Anvil, startAnvil } from '../../dev/servers/anvil.ts'
import { hexField } from '../../dev/servers/rpc.ts'

/** An account without a key. */
const STRANGER = `0x${'57'.repeat(20)}`
const RECEIVER = `0x${'4e'.repeat(20)}`

let dir = ''
let chain: Anvil
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'remit-journal-'))
  chain = await start()
  // The node's own block 0 names no state, so that the first block after it stores the whole.
  await chain.mine()
})
afterEach(async () => {
  await chain.stop()
  rmSync(dir, { recursive: true, force: true })
})

const stateFile = () => join(dir, 'chain.json')
const journal = () => readFileSync(`${stateFile()}.journal`, 'utf8').trim().split('\n')
/** Mines only when asked: its own ticks are hours apart. */
const start = () =>
  startAnvil({ chainId: 84_532, port: 0, mining: 10_000_000, stateFile: stateFile(), accounts: 1 })

async function pay(count = 1): Promise<void> {
  const [from] = (await chain.rpc('eth_accounts')) as string[]
  const first = Number(await chain.rpc('eth_getTransactionCount', [from, 'pending']))
  const payment = { from, to: RECEIVER, value: '0x1', gas: '0x5208' }
  const send = (_: unknown, i: number) =>
    chain.rpc('eth_sendTransaction', [{ ...payment, nonce: numberToHex(first + i) }])
  await Promise.all(Array.from({ length: count }, send))
}

async function payAsStranger(): Promise<void> {
  await chain.rpc('anvil_impersonateAccount', [STRANGER])
  await chain.rpc('eth_sendTransaction', [{ from: STRANGER, to: RECEIVER, value: '0x1' }])
}

const newest = () => chain.rpc('eth_getBlockByNumber', ['latest', false])
const hashes = async () => {
  const head = Number(await chain.rpc('eth_blockNumber'))
  const numbers = Array.from({ length: head + 1 }, (_, number) => numberToHex(number))
  return Promise.all(
    numbers.map(async (number) =>
      hexField(await chain.rpc('eth_getBlockByNumber', [number, false]), 'hash'),
    ),
  )
}

async function killAndStart(): Promise<void> {
  process.kill(chain.pid, 'SIGKILL')
  await chain.exited
  chain = await start()
}

describe('a durable chain', () => {
  test('makes the blocks of its journal again, to the hash', async () => {
    await pay(3)
    await chain.mine()
    await chain.mine()
    await chain.rpc('anvil_setBalance', [STRANGER, numberToHex(10n ** 18n)])
    await chain.mine()
    await payAsStranger()
    await pay(2)
    await chain.mine()
    await payAsStranger()
    await chain.mine()
    const before = await hashes()
    expect(journal()).toHaveLength(3)

    await killAndStart()
    expect(await hashes()).toEqual(before)
    expect(await chain.rpc('eth_getBalance', [RECEIVER, 'latest'])).toBe('0x7')

    await pay()
    await chain.mine()
    const time = Number(hexField(await newest(), 'timestamp'))
    expect(Math.abs(Date.now() / 1000 - time)).toBeLessThan(3)
    const more = await hashes()
    await killAndStart()
    expect(await hashes()).toEqual(more)
  })

  test('writes a line for a block, and its state again only when the journal is long', async () => {
    await pay(100)
    await chain.mine()
    const { mtimeMs, size } = statSync(stateFile())
    const journalBytes = () => statSync(`${stateFile()}.journal`).size
    const first = journalBytes()
    for (let i = 0; i < 5; i += 1) {
      await pay(10)
      await chain.mine()
    }
    expect((journalBytes() - first) / 5).toBeLessThan((first / 100) * 10 * 1.3)
    expect(statSync(stateFile()).mtimeMs).toBe(mtimeMs)

    for (let i = 0; i < 7; i += 1) {
      await pay(200)
      await chain.mine()
    }
    expect(journal().length).toBeLessThan(4)
    expect(statSync(stateFile()).size).toBeGreaterThan(size + 1_000_000)
  })

  test('writes a line for an empty block as well, which leaves the state as it was', async () => {
    const { mtimeMs } = statSync(stateFile())
    const first = journal().length
    for (let i = 0; i < 3; i += 1) await chain.mine()
    expect(journal().length).toBe(first + 3)
    expect(statSync(stateFile()).mtimeMs).toBe(mtimeMs)
    const before = await hashes()
    await killAndStart()
    expect(await hashes()).toEqual(before)
  })

  test('stores what was changed without a transaction with the next block', async () => {
    await pay()
    await chain.mine()
    await chain.rpc('anvil_setBalance', [STRANGER, '0x2a'])
    await pay()
    await chain.mine()
    await killAndStart()
    expect(await chain.rpc('eth_getBalance', [STRANGER, 'latest'])).toBe('0x2a')
    expect(await chain.rpc('eth_getBalance', [RECEIVER, 'latest'])).toBe('0x2')
  })

  test('stores blocks that others replaced, or asked for', async () => {
    for (let i = 0; i < 3; i += 1) {
      await pay()
      await chain.mine()
    }
    await chain.rpc('anvil_reorg', [2, []])
    await chain.mine()
    const before = await hashes()
    await killAndStart()
    expect(await hashes()).toEqual(before)
    expect(await chain.rpc('eth_getBalance', [RECEIVER, 'latest'])).toBe('0x1')

    // A block that a caller requested leaves the state as it was.
    await chain.mine()
    await chain.rpc('evm_mine')
    await chain.mine()
    const after = await hashes()
    await killAndStart()
    expect(await hashes()).toEqual(after)
  })

  test('forgets a line that was not written to its end, and a journal of another state', async () => {
    await pay()
    await chain.mine()
    const before = await hashes()
    appendFileSync(`${stateFile()}.journal`, '{"number":"0x2","timest')
    await killAndStart()
    expect(await hashes()).toEqual(before)

    await pay()
    await chain.mine()
    const [, ...blocks] = journal()
    const stale = JSON.stringify({ after: `0x${'00'.repeat(32)}` })
    const stopped = await hashes()
    await chain.stop()
    await Bun.write(`${stateFile()}.journal`, `${[stale, ...blocks].join('\n')}\n`)
    chain = await start()
    expect(await hashes()).toEqual(stopped)
  })

  test('refuses to start when a block comes out differently', async () => {
    await pay()
    await chain.mine()
    process.kill(chain.pid, 'SIGKILL')
    await chain.exited
    const changed = journal()
      .join('\n')
      .replace(/("hash":"0x)(..)/, (_, before, byte) => before + (byte === '00' ? '11' : '00'))
    await Bun.write(`${stateFile()}.journal`, `${changed}\n`)
    await expect(start()).rejects.toThrow('could not be replayed')
  })
})
