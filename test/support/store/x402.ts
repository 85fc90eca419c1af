import {
  asDistributionId,
  asEndpointId,
  asMerchantId,
  type DistributionId,
  type EndpointId,
  type MerchantId,
  type X402PaymentId,
} from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { forwarderAddress } from '../../../core/hub/deposit.ts'
import type { EndpointDraft } from '../../../core/x402/endpoint.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import type { Database, Queryable } from '../../../store/database/database.ts'
import { advance, type DoneAt, type Ledger } from '../../../store/relayer/transition.ts'
import { type ClaimResult, type NewClaim, storeClaims } from '../../../store/x402/claims.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { newAddress, newHash, newNetwork, storeChain } from './database.ts'
import { USDC } from './invoice.ts'

/** Merchants with forwarders, and x402 payments to them in every state, as rows of the store. */

export const NETWORK = 'base-sepolia'
/** Test USDC of that network. */
export const TOKEN = USDC.address

export interface Shop {
  readonly id: MerchantId
  readonly hub: Address
  readonly forwarder: Address
}

/** A merchant with a forwarder; without a recipient unless one is given. */
export async function newShop(
  sql: Queryable,
  {
    recipient = null,
    version = recipient === null ? 0 : 1,
    hub = newAddress(),
  }: { recipient?: Address | null; version?: number; hub?: Address } = {},
): Promise<Shop> {
  const id = asMerchantId(Bun.randomUUIDv7())
  const shop = { id, hub, forwarder: forwarderAddress(hub, id) }
  await sql`
    insert into merchant (id, name, recipient, config_version, x402_fee_bps, x402_fee_cap)
    values (${shop.id}, 'Shop', ${recipient}, ${version}, 50, 5000000)`
  await sql`
    insert into forwarder (merchant_id, address, hub)
    values (${shop.id}, ${shop.forwarder}, ${hub})`
  return shop
}

/** A merchant with a forwarder, and a network of its own whose blocks are stored. */
export async function newShopAndNetwork(
  sql: Queryable,
): Promise<{ readonly networkId: string; readonly shop: Shop }> {
  const networkId = newNetwork()
  await storeChain(sql, networkId)
  return { networkId, shop: await newShop(sql) }
}

type Terms = Partial<Authorization> & Partial<Omit<NewClaim, 'authorization'>>

/** A claim of an authorization over 60 units, which the payer has many times over. */
export function aClaim(shop: Shop, terms: Terms = {}): NewClaim {
  const { from, to, value, validAfter, validBefore, nonce, ...claim } = terms
  return {
    merchantId: shop.id,
    endpointId: null,
    networkId: NETWORK,
    asset: TOKEN,
    signature: '0x1234',
    isWallet: false,
    payerCode: null,
    balance: 1_000_000n,
    block: 100n,
    usedNonces: [],
    isAlone: false,
    ...claim,
    authorization: {
      from: from ?? newAddress(),
      to: to ?? shop.forwarder,
      value: value ?? 60n,
      validAfter: validAfter ?? 0n,
      validBefore: validBefore ?? 4_000_000_000n,
      nonce: nonce ?? newHash(),
    },
  }
}

/** Claims in one transaction. */
export function claim(database: Database, ...claims: NewClaim[]): Promise<ClaimResult[]> {
  return database.begin((sql) => storeClaims(sql, claims, 1_000))
}

/** What came of claims, without the ids. */
export function types(results: readonly ClaimResult[]): string[] {
  return results.map(({ type }) => type)
}

/** Without events, for which their chain would have to be a known one. */
export const QUIET_PAYMENTS: Ledger = { ...PAYMENTS, derive: async () => undefined }

/** A payment that was claimed. */
export async function pending(database: Database, wanted: NewClaim): Promise<X402PaymentId> {
  const [result] = await claim(database, wanted)
  if (result?.type !== 'claimed') throw new Error(`the claim was answered by ${result?.type}`)
  return result.paymentId
}

/** The place of a transfer in a block; of one that no block is, unless it is given. */
export function place(block: bigint, given: Partial<DoneAt> = {}): DoneAt {
  return { txHash: newHash(), logIndex: 0, block, blockHash: newHash(), ...given }
}

/** A payment that our own transaction has settled. */
export async function settled(
  database: Database,
  wanted: NewClaim,
  at: DoneAt = place(10n),
): Promise<X402PaymentId> {
  const paymentId = await pending(database, wanted)
  const given = [{ id: paymentId, logIndex: at.logIndex }]
  await database.begin((sql) => advance(sql, PAYMENTS, 'mined', given, at))
  return paymentId
}

/** A settled payment that has the chain's confirmations. */
export async function confirmed(
  database: Database,
  wanted: NewClaim,
  at: DoneAt = place(10n),
): Promise<X402PaymentId> {
  const paymentId = await settled(database, wanted, at)
  await database.begin((sql) => advance(sql, QUIET_PAYMENTS, 'confirmed', [{ id: paymentId }]))
  return paymentId
}

export function keyOf({ networkId, asset, authorization }: NewClaim): string {
  return `x402:${networkId}:${asset}:${authorization.from}:${authorization.nonce}`
}

