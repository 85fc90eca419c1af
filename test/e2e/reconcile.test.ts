import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { encodeSweep } from '../../chain/hub.ts'
import { reconcile } from '../../cli/reconcile/reconcile.ts'
import type { Difference, Report } from '../../cli/reconcile/report.ts'
import type { Invoice } from '../../core/invoice.ts'
import { baseUnits } from '../../core/money.ts'
import { addressOf } from '../../dev/keys.ts'
import { remit } from '../cli/run.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'
import { TestLedger } from './reconcileLedger.ts'

const BLACKLIST_ABI = parseAbi(['function blacklist(address account)'])

let chain: HubChain
let ledger: TestLedger
let exact: Invoice
let unpaid: Invoice

beforeAll(async () => {
  chain = await startHubChain({ relayers: 3 })
  ledger = await TestLedger.open(chain)
  exact = await ledger.invoice('10')
  unpaid = await ledger.invoice('7')
  const parts = await ledger.invoice('20')
  const over = await ledger.invoice('30')
  const partial = await ledger.invoice('40')
  const late = await ledger.invoice('50')
  await ledger.pay(exact, 10_000_000n)
  await ledger.pay(parts, 5_000_000n)
  await ledger.pay(over, 31_000_001n)
  await ledger.pay(partial, 1n)
  await ledger.pay(exact, 9_000_000n, 'USDT')
  await ledger.book()
  await ledger.pay(parts, 15_000_000n)
  await ledger.database`
    update invoice set closed_at = '2020-01-01' where id = ${late.id}`
  await ledger.pay(late, 50_000_000n)
  await ledger.book()
  await ledger.settle()
}, 60_000)

afterAll(async () => {
  await ledger?.close()
  await chain?.node.stop()
})

