import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Invoice, Payment } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { isRefusal } from '../../../store/database/database.ts'
import { nameHub } from '../../../store/hub/forwarders.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import { newHash } from '../../support/store/database.ts'

/** What someone can do who has the API's credentials for the database, and nothing else. */

const LATE = 25_000_000n
const thief = newAddress()
const NOBODY = Bun.randomUUIDv7()
let rig: OwnRefundRig
let owner: Database
let api: Database
let invoice: Invoice
let payment: Payment

beforeAll(async () => {
  rig = await openRefundRig()
  owner = rig.database
  await owner`update merchant set refunds_any = false`
  await nameHub(owner, rig.chain.hub)
  api = await openAs(databaseUrlOf(owner), 'api')
  const paid = await latePaid()
  invoice = paid.invoice
  payment = paid.payment
  await owner`
    insert into webhook_endpoint (id, merchant_id, url, secret)
    values (${NOBODY}, ${rig.merchantId}, 'https://shop.example/hook', 'whsec_secret')`
}, 120_000)

afterAll(async () => {
  await api?.end()
  await rig?.close()
})

/** An invoice to which 25 USDC have come too late. */
async function latePaid(): Promise<{ invoice: Invoice; payment: Payment }> {
  const late = await rig.invoice({ expiresAt: new Date(1_000) })
  await rig.pay(late, LATE)
  const [found] = (await rig.read(late)).payments
  if (found?.kind !== 'late' || found.status !== 'confirmed') throw new Error('it is not late')
  return { invoice: late, payment: found }
}

/** Nothing has moved after the workers have done all they would. */
async function expectUnmoved(deposit: Address): Promise<void> {
  await rig.turn(4)
  expect(await rig.chain.balance(thief)).toBe(0n)
  expect(await rig.chain.balance(deposit)).toBe(LATE)
}

function askFor(sql: Database, amount: bigint, to: Address, of: Payment = payment) {
  const parts = [{ payment_id: of.id, amount: amount.toString() }]
  return sql`
    select ask_for_refund(${Bun.randomUUIDv7()}, ${of.invoiceId}, ${crypto.randomUUID()},
      ${of.networkId}, ${of.token}, ${amount.toString()}, ${to}, ${of.id}, ${sql.json(parts)})`
}

/** Each as a sentence that says what it is for, and the statement. */
const FORBIDDEN: readonly (readonly [string, (sql: Database) => PromiseLike<unknown>])[] = [
  ['the sender of a payment', (sql) => sql`update payment set sender = ${thief}`],
  ['the amount of a payment', (sql) => sql`update payment set amount = amount * 2`],
  ['the state of a payment', (sql) => sql`update payment set status = 'confirmed'`],
  ['the receiver of a refund', (sql) => sql`update refund set recipient = ${thief}`],
  ['the amount of a refund', (sql) => sql`update refund set amount = 1`],
  ['the deadline of a refund', (sql) => sql`update refund set deadline = null`],
  ['the part of a refund', (sql) => sql`update refund_part set amount = 1`],
  [
    'the state of what a merchant sent back',
    (sql) => sql`update external_refund set status = 'confirmed', confirmed_at = now()`,
  ],
  ['the state of an invoice', (sql) => sql`update invoice set status = 'paid'`],
  ['the amount of an invoice', (sql) => sql`update invoice set amount_expected = 1`],
  ['the recipient of an invoice', (sql) => sql`update invoice set recipient = ${thief}`],
  ['the hub of an invoice', (sql) => sql`update invoice set hub = ${thief}`],
  ['the deposit of an invoice', (sql) => sql`update invoice set deposit_address = ${thief}`],
  ['the fee of an invoice', (sql) => sql`update invoice set platform_fee = 0`],
  ['whose address is watched', (sql) => sql`update watched set invoice_id = ${NOBODY}`],
  ['the receiver of a sweep', (sql) => sql`update settlement set recipient = ${thief}`],
  ['the treasury of a merchant', (sql) => sql`update merchant set recipient = ${thief}`],
  ['what the operator allows', (sql) => sql`update merchant set refunds_any = true`],
  ['a state of work', (sql) => sql`update work_item set state = 'queued', tx_id = null`],
  ['what work is about', (sql) => sql`update work_item set payload = '{}'`],
  ['an account nonce', (sql) => sql`update relayer_key set next_nonce = 0`],
  ['the state of a relayer key', (sql) => sql`update relayer_key set status = 'active'`],
  ['a transaction', (sql) => sql`update relayer_tx set target = ${thief}`],
  ['the bytes that are sent', (sql) => sql`update relayer_attempt set raw = '0x'`],
  ['where paid requests go', (sql) => sql`update forwarder set address = ${thief}`],
  ['what was paid for a request', (sql) => sql`update x402_payment set status = 'settled'`],
  ['an event', (sql) => sql`update outbox set data = '{}'`],
  ['where secrets are', (sql) => sql`update webhook_endpoint set secret = 'whsec_mine'`],
  ['its own rights', (sql) => sql`update access_rule set columns = '{}'`],
]

