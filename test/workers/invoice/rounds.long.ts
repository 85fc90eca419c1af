import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { TestLedger } from '../../support/books/ledger.ts'
import { openRelayer, type TestRelayer } from '../../support/relayer/relayers.ts'
import { expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import { tokenCall } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { replaceFrom } from '../../support/x402/chain.ts'

/** Several sweeps of one deposit, and reorganisations deeper than the confirmations. */

let chain: HubChain
let ledger: TestLedger
let relayer: TestRelayer
/** Another worker with a key of its own. */
let other: TestRelayer

beforeAll(async () => {
  chain = await startHubChain({ relayers: 3 })
  ledger = await TestLedger.open(chain)
  const [, key, otherKey] = chain.relayerKeys
  if (!key || !otherKey) throw new Error('the chain has too few relayer keys')
  relayer = openRelayer(ledger.database, chain, { key, isAdvancing: true })
  const setup = { key: otherKey, workerId: 'other', isAdvancing: true }
  other = openRelayer(ledger.database, chain, setup)
}, 120_000)

afterAll(async () => {
  await ledger?.close()
  await chain?.node.stop()
})

interface Round {
  readonly round: number
  readonly status: string
  readonly amount: bigint
  readonly tx: bigint
  readonly txState: string
  readonly cancelled: boolean
  readonly block: bigint
  readonly hash: Hex
  readonly raw: Hex
  readonly attempts: number
}

/** The rounds of an invoice with the transactions that carry them and the first bytes of those. */
async function rounds(invoice: Invoice): Promise<Round[]> {
  const rows = await ledger.database<Round[]>`
    select s.round, s.status, s.amount, t.id as tx, t.state as "txState",
      coalesce(t.outcome = 'cancelled', false) as cancelled, t.mined_block as block, a.hash, a.raw,
      (select count(*)::integer from relayer_attempt x where x.tx_id = t.id) as attempts
    from settlement s
    join work_item w on (w.payload->>'settlementId')::uuid = s.id
    join relayer_tx t on t.id = w.tx_id
    join relayer_attempt a on a.tx_id = t.id and a.seq = 1
    where s.invoice_id = ${invoice.id} order by s.round`
  return [...rows]
}

async function statuses(invoice: Invoice): Promise<string[]> {
  const rows = await ledger.database`
    select status from settlement where invoice_id = ${invoice.id} order by round`
  return rows.map((row) => row.status)
}

/** Turns and mines until the invoice's rounds have these statuses; pauses between rounds are cut. */
async function until(
  invoice: Invoice,
  expected: readonly string[],
  worker = relayer,
): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await ledger.database`update work_item set not_before = now() where state = 'queued'`
    await worker.turn()
    await chain.mine()
    await ledger.follow()
    if (String(await statuses(invoice)) === String(expected)) return
  }
  expect(await statuses(invoice)).toEqual([...expected])
}

async function sendRaw(raw: Hex): Promise<void> {
  await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await chain.mine()
}

async function refuse(account: Address, isRefused: boolean): Promise<bigint> {
  const data = tokenCall(isRefused ? 'blacklist' : 'unBlacklist', [account])
  await ledger.send(chain.ownerKey, { to: chain.usdc.address, data })
  return chain.client.getBlockNumber()
}

/** What the hub says it moved out of a deposit, in order: to the recipient and to the collector. */
async function sweptFrom(deposit: Address): Promise<bigint[][]> {
  const events = await chain.client.getContractEvents({
    address: chain.hub,
    abi: HUB_ABI,
    eventName: 'Swept',
    args: { deposit },
    fromBlock: 0n,
    strict: true,
  })
  return events.map(({ args }) => [args.remitted, args.fee])
}

async function expectReconciled(): Promise<void> {
  await chain.mine(3)
  await Promise.all([relayer.turn(), other.turn()])
  await ledger.follow()
  expect((await ledger.compare()).differences).toEqual([])
  await expectUnbrokenNonces(ledger.database, chain)
}

function recipient(): Address {
  const { recipient } = ledger.merchant
  if (recipient === null) throw new Error('the merchant has no recipient')
  return recipient
}

/**
 * The first round fails because the token refuses the recipient, the second one succeeds after that
 * has passed. Returns the block from which on a chain would know of neither refusal nor rounds.
 */
async function failThenSucceed(invoice: Invoice, second = relayer): Promise<bigint> {
  const from = await refuse(recipient(), true)
  for (let turn = 0; turn < 6; turn += 1) {
    await relayer.turn()
    await chain.mine()
    await ledger.follow()
  }
  expect(await statuses(invoice)).toEqual(['failed', 'open'])
  await refuse(recipient(), false)
  await until(invoice, ['failed', 'confirmed'], second)
  return from
}