describe('a ledger that agrees with its chain', () => {
  test('is clean, and its totals balance to the unit', async () => {
    const report = await ledger.compare()
    expect(report.differences).toEqual([])
    expect(report.isClean).toBe(true)
    expect(totals(report, 'USDC')).toEqual({
      received: 61_000_002n,
      late: 50_000_000n,
      foreign: 0n,
      remitted: 60_700_001n,
      fees: 300_000n,
      feesOnChain: 300_000n,
      feesOwed: 0n,
      held: 50_000_001n,
    })
    expect(totals(report, 'USDT')).toMatchObject({
      received: 0n,
      foreign: 9_000_000n,
      held: 9_000_000n,
    })
    expect(report.chains[0]).toMatchObject({ deposits: 6, sweeps: 3, networkId: 'base-sepolia' })
  })

  test('stays clean when a later payment and its second sweep follow', async () => {
    await ledger.pay(exact, 2_000_000n)
    await ledger.book()
    await ledger.settle()
    const report = await ledger.compare()
    expect(report.differences).toEqual([])
    expect(totals(report, 'USDC')).toMatchObject({ remitted: 62_700_001n, fees: 300_000n })
  })

  test('is compared page by page when there are thousands of deposits', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        with made as (
          insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected,
            fee_cap, platform_fee, hub, deposit_address)
          select gen_random_uuid(), ${ledger.merchant.id}, 'M' || lpad(n::text, 9, '0'), 'USDC',
            array['base-sepolia'], 1, 0, 0, ${chain.hub}, '0x' || lpad(to_hex(n * 7919), 40, 'f')
          from generate_series(1, 2600) n
          returning id, merchant_id, deposit_address)
        insert into watched (address, kind, merchant_id, invoice_id)
        select deposit_address, 'deposit', merchant_id, id from made`,
    )
    expect(report.differences).toEqual([])
    expect(report.chains[0]?.deposits).toBe(2606)
  }, 60_000)
})

describe('money that the ledger does not know', () => {
  test('a payment that nobody booked is found, with its transaction', async () => {
    const report = await ledger.compareAfterChain(() => ledger.pay(unpaid, 3_000_000n))
    const [difference] = only(report, 1)
    expect(difference).toMatchObject({
      kind: 'deposit_holds_more',
      networkId: 'base-sepolia',
      invoiceId: unpaid.id,
      address: unpaid.depositAddress,
      ledger: 0n,
      chain: 3_000_000n,
    })
    expect(difference?.message).toMatch(/the ledger lacks 3 USDC received in 0x[0-9a-f]{64}/)
  })

  test('a single base unit too many is a difference', async () => {
    const report = await ledger.compareAfterChain(() => ledger.pay(unpaid, 1n))
    expect(only(report, 1)[0]).toMatchObject({ kind: 'deposit_holds_more', chain: 1n })
  })

  test('a sweep by somebody else is reported with its sender unknown', async () => {
    const [, stranger] = chain.relayerKeys
    if (!stranger) throw new Error('the chain has too few relayers')
    const report = await ledger.compareAfterChain(async () => {
      await ledger.pay(unpaid, 3_000_000n)
      const sweep = {
        merchantId: ledger.merchant.id,
        invoiceId: unpaid.id,
        recipient: null,
        feeCap: unpaid.feeCap,
        token: ledger.token('USDC').address,
        amount: baseUnits(3_000_000n),
        fee: unpaid.feeCap,
        version: 1,
      }
      const data = encodeSweep([sweep])
      await ledger.send(stranger, { to: chain.hub, data })
    })
    expect(kinds(report)).toEqual(['fees_differ', 'sweep_without_settlement'])
    expect(report.notices.join()).toContain('is not among the transactions of our relayers')
  })
})

describe('a ledger that says more than the chain', () => {
  test('a payment that the chain never had is found and named', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    const report = await ledger.compareAfter(
      (sql) => sql`
        insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
          kind, status, block_number, block_hash, block_time, confirmed_at)
        values (${Bun.randomUUIDv7()}, ${unpaid.id}, 'base-sepolia', ${hash}, 0,
          ${ledger.token('USDC').address}, ${unpaid.depositAddress}, 7, 'counted', 'confirmed', 1,
          ${hash}, now(), now())`,
    )
    expect(kinds(report)).toEqual(['deposit_holds_less', 'figures_differ'])
    const less = report.differences.find((found) => found.kind === 'deposit_holds_less')
    expect(less?.message).toContain(`the chain has no transfer of 0.000007 USDC in ${hash}`)
  })

  test('a settlement with another fee than its event is found', async () => {
    const report = await ledger.compareAfter(
      (sql) =>
        sql`update settlement set fee = fee - 1 where invoice_id = ${exact.id} and round = 1`,
    )
    expect(kinds(report)).toEqual([
      'fees_differ',
      'figures_differ',
      'figures_differ',
      'sweep_differs',
    ])
  })

  test('a settlement to another recipient than its event is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set recipient = ${chain.hub} where invoice_id = ${exact.id} and round = 1`,
    )
    expect(kinds(report)).toEqual(['sweep_differs'])
  })

  test('a settlement whose transaction swept nothing is found from both sides', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set tx_hash = ${`0x${'cd'.repeat(32)}`}
        where invoice_id = ${exact.id} and round = 1`,
    )
    expect(kinds(report)).toEqual(['settlement_without_sweep', 'sweep_without_settlement'])
  })

  test('a sweep that is mined and still open in the ledger is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set status = 'open', tx_hash = null, block_number = null
        where invoice_id = ${exact.id} and round = 2`,
    )
    expect(kinds(report)).toContain('sweep_not_booked')
    expect(kinds(report)).toContain('deposit_holds_less')
    expect(kinds(report)).toContain('settlement_state')
  })

  test('a sweep that moved money and is failed in the ledger is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        update settlement set status = 'failed' where invoice_id = ${exact.id} and round = 2`,
    )
    expect(kinds(report)).toContain('failed_sweep_moved_money')
  })

  test('a figure that its rows do not add up to is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`update invoice set received_amount = received_amount + 1 where id = ${exact.id}`,
    )
    expect(only(report, 1)[0]).toMatchObject({ kind: 'figures_differ', invoiceId: exact.id })
  })
})

