import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Address } from '../../core/evm.ts'
import { baseUnits } from '../../core/money.ts'
import type { Database } from '../../store/database.ts'
import { noteRefusals, payableWith, queueDistributions } from '../../store/distributions.ts'
import { prepareForwarder } from '../../store/forwarders.ts'
import { freshDatabase } from '../support/relayers.ts'

/** Which forwarders are paid out, as the ledger's rows decide it. */

const NETWORK = 'base-sepolia'
const TOKEN: Address = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const HUB: Address = '0x00000000000000000000000000000000000000b1'
const OTHER_HUB: Address = '0x00000000000000000000000000000000000000b2'
const AT_ONCE = { distributeFrom: baseUnits(0n), distributeAfterMs: 0 }
const HASH = `0x${'7f'.repeat(32)}`

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

describe('a confirmed payment', () => {
  test('has its forwarder paid out, once', async () => {
    const merchant = await newMerchant()
    await newPayment(merchant, { block: 5, logIndex: 1 })
    expect(await queue(5n)).toBe(1)
    expect(await queue(6n)).toBe(0)
  })

  test('that lies before a booked payout was paid out, though it is bound to none yet', async () => {
    const merchant = await newMerchant()
    await newPayment(merchant, { block: 5, logIndex: 1 })
    await newPayout(merchant, { block: 5, logIndex: 4 })
    expect(await queue(5n)).toBe(0)
    await newPayment(merchant, { block: 5, logIndex: 7 })
    expect(await queue(5n)).toBe(1)
  })
})

describe('a forwarder that held nothing when it was to be paid out', () => {
  test('is left alone for a while, unless money comes with the transaction that pays it out', async () => {
    const merchant = await newMerchant()
    await newPayment(merchant, { block: 8, logIndex: 1 })
    await refuse(merchant, 'NothingToDistribute(1)')
    expect(await queue(8n)).toBe(0)
    expect(await payable(merchant)).toBe(true)
  })

  test('is left alone by payments, too, when the hub refused it for another reason', async () => {
    const merchant = await newMerchant()
    await refuse(merchant, 'the treasury is blocked')
    expect(await payable(merchant)).toBe(false)
  })
})

test('a registry entry at another hub pays no forwarder out', async () => {
  const merchant = await newMerchant()
  await sql`update forwarder set hub = ${OTHER_HUB} where merchant_id = ${merchant}`
  expect(await payable(merchant)).toBe(false)
})

function queue(block: bigint): Promise<number> {
  return sql.begin((transaction) => queueDistributions(transaction, NETWORK, block, AT_ONCE))
}

async function payable(merchantId: string): Promise<boolean> {
  const due = await sql.begin((transaction) =>
    payableWith(transaction, NETWORK, TOKEN, new Map([[merchantId, 10_000n]]), AT_ONCE, 0n),
  )
  return due.some((one) => one.merchantId === merchantId)
}

function refuse(merchantId: string, reason: string): Promise<void> {
  return sql.begin((transaction) =>
    noteRefusals(transaction, NETWORK, [{ merchantId, token: TOKEN, reason }]),
  )
}

/** A merchant with a forwarder, whose registry entry is in force. */
async function newMerchant(): Promise<string> {
  const id = Bun.randomUUIDv7()
  await sql`
    insert into merchant (id, name, recipient, config_version)
    values (${id}, 'Shop', ${randomAddress()}, 1)`
  await sql`
    insert into forwarder (merchant_id, address, hub) values (${id}, ${randomAddress()}, ${HUB})`
  await sql.begin((transaction) => prepareForwarder(transaction, id, NETWORK))
  await sql`update work_item set state = 'settled' where kind = 'configure'`
  return id
}

interface Place {
  readonly block: number
  readonly logIndex: number
}

/** A payment that is settled and confirmed. */
async function newPayment(merchantId: string, { block, logIndex }: Place): Promise<void> {
  await sql`
    insert into x402_payment (id, merchant_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, status, tx_hash, log_index,
      block_number, block_hash, claimed_block, settled_at, confirmed_at)
    select ${Bun.randomUUIDv7()}, ${merchantId}, ${NETWORK}, ${TOKEN}, ${randomAddress()},
      ${randomHex(32)}, address, 10000, 0, 1, '0x', false, 'settled', ${randomHex(32)}, ${logIndex},
      ${block}, ${HASH}, ${block}, now(), now()
    from forwarder where merchant_id = ${merchantId}`
}

async function newPayout(merchantId: string, { block, logIndex }: Place): Promise<void> {
  await sql`
    insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
      block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${NETWORK}, ${TOKEN}, ${randomHex(32)},
      ${logIndex}, ${block}, ${HASH}, now(), ${randomAddress()}, 9950, 49, 0, 0)`
}

function randomAddress(): string {
  return randomHex(20)
}

function randomHex(bytes: number): string {
  return `0x${crypto.getRandomValues(new Uint8Array(bytes)).toHex()}`
}
