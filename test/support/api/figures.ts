import { asEndpointId, type EndpointId, type MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { newAddress, newHash } from '../store/database.ts'
import {
  NETWORK,
  storeInvoice,
  storePayment,
  storeRefund,
  storeSettlement,
  USDC,
} from '../store/invoice.ts'

/** Two days of a merchant's business, in June 2026, with amounts that are known; and what the hub told of it. */

const FIRST = new Date('2026-06-01T12:00:00Z')
const SECOND = new Date('2026-06-02T12:00:00Z')
/** Of Base Sepolia. */
const CHAIN_ID = 84_532

export interface Figures {
  readonly merchantId: MerchantId
  readonly payer: Address
  readonly agent: Address
  readonly endpoints: readonly [EndpointId, EndpointId]
  readonly sweep: { readonly id: string; readonly txHash: Hex }
  /** All that no other merchant may see: ids, hashes, addresses and amounts. */
  readonly own: readonly string[]
}

/** The table that Ponder makes, and in which nothing is but what a test puts there. */
export async function createIndex(sql: Database): Promise<void> {
  await sql`create schema indexed`
  await sql`
    create table indexed.hub_event (chain_id integer not null, block_hash text not null,
      log_index integer not null, block_number bigint not null, block_timestamp bigint not null,
      tx_hash text not null, kind text not null, merchant_id text, account text, token text,
      receiver text, amount numeric(78, 0), fee numeric(78, 0), reference text)`
  await sql`grant usage on schema indexed to public`
  await sql`grant select on indexed.hub_event to public`
}

/**
 * Stores a merchant's business; amounts in millionths, times `scale`: payments of 25, 10 and 15, and 3 that
 * came late; settled 25 with a fee of 0.1 and 20 with one of 0.2 that stayed behind; 3 refunded; x402
 * payments of 0.01, 0.02, 0.5 and 0.07, the first two and the third of an endpoint each; 0.6 paid out,
 * 0.004 of it as a fee.
 */
export async function storeFigures(
  sql: Database,
  merchantId: MerchantId,
  scale: bigint,
): Promise<Figures> {
  const [payer, other, agent] = [newAddress(), newAddress(), newAddress()]
  const units = (millionths: bigint) => baseUnits(millionths * scale)
  const seconds = (from: Date, more: number) => new Date(from.getTime() + more * 1_000)
  const paid = (at: Date, took: number) => ({
    ...({ status: 'completed', targetNetwork: NETWORK, paidAt: at, createdAt: at } as const),
    completedAt: seconds(at, took),
  })
  const first = await storeInvoice(sql, merchantId, paid(FIRST, 90))
  const second = await storeInvoice(sql, merchantId, paid(SECOND, 30))
  const at = (confirmedAt: Date) => ({ confirmedAt, createdAt: confirmedAt, token: USDC.address })
  await storePayment(sql, first.id, units(25_000_000n), { ...at(FIRST), sender: payer })
  await storePayment(sql, second.id, units(10_000_000n), { ...at(SECOND), sender: payer })
  await storePayment(sql, second.id, units(15_000_000n), { ...at(SECOND), sender: other })
  await storePayment(sql, second.id, units(3_000_000n), {
    ...{ ...at(SECOND), sender: other, kind: 'late' },
  })
  const sweeps = [
    await storeSettlement(sql, first.id, units(25_000_000n), {
      ...{ ...at(FIRST), fee: units(100_000n), txHash: newHash(), recipient: newAddress() },
    }),
    await storeSettlement(sql, second.id, units(20_000_000n), {
      ...{ ...at(SECOND), fee: units(200_000n), feeOwed: units(200_000n), txHash: newHash() },
    }),
  ]
  const refund = await storeRefund(sql, second.id, units(3_000_000n), {
    ...{ ...at(SECOND), status: 'confirmed', txHash: newHash() },
  })
  const endpoints = [
    await newEndpoint(sql, merchantId),
    await newEndpoint(sql, merchantId),
  ] as const
  const pay = (amount: bigint, day: Date, endpointId: EndpointId | null) =>
    storeRequest(sql, { merchantId, endpointId, payer: agent, amount: units(amount), day })
  await pay(10_000n, FIRST, endpoints[0])
  await pay(20_000n, FIRST, endpoints[0])
  await pay(500_000n, SECOND, endpoints[1])
  await pay(70_000n, SECOND, null)
  const payoutHash = newHash()
  await sql`
    insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
      block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${NETWORK}, ${USDC.address}, ${payoutHash}, 4, 11,
      ${newHash()}, ${SECOND}, ${newAddress()}, ${units(596_000n)}, ${units(4_000n)}, 0, 0)`
  const [sweep] = sweeps
  if (sweep?.txHash === undefined || sweep.txHash === null) throw new Error('nothing was swept')
  await tell(sql, FIRST, {
    ...{ kind: 'swept', txHash: sweep.txHash, account: first.depositAddress },
    ...{ amount: units(24_900_000n), fee: units(100_000n) },
  })
  await tell(sql, SECOND, {
    ...{ kind: 'distributed', txHash: payoutHash, merchantId, logIndex: 4 },
    ...{ amount: units(596_000n), fee: units(4_000n) },
  })
  // What the ledger knows nothing of.
  await tell(sql, SECOND, {
    ...{ kind: 'swept', txHash: newHash(), account: second.depositAddress },
    ...{ amount: units(7_000_000n), fee: 0n },
  })
  return {
    ...{ merchantId, payer, agent, endpoints },
    sweep: { id: sweep.id, txHash: sweep.txHash },
    own: [
      merchantId,
      first.id,
      second.id,
      refund.id,
      ...endpoints,
      payer,
      agent,
      sweep.id,
      payoutHash,
    ],
  }
}

async function newEndpoint(sql: Database, merchantId: MerchantId): Promise<EndpointId> {
  const id = asEndpointId(Bun.randomUUIDv7())
  const url = `https://shop.example/${id}`
  await sql`
    insert into x402_endpoint (id, merchant_id, url, url_key, network_id, token_symbol, asset, amount,
      description)
    values (${id}, ${merchantId}, ${url}, ${url}, ${NETWORK}, 'USDC', ${USDC.address}, 1, '')`
  return id
}

interface PaidRequest {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId | null
  readonly payer: Address
  readonly amount: bigint
  readonly day: Date
}

/** A payment that was claimed on a day, settled two seconds later, and confirmed. */
async function storeRequest(sql: Database, paid: PaidRequest): Promise<void> {
  const id = Bun.randomUUIDv7()
  await sql`
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet, status,
      tx_hash, log_index, block_number, block_hash, claimed_block, created_at, settled_at)
    values (${id}, ${paid.merchantId}, ${paid.endpointId}, ${NETWORK}, ${USDC.address}, ${paid.payer},
      ${newHash()}, ${newAddress()}, ${paid.amount}, 0, 1, '0x', false, 'settled', ${newHash()}, 0,
      10, ${newHash()}, 9, ${paid.day}, ${paid.day}::timestamptz + interval '2 seconds')`
  await sql`update x402_payment set confirmed_at = ${paid.day} where id = ${id}`
}

interface Told {
  readonly kind: string
  readonly txHash: Hex
  readonly account?: Address
  readonly merchantId?: MerchantId
  readonly logIndex?: number
  readonly amount: bigint
  readonly fee: bigint
}

async function tell(sql: Database, at: Date, told: Told): Promise<void> {
  const { kind, txHash, account = null, merchantId = null, logIndex = 0, amount, fee } = told
  await sql`
    insert into indexed.hub_event (chain_id, block_hash, log_index, block_number, block_timestamp,
      tx_hash, kind, merchant_id, account, token, amount, fee)
    values (${CHAIN_ID}, ${newHash()}, ${logIndex}, 12, ${Math.floor(at.getTime() / 1_000)}, ${txHash},
      ${kind}, ${merchantId}, ${account}, ${USDC.address}, ${amount}, ${fee})`
}
