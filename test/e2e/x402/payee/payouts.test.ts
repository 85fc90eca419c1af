import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asMerchantId, type MerchantId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { setRecipient } from '../../../../store/access/merchants.ts'
import type { Database, Queryable } from '../../../../store/database/database.ts'
import { prepareForwarder } from '../../../../store/hub/forwarders.ts'
import { noteRefusals, payableWith, queueDistributions } from '../../../../store/x402/duePayouts.ts'
import { freshDatabase } from '../../../support/servers/database.ts'

/** Which forwarders are paid out, as the ledger's rows decide it. */

const NETWORK = 'base-sepolia'
const TOKEN = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const HUB = lowerCaseAddress('0x00000000000000000000000000000000000000b1')
const OTHER_HUB = lowerCaseAddress('0x00000000000000000000000000000000000000b2')
const FEE = { rateBps: 50, cap: baseUnits(5_000_000n) }
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

  test('is paid out once money has come since', async () => {
    const merchant = await newMerchant()
    await refuse(merchant, 'NothingToDistribute(1)')
    await newPayment(merchant, { block: 8, logIndex: 2 })
    await queue(8n)
    expect(await work(merchant)).toContain('distribute queued')
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

describe('a merchant whose registry entry was never queued on the chain', () => {
  test('has it queued once a payment is due to be paid out, and the payout after it', async () => {
    const merchant = await newMerchant()
    await sql`delete from work_item where payload->>'merchantId' = ${merchant}`
    await newPayment(merchant, { block: 5, logIndex: 21 })
    expect(await queue(5n)).toBe(1)
    expect(await work(merchant)).toEqual(['configure queued 1', 'deploy queued'])
    expect(await queue(6n)).toBe(0)
    await endEntries('settled')
    expect(await queue(7n)).toBe(1)
    expect(await work(merchant)).toContain('distribute queued')
  })

  test('has it sent again when it failed', async () => {
    const merchant = await newMerchant()
    await newPayment(merchant, { block: 5, logIndex: 31 })
    await endEntries('failed')
    expect(await queue(8n)).toBeGreaterThan(0)
    expect(await work(merchant)).toEqual(['configure queued 1', 'deploy queued'])
  })
})

describe('a new recipient', () => {
  const terms = { environment: 'sandbox', hub: HUB, x402Fee: FEE, chains: [] } as const
  const TREASURY = '0x00000000000000000000000000000000000000c1'

  test('is registered wherever the forwarder is paid or was', async () => {
    const merchant = await newMerchant()
    await sql`delete from work_item where payload->>'merchantId' = ${merchant}`
    await newEndpoint(merchant, 'sepolia')
    await newPayment(merchant, { block: 5, logIndex: 41 })
    await sql`
      insert into forwarder_on_chain (merchant_id, network_id, token)
      values (${merchant}, 'polygon-amoy', ${TOKEN})`
    const change = await setRecipient(sql, terms, merchant, TREASURY)
    expect(change).toMatchObject({ ok: true, merchant: { configVersion: 2 } })
    const rows = await sql`
      select network_id, payload->>'treasury' as treasury, payload->>'hub' as hub from work_item
      where kind = 'configure' and payload->>'merchantId' = ${merchant} order by network_id`
    expect([...rows]).toEqual(
      ['base-sepolia', 'polygon-amoy', 'sepolia'].map((networkId) => {
        return { networkId, treasury: TREASURY, hub: HUB }
      }),
    )
  })

  test('is registered for an endpoint that is being registered at the same time', async () => {
    const merchant = await newMerchant()
    const change = await sql.begin(async (transaction) => {
      await newEndpoint(merchant, 'sepolia', transaction)
      await prepareForwarder(transaction, merchant, 'sepolia')
      const changing = setRecipient(sql, terms, merchant, TREASURY)
      await Promise.race([changing, untilLockIsAwaited()])
      // Not awaited in here: it goes on once this transaction is over.
      return { changing }
    })
    expect(await change.changing).toMatchObject({ ok: true })
    expect(await work(merchant, 'sepolia')).toContain('configure queued 2')
  })
})

/** Until a session of this database waits for another one's lock. */
async function untilLockIsAwaited(): Promise<void> {
  for (;;) {
    const rows = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (rows.length > 0) return
    await Bun.sleep(5)
  }
}

/** The merchant's work items on a chain, with the version where there is one. */
async function work(merchantId: MerchantId, networkId = NETWORK): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select concat_ws(' ', kind, state, payload->>'version') as name from work_item
    where payload->>'merchantId' = ${merchantId} and network_id = ${networkId} order by name`
  return rows.map((row) => row.name)
}

async function endEntries(state: 'settled' | 'failed'): Promise<void> {
  await sql`update work_item set state = ${state} where kind = 'configure'`
}

async function newEndpoint(
  merchantId: MerchantId,
  networkId: string,
  queryable: Queryable = sql,
): Promise<void> {
  await queryable`
    insert into x402_endpoint (id, merchant_id, url, url_key, network_id, token_symbol, asset,
      amount, description)
    values (${Bun.randomUUIDv7()}, ${merchantId}, 'https://shop.example', 'shop.example',
      ${networkId}, 'USDC', ${TOKEN}, 10000, '')`
}

function queue(block: bigint): Promise<number> {
  return sql.begin((transaction) => queueDistributions(transaction, NETWORK, block, AT_ONCE))
}

async function payable(merchantId: MerchantId): Promise<boolean> {
  const due = await sql.begin((transaction) =>
    payableWith(transaction, NETWORK, TOKEN, new Map([[merchantId, 10_000n]]), AT_ONCE, 0n, 1),
  )
  return due.some((one) => one.merchantId === merchantId)
}

const AT = { block: 10n, blockHash: null }

function refuse(merchantId: MerchantId, reason: string): Promise<void> {
  return sql.begin((transaction) =>
    noteRefusals(transaction, NETWORK, AT, [{ merchantId, token: TOKEN, reason }]),
  )
}

/** A merchant with a forwarder, whose registry entry is in force. */
async function newMerchant(): Promise<MerchantId> {
  const id = asMerchantId(Bun.randomUUIDv7())
  await sql`
    insert into merchant (id, name, recipient, config_version)
    values (${id}, 'Shop', ${randomAddress()}, 1)`
  await sql`
    insert into forwarder (merchant_id, address, hub) values (${id}, ${randomAddress()}, ${HUB})`
  await sql.begin((transaction) => prepareForwarder(transaction, id, NETWORK))
  await endEntries('settled')
  return id
}

interface Place {
  readonly block: number
  readonly logIndex: number
}

/** A payment that is settled and confirmed. */
async function newPayment(merchantId: MerchantId, { block, logIndex }: Place): Promise<void> {
  await sql`
    insert into x402_payment (id, merchant_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, status, tx_hash, log_index,
      block_number, block_hash, claimed_block, settled_at, confirmed_at)
    select ${Bun.randomUUIDv7()}, ${merchantId}, ${NETWORK}, ${TOKEN}, ${randomAddress()},
      ${randomHex(32)}, address, 10000, 0, 1, '0x', false, 'settled', ${randomHex(32)}, ${logIndex},
      ${block}, ${HASH}, ${block}, now(), now()
    from forwarder where merchant_id = ${merchantId}`
}

async function newPayout(merchantId: MerchantId, { block, logIndex }: Place): Promise<void> {
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
