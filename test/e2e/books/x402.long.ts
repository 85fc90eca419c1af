import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { distributionEvents } from '../../../chain/x402/distributions.ts'
import { encodeSettle } from '../../../chain/x402/settlement.ts'
import type { DifferenceKind } from '../../../cli/books/advice.ts'
import type { Report } from '../../../cli/books/report.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { parseSignature } from '../../../core/x402/signature.ts'
import type { Queryable } from '../../../store/database/database.ts'
import { remit } from '../../support/cli/run.ts'
import { tokenCall } from '../../support/relayer/transactions.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import {
  compare,
  compareAfter,
  kinds,
  payEveryWay,
  presentTo,
  STRANGE_TOKEN,
  untilSeen,
} from '../../support/x402/books.ts'
import { PRICE, type Shop, startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

let stack: X402Stack
let other: Shop

beforeAll(async () => {
  stack = await startX402Stack()
  other = await payEveryWay(stack)
}, 120_000)

afterAll(() => stack?.close())

describe('a ledger that agrees with its chain', () => {
  test('is clean, whoever carried payments and payouts, and balances to the unit', async () => {
    const { differences, chains, notices } = await compare(stack)
    expect(differences).toEqual([])
    const x402 = chains[0]?.x402
    expect(x402).toMatchObject({ forwarders: 2, payments: 9 })
    const [usdc] = x402?.tokens ?? []
    // 5,000 and 42 were sent for nothing; one unit was left behind before the first payment.
    expect(usdc).toMatchObject({ settled: 380_103n, other: 5_043n, feesOwed: 200n })
    expect(usdc && usdc.settled + usdc.other).toBe(
      (usdc?.remitted ?? 0n) + (usdc?.fees ?? 0n) + (usdc?.held ?? 0n),
    )
    expect(usdc?.fees).toBe(usdc?.feesOnChain ?? -1n)
    // What the other merchant's treasury has paid itself is booked like any payout.
    const [own] = await stack.database<{ remitted: bigint; fee: bigint }[]>`
      select remitted, fee from x402_distribution where unattributed = 5_000`
    expect(own).toEqual({ remitted: 4_975n, fee: 25n })
    expect(notices.join('\n')).toContain(
      `0.000042 USDC in the forwarder of merchant ${stack.merchant.id} on base-sepolia belongs to no payment`,
    )
    expect(notices.join('\n')).toContain(
      `paid out the forwarder of merchant ${stack.merchant.id} before the ledger knew the forwarder`,
    )
  })

  test('has booked no payout of a contract that the registry does not know', async () => {
    const { chain, database } = stack
    const events = await distributionEvents(
      chain.client,
      [chain.hub],
      0n,
      await chain.client.getBlockNumber(),
    )
    expect(events.map(({ token }) => token)).toContain(STRANGE_TOKEN)
    const booked = await database`select distinct token from x402_distribution`
    expect(booked.map(({ token }) => token)).toEqual([chain.usdc.address])
  })

  test('is printed with the sums of its forwarders', async () => {
    const DATABASE_URL = databaseUrlOf(stack.database)
    const ran = await remit(stack.chain.variables({ DATABASE_URL }), 'reconcile', '--wait', '0')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toMatch(/base-sepolia +USDC +2 +9 +[0-9]+ +0\.380103 +0\.005043 /)
  })
})

interface Falsified {
  readonly what: string
  readonly change: (sql: Queryable) => PromiseLike<unknown>
  readonly found: readonly DifferenceKind[]
  /** What one of the differences says. */
  readonly says?: string
}

const HASH = `0x${'cd'.repeat(32)}`

const PAYMENTS: readonly Falsified[] = [
  {
    what: 'by another transaction than on the chain',
    change: (sql) => sql`update x402_payment set tx_hash = ${HASH} where amount = 250000`,
    found: ['payment_differs'],
    says: `the transaction is ${HASH}, on the chain 0x`,
  },
  {
    what: 'by another log than on the chain',
    change: (sql) => sql`
      update x402_payment set log_index = log_index + 1 where amount = 250000`,
    found: ['payment_differs'],
  },
  {
    what: 'in a block that is not part of the chain',
    change: (sql) => sql`update x402_payment set block_hash = ${HASH} where amount = 250000`,
    found: ['payment_differs'],
  },
  {
    what: 'in a later block than on the chain',
    change: (sql) => sql`
      update x402_payment set block_number = block_number + 1 where amount = 250000`,
    found: ['payment_differs'],
  },
  {
    what: 'with a unit more than on the chain',
    change: (sql) => sql`update x402_payment set amount = amount + 1 where amount = 250000`,
    found: ['forwarder_holds_less', 'payment_differs', 'payout_differs'],
    says: 'the amount is 250001, on the chain 250000',
  },
  {
    what: 'that the chain never had',
    change: (sql) => sql`
      insert into x402_payment select (jsonb_populate_record(p, jsonb_build_object(
        'id', gen_random_uuid(), 'authorization_nonce', ${HASH}::text, 'tx_hash', ${HASH}::text,
        'distribution_id', null, 'fee', null, 'by_others', true))).*
      from x402_payment p where amount = 250000`,
    found: ['forwarder_holds_less', 'payment_without_transfer'],
    says: `no transaction executed its authorization ${HASH}`,
  },
  {
    what: 'that is mined and still waits in the ledger',
    change: (sql) => sql`
      update x402_payment set status = 'pending', tx_hash = null, log_index = null,
        block_number = null, settled_at = null, confirmed_at = null, distribution_id = null
      where amount = 250000`,
    found: ['forwarder_holds_more', 'payment_not_booked', 'payout_differs'],
    says: 'the ledger has it as pending',
  },
  {
    what: 'that moved money and has failed in the ledger',
    change: (sql) => sql`
      update x402_payment set status = 'failed', reason = 'payment_expired', tx_hash = null,
        log_index = null, block_number = null, settled_at = null, confirmed_at = null,
        distribution_id = null
      where amount = 250000`,
    found: ['failed_payment_moved_money', 'forwarder_holds_more', 'payout_differs'],
    says: 'the ledger has it as failed',
  },
  {
    what: 'that our own transaction made and no row stands for',
    change: (sql) => sql`delete from x402_payment where amount = 250000`,
    found: ['forwarder_holds_more', 'payment_without_record', 'payout_differs'],
    says: 'the ledger has no payment for it',
  },
  {
    what: 'to another forwarder than its merchant has',
    change: (sql) => sql`
      update x402_payment set merchant_id = ${stack.merchant.id}, distribution_id = null
      where amount = 20000`,
    found: ['forwarder_holds_less', 'forwarder_holds_more', 'payment_state', 'payout_differs'],
  },
  {
    what: 'that is pending long after its authorization has expired',
    change: (sql) => sql`
      with late as (
        insert into x402_payment select (jsonb_populate_record(p, jsonb_build_object(
          'id', gen_random_uuid(), 'authorization_nonce', ${HASH}::text, 'status', 'pending',
          'valid_before', 1, 'tx_hash', null, 'log_index', null, 'block_number', null,
          'settled_at', null, 'confirmed_at', null, 'distribution_id', null))).*
        from x402_payment p where amount = 250000
        returning id, network_id, asset, payer, authorization_nonce)
      insert into work_item (network_id, kind, dedupe_key, payload)
      select network_id, 'x402',
        'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
        jsonb_build_object('paymentId', id) from late`,
    found: ['payment_overdue'],
    says: 's after its authorization has expired',
  },
  {
    what: 'that was settled long ago and was never confirmed',
    change: (sql) => sql`
      update x402_payment set confirmed_at = null, settled_at = '2020-01-01'
      where amount = 250000`,
    found: ['payment_overdue'],
  },
]

const PAYOUTS: readonly Falsified[] = [
  {
    what: 'that is not booked',
    change: (sql) => sql`delete from x402_distribution where remitted = 248750`,
    found: ['fees_differ', 'forwarder_holds_less', 'payout_differs', 'payout_not_booked'],
    says: 'the ledger has not booked it',
  },
  {
    what: 'that the hub never told of',
    change: (sql) => sql`
      insert into x402_distribution select (jsonb_populate_record(d, jsonb_build_object(
        'id', gen_random_uuid(), 'tx_hash', ${HASH}::text, 'remitted', 0, 'fee', 0,
        'unattributed', 0))).*
      from x402_distribution d where remitted = 248750`,
    found: ['payout_without_event'],
    says: `${HASH} has no payout`,
  },
  {
    what: 'with another fee than on the chain',
    change: (sql) => sql`update x402_distribution set fee = fee - 1 where remitted = 248750`,
    found: ['fees_differ', 'forwarder_holds_less', 'payout_differs'],
    says: 'the collector received 1248, on the chain 1249',
  },
  {
    what: 'to another treasury than on the chain',
    change: (sql) => sql`
      update x402_distribution set treasury = ${stack.chain.hub} where remitted = 248750`,
    found: ['payout_differs'],
  },
  {
    what: 'that hides money of nobody',
    change: (sql) => sql`
      update x402_distribution set unattributed = unattributed - 1 where unattributed = 5000`,
    found: ['forwarder_holds_more', 'payout_differs'],
    says: 'the unattributed amount is 4999, on the chain 5000',
  },
  {
    what: 'whose fee is not what its payments bear',
    change: (sql) => sql`update x402_payment set fee = fee - 1 where amount = 250000`,
    found: ['fee_shares_differ'],
    says: 'is 1248 instead of 1249',
  },
  {
    what: 'that lags behind the rest of the ledger',
    change: (sql) => sql`update chain_state set distributions_block = 1`,
    found: ['ledger_behind'],
    says: 'payouts of forwarders are booked up to block 1',
  },
]

describe('a payment in the ledger is found', () => {
  for (const falsified of PAYMENTS) test(falsified.what, () => expectFound(falsified))
})

describe('a payout in the ledger is found', () => {
  for (const falsified of PAYOUTS) test(falsified.what, () => expectFound(falsified))
})

test('payouts that wait to be booked with many blocks at once are no difference', async () => {
  const report = await compareAfter(stack, async (sql) => {
    await sql`update chain_state set distributions_block = projected_block - 520`
  })
  expect(kinds(report)).toEqual([])
})

async function expectFound({ change, found, says }: Falsified): Promise<void> {
  const report = await compareAfter(stack, async (sql) => {
    await change(sql)
  })
  expect(kinds(report)).toEqual(found.toSorted())
  if (says !== undefined) expect(messages(report)).toContain(says)
}

function messages(report: Report): string {
  return report.differences.map(({ message }) => message).join('\n')
}

test('an authorization in two open transactions is found', async () => {
  const { authorization, signature } = await presentTo(stack, other, PRICE)
  const vrs = parseSignature(signature)
  if (vrs === null) throw new Error('the signature is none')
  const item = { authorization, signature: vrs }
  const calldata = encodeSettle(stack.chain.usdc.address, [item], [], USUAL_GAS)
  const report = await compareAfter(
    stack,
    (sql) => sql`
      insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit)
      select network_id, address, next_nonce + n, 'x402', ${stack.chain.hub}, ${calldata}, 1
      from relayer_key, generate_series(0, 1) n where address in (
        select address from relayer_key order by address limit 1)`,
  )
  expect(kinds(report)).toContain('authorization_in_two_transactions')
  expect(messages(report)).toContain(`execute authorization ${authorization.nonce}`)
})

test('money that left a forwarder by no payout is found, with its transaction', async () => {
  const { chain, database } = stack
  const { forwarder } = other
  await chain.node.rpc('anvil_impersonateAccount', [forwarder])
  await chain.node.rpc('anvil_setBalance', [forwarder, '0xde0b6b3a7640000'])
  const data = tokenCall('transfer', [stack.chain.hub, 7n])
  const sent = { from: forwarder, to: chain.usdc.address, data }
  const hash = await chain.node.rpc('eth_sendTransaction', [sent])
  await chain.mine(2)
  await untilSeen({ chain, database })
  const report = await compare(stack)
  expect(kinds(report)).toEqual(['forwarder_holds_less'])
  expect(messages(report)).toContain(`0.000007 USDC left in ${hash} without a payout of the hub`)
})