describe('the rules of sending', () => {
  test('a gap between account nonces is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`update relayer_key set next_nonce = next_nonce + 1`,
    )
    expect(kinds(report)).toEqual(['relayer_nonce'])
  })

  test('a transaction that somebody else sent with the key is found', async () => {
    const [key] = chain.relayerKeys
    if (!key) throw new Error('the chain has no relayer')
    const report = await ledger.compareAfterChain(async () => {
      await ledger.send(key, { to: addressOf(key) })
    })
    expect(kinds(report)).toEqual(['relayer_nonce'])
    expect(report.differences[0]?.message).toContain('the chain has seen')
  })

  test('a transaction without stored bytes is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`delete from relayer_attempt where tx_id = (select max(id) from relayer_tx)`,
    )
    expect(kinds(report)).toEqual(['relayer_transaction', 'relayer_transaction'])
    expect(report.notices.join()).toContain('is not among the transactions of our relayers')
  })

  test('a deposit in two open transactions is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit)
        select t.network_id, t.address, k.next_nonce + n, t.kind, t.target, t.calldata, t.gas_limit
        from (select * from relayer_tx where kind = 'sweep' order by id limit 1) t
        join relayer_key k using (network_id, address), generate_series(0, 1) n`,
    )
    expect(kinds(report)).toContain('item_in_two_transactions')
  })
})

describe('a chain that cannot be compared', () => {
  test('is reported as unreachable, by a message without its URL', async () => {
    const report = await reconcile({
      database: ledger.database,
      config: {
        hub: chain.hub,
        chains: [{ ...ledger.activeChain, rpcUrls: ['http://127.0.0.1:9/secret'] }],
      },
      only: null,
      now: new Date(),
    })
    expect(kinds(report)).toEqual(['chain_unreachable'])
    expect(report.differences[0]?.message).not.toContain('secret')
  })

  test('is refused when it is another chain with the same id', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`update chain_state set genesis_hash = ${`0x${'00'.repeat(32)}`}`,
    )
    expect(kinds(report)).toEqual(['another_chain'])
  })

  test('says so when the ledger lags far behind', async () => {
    const report = await ledger.compareAfterChain(() => chain.mine(60), 'as it was')
    expect(kinds(report)).toEqual(['ledger_behind'])
  })
})

describe('bun run remit reconcile', () => {
  function variables(): Record<string, string | undefined> {
    const DATABASE_URL = ledger.url
    return { ...chain.variables({ DATABASE_URL }) }
  }

  test('prints the totals of each token, and exits with 0 when all agree', async () => {
    const ran = await remit(variables(), 'reconcile')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('Clean: the ledger and the chains agree to the unit.')
    expect(ran.out).toMatch(
      /base-sepolia +USDC +63\.000002 +50 +0 +62\.700001 +0\.3 +0 +50\.000001/,
    )
    const json = (await remit(variables(), 'reconcile', '--json')).json()
    expect(json).toMatchObject({ isClean: true, differences: [] })
  })

  test('looks again for a while, then lists what differs with what to do, and exits with 1', async () => {
    const change = (by: number) => ledger.database`
      update invoice set late_amount = late_amount + ${by} where id = ${unpaid.id}`
    await change(1)
    try {
      const ran = await remit(variables(), 'reconcile', '--wait', '1')
      expect(ran.code).toBe(1)
      expect(ran.err).toContain('1 difference; looking again')
      expect(ran.out).toContain(`lateAmount of invoice ${unpaid.id} is 1 base units`)
      const json = await remit(variables(), 'reconcile', '--json', '--wait', '0')
      expect(json.code).toBe(1)
      expect(json.json().differences).toEqual([
        expect.objectContaining({
          kind: 'figures_differ',
          ledger: '1',
          advice: expect.any(String),
        }),
      ])
    } finally {
      await change(-1)
    }
  })

  test('can be kept to one chain, which must be switched on', async () => {
    const one = await remit(variables(), 'reconcile', '--chain', 'base-sepolia', '--json')
    expect(one.code).toBe(0)
    const other = await remit(variables(), 'reconcile', '--chain', 'sepolia')
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain('--chain sepolia is not switched on; there are: base-sepolia')
  })
})

test('a fee that the token refuses to pay out is booked as owed, and everything still agrees', async () => {
  const { address } = ledger.token('USDC')
  const args = [chain.collector] as const
  const data = encodeFunctionData({ abi: BLACKLIST_ABI, functionName: 'blacklist', args })
  await ledger.send(chain.ownerKey, { to: address, data })
  const invoice = await ledger.invoice('100')
  await ledger.pay(invoice, 100_000_000n)
  await ledger.book()
  await ledger.settle()
  const report = await ledger.compare()
  expect(report.differences).toEqual([])
  expect(totals(report, 'USDC')).toMatchObject({ feesOwed: 500_000n, fees: 300_000n })
  expect(await chain.balance(invoice.depositAddress)).toBe(500_000n)
}, 30_000)

function totals(report: Report, symbol: string) {
  const found = report.chains.flatMap((c) => c.tokens).find((t) => t.symbol === symbol)
  if (!found) throw new Error(`the report has no ${symbol}`)
  const { received, late, foreign, remitted, fees, feesOnChain, feesOwed, held } = found
  return { received, late, foreign, remitted, fees, feesOnChain, feesOwed, held }
}

function kinds(report: Report): string[] {
  return report.differences.map((difference) => difference.kind).toSorted()
}

function only(report: Report, count: number): readonly Difference[] {
  expect(report.differences).toHaveLength(count)
  return report.differences
}