export interface PaymentRow {
  readonly status: string
  readonly reason: string | null
  readonly version: number
  readonly signature: string
  readonly isWallet: boolean
  readonly payerCode: string | null
  readonly txHash: string | null
  readonly logIndex: number | null
  readonly blockNumber: bigint | null
  readonly blockHash: string | null
  readonly byOthers: boolean
  readonly distributionId: string | null
  readonly fee: bigint | null
  readonly answeredAt: Date | null
  readonly settledAt: Date | null
  readonly confirmedAt: Date | null
}

export async function paymentRow(sql: Queryable, id: X402PaymentId): Promise<PaymentRow> {
  const [row] = await sql<PaymentRow[]>`select * from x402_payment where id = ${id}`
  if (!row) throw new Error('there is no such payment')
  return row
}

/** Overwrites a payment's columns: states that take many steps to come about. */
export async function changePayment(
  sql: Queryable,
  id: X402PaymentId,
  columns: Record<string, string | number | boolean | bigint | Date | null>,
): Promise<void> {
  await sql`update x402_payment set ${sql(columns)} where id = ${id}`
}

/** Has a payment fail as far as its own row is concerned. */
export function failPayment(sql: Queryable, id: X402PaymentId): Promise<void> {
  return changePayment(sql, id, { status: 'failed', reason: 'reverted' })
}

export interface ItemRow {
  readonly id: bigint
  readonly networkId: string
  readonly kind: string
  readonly state: string
  readonly txId: bigint | null
  readonly logIndex: number | null
  readonly result: Record<string, string> | null
  readonly payload: Record<string, string | number>
  readonly tries: number
  readonly batchLimit: number
  readonly notBefore: Date
}

/** The work item with this key; null when there is none. */
export async function findItem(sql: Queryable, dedupeKey: string): Promise<ItemRow | null> {
  const [row] = await sql<ItemRow[]>`select * from work_item where dedupe_key = ${dedupeKey}`
  return row ?? null
}

export async function itemOf(sql: Queryable, wanted: NewClaim): Promise<ItemRow> {
  const item = await findItem(sql, keyOf(wanted))
  if (!item) throw new Error('there is no work for this claim')
  return item
}

/** Overwrites columns of the work for a claim. */
export async function changeItem(
  sql: Queryable,
  wanted: NewClaim,
  columns: Record<string, string | number | bigint | Date | null>,
): Promise<void> {
  await sql`update work_item set ${sql(columns)} where dedupe_key = ${keyOf(wanted)}`
}

/** A transaction of a relayer, of the given state and outcome; mined ones in block 10. */
export async function newTransaction(
  sql: Queryable,
  state: 'signed' | 'mined' | 'nonce_taken' = 'signed',
  outcome: 'succeeded' | 'reverted' = 'succeeded',
): Promise<bigint> {
  const address = newAddress()
  await sql`
    insert into relayer_key (network_id, address, next_nonce) values (${NETWORK}, ${address}, 1)`
  const isMined = state === 'mined'
  const [row] = await sql<{ id: bigint }[]>`
    insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit,
      state, outcome, mined_hash, mined_block)
    values (${NETWORK}, ${address}, 0, 'x402', ${newAddress()}, '0x', 21000, ${state},
      ${isMined ? outcome : null}, ${isMined ? newHash() : null}, ${isMined ? 10 : null})
    returning id`
  if (!row) throw new Error('the transaction was not stored')
  return row.id
}

export interface DistributionTerms {
  readonly networkId?: string
  readonly token?: Address
  readonly remitted?: bigint
  readonly fee?: bigint
  readonly feeHeld?: bigint
  readonly logIndex?: number
  readonly blockHash?: Hex
}

/** A booked distribution of a merchant's forwarder. */
export async function storeDistribution(
  sql: Queryable,
  shop: Shop,
  block: bigint,
  terms: DistributionTerms = {},
): Promise<DistributionId> {
  const { networkId = NETWORK, token = TOKEN, logIndex = 0, blockHash = newHash() } = terms
  const id = asDistributionId(Bun.randomUUIDv7())
  await sql`
    insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
      block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
    values (${id}, ${shop.id}, ${networkId}, ${token}, ${newHash()}, ${logIndex}, ${block},
      ${blockHash}, now(), ${newAddress()}, ${terms.remitted ?? 0n}, ${terms.fee ?? 0n},
      ${terms.feeHeld ?? 0n}, 0)`
  return id
}

export function newEndpointId(): EndpointId {
  return asEndpointId(Bun.randomUUIDv7())
}

let endpoints = 0

/** An endpoint that a merchant may register, of a URL that no other has. */
export function anEndpointDraft(change: Partial<EndpointDraft> = {}): EndpointDraft {
  endpoints += 1
  const url = `https://shop.example/${endpoints}`
  return {
    ...{ url, urlKey: url, networkId: NETWORK, tokenSymbol: 'USDC', asset: TOKEN },
    ...{ amount: baseUnits(10_000n), description: 'A report', ownTransaction: false },
    acceptsWallets: true,
    discoverable: false,
    discovery: null,
    ...change,
  }
}
