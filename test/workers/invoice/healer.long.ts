import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { numberToHex } from 'viem'
import { asInvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { firstIdAt } from '../../../core/events/event.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { readChainState, saveHealedAt, saveProjectedBlock } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import { Healer } from '../../../workers/invoice/healer.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import type { Rule } from '../../support/servers/fakeRpc.ts'
import { play } from '../../support/servers/provider.ts'
import { storeInvoice, storePayment } from '../../support/store/invoice.ts'

/** When deposits are compared with the chain, and what is done about those that differ. */

const MINUTE_MS = 60_000
const START = Date.now()

let shared: RelayerRig
let database: Database
let rig: LedgerRig
let healer: Healer
let logged: string[]

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

beforeEach(async () => {
  shared.node.rule()
  database = await shared.ownDatabase()
  rig = await ledgerRig(database, shared.chain, shared.node.url)
  healer = newHealer()
}, 120_000)

function newHealer(): Healer {
  logged = []
  return new Healer(rig.projection, pino({}, { write: (line) => logged.push(line) }))
}

/** Follows the chain and heals at a moment. Returns how many transfers were read. */
async function heal(atMs: number, indexerLag = 0n): Promise<number> {
  await rig.follow()
  const { networkId } = shared.chain
  const state = await readChainState(database, networkId)
  await saveProjectedBlock(database, networkId, (state?.head ?? 0n) - indexerLag)
  return healer.turn(new Date(START + atMs))
}

/** Money that the indexer doesn't see arrives at the deposit, and is confirmed. */
async function pay({ depositAddress }: Invoice, ...amounts: bigint[]): Promise<void> {
  await shared.chain.mint(amounts.map((amount) => ({ to: depositAddress, amount })))
  await shared.chain.mine()
}

async function amountsOf({ id }: Invoice): Promise<bigint[]> {
  const found = await findInvoice(database, rig.merchantId, id)
  return (found?.payments ?? []).map(({ amount }) => amount)
}

describe('a round over all deposits', () => {
  test('asks for ten pages of them a minute at most, and says nothing false of a node that lags', async () => {
    const invoice = await rig.invoice()
    await pay(invoice, 5n)
    await heal(0)
    const asked = () => shared.node.calls.get('eth_call') ?? 0
    const compare = async (atMs: number) => {
      const before = asked()
      await database`update chain_state set healed_at = null`
      await heal(atMs)
      return asked() > before
    }
    const compared: boolean[] = []
    for (let page = 2; page <= 11; page += 1) compared.push(await compare(1_000))
    expect(compared).toEqual([...Array(9).fill(true), false])
    expect(await compare(MINUTE_MS + 1)).toBe(true)

    play(shared.node, { pool: { nodes: 2, lagging: 1, blocks: 3 } })
    await database`update chain_state set healed_at = null`
    for (let round = 1; round <= 4; round += 1) await compare(MINUTE_MS * (1 + round) + 2)
    expect(logged.join('')).not.toContain('less than the ledger')
    expect(await amountsOf(invoice)).toEqual([5n])
    play(shared.node)
  })

  test('is followed by a pause of a minute, also in the next process', async () => {
    expect(await heal(0)).toBe(0)
    const invoice = await rig.invoice()
    await pay(invoice, 5n)
    expect(await heal(MINUTE_MS - 1)).toBe(0)
    healer = newHealer()
    expect(await heal(MINUTE_MS - 1)).toBe(0)
    expect(await heal(MINUTE_MS)).toBe(1)
    expect(await amountsOf(invoice)).toEqual([5n])
  })

  test('does not pause in its middle, even if another process has just ended one', async () => {
    for (let i = 0; i < 500; i += 1) await storeInvoice(database, rig.merchantId)
    const last = await rig.invoice()
    await pay(last, 5n)
    expect(await heal(0)).toBe(0)
    const { networkId } = shared.chain
    expect((await readChainState(database, networkId))?.healedAt).toBeNull()
    await saveHealedAt(database, networkId, new Date(START))
    expect(await heal(1_000)).toBe(1)
  })

  test('takes a slice of those that are older, the youngest first, and the next one after it', async () => {
    const older: Invoice[] = []
    for (const days of [400, 100, 8]) {
      const createdAt = new Date(START - days * 86_400_000)
      const id = asInvoiceId(firstIdAt(createdAt))
      older.push(await storeInvoice(database, rig.merchantId, { id, createdAt }))
      // These fill the slice with the one above.
      const between = new Date(createdAt.getTime() - 1_000)
      const last = firstIdAt(between).slice(0, -4)
      for (let i = 0; i < 499; i += 1) {
        const filler = asInvoiceId(`${last}${i.toString(16).padStart(4, '0')}`)
        await storeInvoice(database, rig.merchantId, { id: filler, createdAt: between })
      }
    }
    for (const invoice of older) await pay(invoice, 5n)
    const found = async () => {
      const amounts = await Promise.all(older.map(amountsOf))
      return amounts.map((amounts) => amounts.length)
    }
    expect(await heal(0)).toBe(1)
    expect(await found()).toEqual([0, 0, 1])
    expect(await heal(MINUTE_MS)).toBe(1)
    expect(await found()).toEqual([0, 1, 1])
    expect(await heal(2 * MINUTE_MS)).toBe(1)
    expect(await found()).toEqual([1, 1, 1])
    expect(await heal(3 * MINUTE_MS)).toBe(0)
  })

  test('reads no transfers of a deposit that holds what it should', async () => {
    const invoice = await rig.invoice()
    await pay(invoice, 5n)
    expect(await heal(0)).toBe(1)
    expect(await heal(MINUTE_MS)).toBe(0)
    expect(logged).toHaveLength(1)
  })

  test('ends what is reported of a deposit whose invoice others have completed', async () => {
    const { others } = rig.projection.work
    const [open, completed] = [await rig.invoice(), await rig.invoice()]
    const failed = { reason: 'refused', fault: 'Error', failures: 1, since: START, until: START }
    const names = [open, completed].map(({ id }) => `deposit of invoice ${id}`)
    others.quarantine.adopt(new Map(names.map((name) => [name, failed])), true)
    const reported = () => others.setbacks(new Date()).map(([name]) => name)
    await database`update invoice set status = 'completed' where id = ${completed.id}`
    shared.node.rule(({ method }) =>
      method === 'eth_call' ? { type: 'error', code: -32000, message: 'refused' } : undefined,
    )
    await heal(0)
    expect(reported()).toEqual([names[0] ?? ''])
  })

  test('reports a deposit that holds less than it should, and corrects nothing', async () => {
    const invoice = await rig.invoice()
    await storePayment(database, invoice.id, 7n, { blockNumber: 1n, status: 'confirmed' })
    expect(await heal(0)).toBe(0)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('a deposit holds less than the ledger has')
    expect(await amountsOf(invoice)).toEqual([7n])
  })

  test('sees nothing in blocks that are not confirmed', async () => {
    const invoice = await rig.invoice()
    await shared.chain.mint([{ to: invoice.depositAddress, amount: 5n }])
    expect(await heal(0)).toBe(0)
    await shared.chain.mine()
    expect(await heal(MINUTE_MS)).toBe(1)
  })
})

describe('an indexer that is behind', () => {
  test('is waited for, three minutes at most', async () => {
    await pay(await rig.invoice(), 5n)
    expect(await heal(0, 2n)).toBe(0)
    expect(await heal(3 * MINUTE_MS - 1, 2n)).toBe(0)
    expect(await heal(3 * MINUTE_MS, 2n)).toBe(1)
  })

  test('is waited for again once it has caught up', async () => {
    expect(await heal(0, 2n)).toBe(0)
    expect(await heal(MINUTE_MS)).toBe(0)
    await pay(await rig.invoice(), 5n)
    expect(await heal(4 * MINUTE_MS, 2n)).toBe(0)
    // The block that is compared is the one below the head.
    expect(await heal(4 * MINUTE_MS, 1n)).toBe(1)
  })
})

describe('the transfers of a deposit that holds too much', () => {
  /** Refuses to read logs of certain ranges. */
  function refuseLogs(isRefused: (range: { from: bigint; to: bigint; filter: string }) => boolean) {
    const rule: Rule = ({ method, params }) => {
      const filter = params[0]
      if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return
      if (!('fromBlock' in filter && 'toBlock' in filter)) return
      const [from, to] = [BigInt(String(filter.fromBlock)), BigInt(String(filter.toBlock))]
      return isRefused({ from, to, filter: JSON.stringify(filter) })
        ? { type: 'error', code: -32000, message: 'block range too large' }
        : undefined
    }
    shared.node.rule(rule)
  }

  test('are read in smaller slices when the node refuses, down to where the deposit began', async () => {
    const invoice = await rig.invoice({ createdAt: new Date(START - 86_400_000) })
    await pay(invoice, 5n)
    await shared.chain.mine(40)
    await pay(invoice, 6n)
    refuseLogs(({ from, to }) => to - from >= 10n)
    expect(await heal(0)).toBe(2)
    expect(logged.filter((line) => line.includes('a scan was refused'))).toEqual([])
    expect(await amountsOf(invoice)).toEqual([5n, 6n])
  })

  test('hold up no other when the node refuses them altogether', async () => {
    const refused = await rig.invoice()
    const other = await rig.invoice()
    await pay(refused, 5n)
    await pay(other, 6n)
    refuseLogs(({ filter }) => filter.includes(refused.depositAddress.slice(2)))
    expect(await heal(0)).toBe(1)
    expect(await amountsOf(other)).toEqual([6n])
    expect(await amountsOf(refused)).toEqual([])
    const asides = rig.projection.work.others.setbacks(new Date()).map(([name]) => name)
    expect(asides).toEqual([`deposit of invoice ${refused.id}`])
  })

  test('are read at the next turn when the chain moves meanwhile', async () => {
    const invoice = await rig.invoice()
    await pay(invoice, 5n)
    const number = numberToHex((await shared.chain.client.getBlockNumber()) - 1n)
    const block = await shared.chain.node.rpc('eth_getBlockByNumber', [number, false])
    if (typeof block !== 'object' || block === null) throw new Error('the node has no such block')
    await rig.follow()
    shared.node.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === number
        ? { type: 'result', result: { ...block, hash: `0x${'1'.repeat(64)}` } }
        : undefined,
    )
    expect(await heal(0)).toBe(0)
    expect(await amountsOf(invoice)).toEqual([])
    shared.node.rule()
    expect(await heal(0)).toBe(1)
  })

  test('that move nothing are no payments', async () => {
    const invoice = await rig.invoice()
    await pay(invoice, 5n)
    const { client, node } = shared.chain
    const block = numberToHex((await client.getBlockNumber()) - 1n)
    const logs = await node.rpc('eth_getLogs', [{ fromBlock: block, toBlock: block }])
    if (!Array.isArray(logs)) throw new Error('the node has no logs')
    const nothing = { logIndex: '0x63', data: `0x${'0'.repeat(64)}` }
    const ofNothing = logs.map((log) => ({ ...log, ...nothing }))
    shared.node.rule(({ method }) =>
      method === 'eth_getLogs' ? { type: 'result', result: [...ofNothing, ...logs] } : undefined,
    )
    expect(await heal(0)).toBe(1)
    expect(await amountsOf(invoice)).toEqual([baseUnits(5n)])
  })
})