const ADDED: readonly (readonly [string, (sql: Database) => PromiseLike<unknown>])[] = [
  [
    'a payment',
    (sql) => {
      const { method: _, ...row } = payment
      return sql`insert into payment ${sql({ ...row, id: NOBODY, sender: thief, fee: 0n })}`
    },
  ],
  [
    'a refund',
    (sql) => sql`
      insert into refund (id, invoice_id, idempotency_key, network_id, token, amount, recipient)
      values (${NOBODY}, ${payment.invoiceId}, 'x', ${payment.networkId}, ${payment.token}, 1, ${thief})`,
  ],
  [
    'what a merchant sent back',
    (sql) => sql`
      insert into external_refund (id, invoice_id, network_id, tx_hash, alike_place, token, sender,
        recipient, amount, block_number, block_hash)
      values (${NOBODY}, ${payment.invoiceId}, ${payment.networkId}, ${payment.txHash}, 0,
        ${payment.token}, ${thief}, ${thief}, 1, 1, ${payment.blockHash})`,
  ],
  [
    'a part of a refund',
    (sql) => sql`
      insert into refund_part (refund_id, payment_id, amount) values (${NOBODY}, ${payment.id}, 1)`,
  ],
  ...['refund', 'sweep', 'configure', 'deploy', 'distribute', 'x402'].map(
    (kind) =>
      [
        `work of kind ${kind}`,
        (sql: Database) => sql`
          insert into work_item (network_id, kind, dedupe_key, payload)
          values (${payment.networkId}, ${kind}, ${`${kind}:mine`}, '{}')`,
      ] as const,
  ),
  [
    'a relayer key',
    (sql) => sql`
      insert into relayer_key (network_id, address, next_nonce) values ('base', ${thief}, 0)`,
  ],
  [
    'a key for the API',
    (sql) => sql`
      insert into api_key (hash, merchant_id, kind, hint)
      values (${new Uint8Array(32)}, ${rig.merchantId}, 'secret', 'mine')`,
  ],
  [
    'an event that an invoice was paid',
    (sql) => sql`
      insert into outbox (id, merchant_id, type, object_id, version, data)
      values (${Bun.randomUUIDv7()}, ${rig.merchantId}, 'invoice.paid', ${NOBODY}, 1, '{}')`,
  ],
  ['a hub', (sql) => sql`insert into known_hub (address) values (${thief})`],
  [
    'a forwarder of a strange hub',
    (sql) => sql`
      insert into forwarder (merchant_id, address, hub)
      values (${rig.merchantId}, ${thief}, ${thief})`,
  ],
  [
    'a registry entry',
    (sql) =>
      sql`select ensure_configured('base', ${thief}, ${rig.merchantId}, ${thief}, 0, 0::numeric, 9)`,
  ],
  ['a right', (sql) => sql`select allow('{api}', '{update}', '{table refund}')`],
]