describe('a reorganisation deeper than the confirmations', () => {
  test('takes back two rounds of one deposit, and both come back with the same bytes', async () => {
    const invoice = await ledger.invoice('10')
    await ledger.pay(invoice, 10_000_000n)
    await ledger.book()
    await until(invoice, ['confirmed'])
    await ledger.pay(invoice, 5_000_000n)
    const paidAgain = await rawOfNewest()
    await ledger.book()
    await until(invoice, ['confirmed', 'confirmed'])
    const before = await rounds(invoice)
    expect(before.map(({ amount }) => amount)).toEqual([10_000_000n, 5_000_000n])
    const collected = await chain.balance(chain.collector)

    await replaceFrom(chain, before[0]?.block ?? 0n)
    await sendRaw(paidAgain)
    await relayer.turn()
    expect(await statuses(invoice)).toEqual(['open', 'open'])
    const [between] = await ledger.database`select status from invoice where id = ${invoice.id}`
    expect(between?.status).toBe('paid')
    await until(invoice, ['confirmed', 'confirmed'])

    const after = await rounds(invoice)
    expect(after.map(({ hash, attempts }) => [hash, attempts])).toEqual(
      before.map(({ hash }) => [hash, 1]),
    )
    const { platformFee: fee } = invoice
    expect(await sweptFrom(invoice.depositAddress)).toEqual([
      [10_000_000n - fee, fee],
      [5_000_000n, 0n],
    ])
    expect(await chain.balance(invoice.depositAddress)).toBe(0n)
    expect(await chain.balance(chain.collector)).toBe(collected)
    await expectReconciled()
  })

  test('cancels a transaction whose sweep had failed and was made by another one since', async () => {
    const invoice = await ledger.invoice('20')
    await ledger.pay(invoice, 20_000_000n)
    await ledger.book()
    await replaceFrom(chain, await failThenSucceed(invoice))
    await until(invoice, ['failed', 'confirmed'])
    const [first, second] = await rounds(invoice)
    expect(first).toMatchObject({ status: 'failed', cancelled: true })
    expect(second).toMatchObject({ status: 'confirmed', cancelled: false, attempts: 1 })
    const { platformFee: fee } = invoice
    expect(await sweptFrom(invoice.depositAddress)).toEqual([[20_000_000n - fee, fee]])
    await expectReconciled()
  })

  test('books a failed sweep whose old bytes were mined after all, and the replacement fails', async () => {
    const invoice = await ledger.invoice('30')
    await ledger.pay(invoice, 30_000_000n)
    await ledger.book()
    const from = await failThenSucceed(invoice)
    const [first] = await rounds(invoice)
    await replaceFrom(chain, from)
    // Someone's pool still had them.
    await sendRaw(first?.raw ?? '0x')
    await until(invoice, ['confirmed', 'failed'])
    const { platformFee: fee } = invoice
    expect(await sweptFrom(invoice.depositAddress)).toEqual([[30_000_000n - fee, fee]])
    const [row] = await ledger.database`
      select i.status, i.amount_remitted, s.error, s.tx_hash
      from invoice i join settlement s on s.invoice_id = i.id and s.round = 1
      where i.id = ${invoice.id}`
    expect(row).toEqual({
      status: 'completed',
      amountRemitted: 30_000_000n - fee,
      error: null,
      txHash: first?.hash,
    })
    await expectReconciled()
  })

  test('books it for its own round only, however late its worker comes to look', async () => {
    const invoice = await ledger.invoice('35')
    await ledger.pay(invoice, 35_000_000n)
    await ledger.book()
    const from = await failThenSucceed(invoice, other)
    const [first] = await rounds(invoice)
    await replaceFrom(chain, from)
    await sendRaw(first?.raw ?? '0x')
    // The other worker finds the deposit empty long before the first one has read its receipt.
    await until(invoice, ['failed', 'failed', 'open'], other)
    await until(invoice, ['confirmed', 'failed', 'failed'])
    const { platformFee: fee } = invoice
    expect(await sweptFrom(invoice.depositAddress)).toEqual([[35_000_000n - fee, fee]])
    await expectReconciled()
  })

  test('lets no second round through, though late money would pay for it', async () => {
    const invoice = await ledger.invoice('40')
    await ledger.database`update invoice set platform_fee = 0 where id = ${invoice.id}`
    await ledger.pay(invoice, 40_000_000n)
    const { timestamp } = await chain.client.getBlock()
    const closedAt = new Date(Number(timestamp) * 1000)
    await ledger.database`update invoice set closed_at = ${closedAt} where id = ${invoice.id}`
    await chain.node.rpc('evm_increaseTime', [10])
    await ledger.pay(invoice, 40_000_000n)
    await ledger.book()
    const from = await failThenSucceed(invoice)
    const [first] = await rounds(invoice)
    await replaceFrom(chain, from)
    await sendRaw(first?.raw ?? '0x')
    await until(invoice, ['confirmed', 'failed'])
    expect(await sweptFrom(invoice.depositAddress)).toEqual([[40_000_000n, 0n]])
    expect(await chain.balance(invoice.depositAddress)).toBe(40_000_000n)
    const [row] = await ledger.database`
      select i.status, late_amount, amount_remitted, s.replanned
      from invoice i join settlement s on s.invoice_id = i.id and s.round = 2
      where i.id = ${invoice.id}`
    expect(row).toEqual({
      ...{ status: 'completed', replanned: true },
      ...{ lateAmount: 40_000_000n, amountRemitted: 40_000_000n },
    })
    await expectReconciled()
  })
})

/** The signed bytes of the newest block's only transaction. */
async function rawOfNewest(): Promise<Hex> {
  const { transactions } = await chain.client.getBlock()
  const raw = await chain.node.rpc('eth_getRawTransactionByHash', [transactions[0]])
  if (typeof raw !== 'string') throw new Error('the node does not know the transaction')
  return `0x${raw.slice(2)}`
}