describe('the API’s credentials', () => {
  test.each(FORBIDDEN)('can’t change %s', async (_, statement) => {
    expect(await refusal(statement)).toBe(true)
  })

  test.each(ADDED)('can’t add %s', async (_, statement) => {
    expect(await refusal(statement)).toBe(true)
  })

  test.each([
    ['webhook secrets', (sql: Database) => sql`select secret from webhook_endpoint`],
    ['former secrets', (sql: Database) => sql`select previous_secret from webhook_endpoint`],
    ['signed transactions', (sql: Database) => sql`select raw from relayer_attempt`],
    ['signed orders', (sql: Database) => sql`select calldata from relayer_tx`],
  ] as const)('can’t read %s', async (_, statement) => {
    expect(await refusal(statement)).toBe(true)
  })

  test('can’t become another role', async () => {
    const [row] = await owner<{ worker: string }[]>`select database_role('worker') as worker`
    expect(await refusal((sql) => sql.unsafe(`set role "${row?.worker}"`))).toBe(true)
  })
})

async function refusal(statement: (sql: Database) => PromiseLike<unknown>): Promise<boolean> {
  try {
    await statement(api)
    return false
  } catch (error) {
    if (!isRefusal(error)) throw error
    return true
  }
}

describe('a late payment', () => {
  test('is refunded to its sender only, and at most in full', async () => {
    await expect(askFor(api, LATE, thief)).rejects.toThrow(
      'not covered by payments of its recipient',
    )
    await expect(askFor(api, LATE + 1n, payment.sender)).rejects.toThrow('not covered')
    await expectUnmoved(invoice.depositAddress)
  })

  test('never pays for the refund of another payment that was remitted already', async () => {
    const treasury = newAddress()
    await owner`
      update merchant set recipient = ${treasury}, config_version = config_version + 1,
        refunds_any = true`
    const sold = await rig.invoice()
    await rig.pay(sold, 10_000_000n)
    await rig.turn(8)
    expect((await rig.read(sold)).invoice.status).toBe('completed')
    const [swept] = (await rig.read(sold)).payments
    if (swept === undefined) throw new Error('there is no payment')
    await rig.chain.mint([{ to: sold.depositAddress, amount: LATE }])
    await askFor(api, 10_000_000n, thief, swept)
    await expectUnmoved(sold.depositAddress)
    await owner`update merchant set recipient = null, refunds_any = false`
  })

  test('that is said to be another party’s is taken back, and never given', async () => {
    const submit = (logIndex: number) => api`
      select submit_transfer(${invoice.id}, ${Bun.randomUUIDv7()}, ${payment.networkId},
        ${payment.txHash}, ${logIndex}, ${payment.token}, ${thief}, ${LATE.toString()}, 'late',
        ${payment.blockNumber}, ${payment.blockHash}, ${payment.blockTime})`
    await expect(submit(payment.logIndex)).rejects.toThrow('duplicate key')
    await submit(payment.logIndex + 1)
    const invented = await claimed()
    expect(invented.status).toBe('pending')
    await expect(askFor(api, LATE, thief, invented)).rejects.toThrow('not covered')
    await rig.follow()
    expect((await claimed()).status).toBe('reverted')
    await expect(askFor(api, LATE, thief, invented)).rejects.toThrow('not covered')
    await expectUnmoved(invoice.depositAddress)
  })

  async function claimed(): Promise<Payment> {
    const found = (await rig.read(invoice)).payments.find(({ sender }) => sender === thief)
    if (found === undefined) throw new Error('it was not stored')
    return found
  }

  test('to a deposit that no hub derives never counts', async () => {
    const stray = await rig.invoice({ depositAddress: newAddress() })
    await rig.pay(stray, LATE)
    expect((await rig.read(stray)).invoice).toMatchObject({ status: 'pending', receivedAmount: 0n })
    expect((await rig.read(stray)).payments).toMatchObject([{ status: 'pending' }])
  })
})

/** The rows as someone would leave them who may write all of them: where no roles keep anyone out. */
describe('the signer of refunds', () => {
  async function ask(change: {
    readonly to?: Address
    readonly amount?: bigint
    readonly parts?: bigint
    readonly sender?: Address
    readonly sql?: (refundId: string, of: Payment) => PromiseLike<unknown>
  }): Promise<{ reason: string; deposit: Address }> {
    const { invoice: late, payment: of } = await latePaid()
    const { to = thief, amount = LATE } = change
    const id = Bun.randomUUIDv7()
    if (change.sender) await owner`update payment set sender = ${change.sender} where id = ${of.id}`
    await owner`
      insert into refund (id, invoice_id, idempotency_key, network_id, token, amount, recipient)
      values (${id}, ${late.id}, 'x', ${of.networkId}, ${of.token}, ${amount}, ${to})`
    await owner`
      insert into refund_part (refund_id, payment_id, amount)
      values (${id}, ${of.id}, ${change.parts ?? amount})`
    await change.sql?.(id, of)
    await owner`
      insert into work_item (network_id, kind, dedupe_key, payload)
      values (${of.networkId}, 'refund', ${`refund:${id}`}, ${owner.json({ refundId: id })})`
    await expectUnmoved(late.depositAddress)
    const [item] = await owner<{ state: string; result: { error: string } }[]>`
      select state, result from work_item where dedupe_key = ${`refund:${id}`}`
    expect(item?.state).toBe('review')
    return { reason: item?.result.error ?? '', deposit: late.depositAddress }
  }

  test('pays no one who did not send the payment, regardless of what the ledger says', async () => {
    // The four statements that once moved 25 USDC.
    const { reason } = await ask({ sender: thief })
    expect(reason).toContain('its receiver did not send the payment')
  })

  test('pays no more than the receipt shows', async () => {
    await owner`update merchant set refunds_any = true`
    const { reason } = await ask({ amount: LATE * 2n })
    expect(reason).toContain('more is promised of the payment')
  })

  test('pays no transfer twice', async () => {
    const { reason } = await ask({
      amount: 20_000_000n,
      sql: async (_, of) => {
        const other = Bun.randomUUIDv7()
        await owner`
          insert into refund (id, invoice_id, idempotency_key, network_id, token, amount, recipient)
          values (${other}, ${of.invoiceId}, 'y', ${of.networkId}, ${of.token}, 20000000, ${thief})`
        await owner`
          insert into refund_part (refund_id, payment_id, amount)
          values (${other}, ${of.id}, 20000000)`
      },
    })
    expect(reason).toContain('more is promised of the payment')
  })

  test('pays only what its parts add up to', async () => {
    expect((await ask({ parts: 1n })).reason).toContain('do not add up')
  })

  test('pays only in the token that came', async () => {
    const { reason } = await ask({
      sql: (id) => owner`update refund set token = ${newAddress()} where id = ${id}`,
    })
    expect(reason).toContain('in another token')
  })

  test('pays only out of the deposit that the terms of the invoice derive', async () => {
    const { reason } = await ask({
      sql: (_, of) => owner`
        update invoice set fee_cap = fee_cap + 1 where id = ${of.invoiceId}`,
    })
    expect(reason).toContain('is not the one that its hub derives')
  })

  test('signs for no hub that no one has named', async () => {
    const { reason } = await ask({
      sql: (_, of) => owner`
        update invoice set hub = ${newAddress()} where id = ${of.invoiceId}`,
    })
    expect(reason).toContain("is none of this deployment's")
  })

  test('pays for no payment that the chain doesn’t show', async () => {
    const { reason } = await ask({
      sql: (_, of) => owner`update payment set log_index = log_index + 1 where id = ${of.id}`,
    })
    expect(reason).toContain('no receipt shows the payment')
  })

  test('waits while the chain doesn’t show a payment’s transaction', async () => {
    const { invoice: late, payment: of } = await latePaid()
    await owner`update payment set tx_hash = ${newHash()} where id = ${of.id}`
    await askFor(owner, 1_000_000n, of.sender, { ...of, amount: baseUnits(LATE) })
    await expectUnmoved(late.depositAddress)
    const [item] = await owner`
      select state from work_item w join refund r on r.id = (w.payload->>'refundId')::uuid
      where r.invoice_id = ${late.id}`
    expect(item?.state).toBe('queued')
  })
})
