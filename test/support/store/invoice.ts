import { generatePrivateKey } from 'viem/accounts'
import {
  asInvoiceId,
  asMerchantId,
  asPaymentId,
  asRefundId,
  asSettlementId,
  type InvoiceId,
  type MerchantId,
  type PaymentId,
  type RefundId,
} from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, tokenOn } from '../../../core/chain/registry.ts'
import type { TokenOnChain } from '../../../core/chain/tokens.ts'
import type { Variables } from '../../../core/config/reader.ts'
import type { Invoice, Payment, Refund, Settlement } from '../../../core/invoice/state.ts'
import type { Queryable, Transaction } from '../../../store/database/database.ts'
import { type LockedInvoice, lockInvoiceRow, readLocked } from '../../../store/invoice/locking.ts'
import type { SigningConfig } from '../../../workers/signers/signers.ts'
import { anInvoice, aPayment, aRefund, aSettlement } from '../core/invoiceRows.ts'
import { workerConfig } from '../servers/chain.ts'
import { newAddress, newHash } from './database.ts'

/** Rows of the ledger, stored as a test says they are, for functions of the store called directly. */

export const NETWORK = 'base-sepolia'
export const OTHER_NETWORK = 'sepolia'
export const USDC = tokenAt(NETWORK)
export const USDC_ELSEWHERE = tokenAt(OTHER_NETWORK)

/** The configuration of a worker whose node no one asks. */
export function storeConfig(variables: Variables = {}): SigningConfig {
  const { config } = workerConfig({
    DATABASE_URL: 'postgres://unset',
    REDIS_URL: 'redis://unset',
    HUB_ADDRESS: newAddress(),
    HUB_OWNER: newAddress(),
    FEE_COLLECTOR: newAddress(),
    CONFIG_SIGNER_KEY: generatePrivateKey(),
    REFUND_SIGNER_KEY: generatePrivateKey(),
    RELAYER_KEYS_BASE_SEPOLIA: generatePrivateKey(),
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
    CONFIRMATIONS_BASE_SEPOLIA: '2',
    ...variables,
  })
  return config
}

export async function storeMerchant(
  sql: Queryable,
  {
    recipient = null,
    configVersion = 0,
  }: { recipient?: Address | null; configVersion?: number } = {},
): Promise<MerchantId> {
  const id = asMerchantId(Bun.randomUUIDv7())
  await sql`
    insert into merchant (id, name, recipient, config_version)
    values (${id}, 'Shop', ${recipient}, ${configVersion})`
  return id
}

/** An invoice of 1 USDC with a fee of 0.005, whose deposit is watched. */
export async function storeInvoice(
  sql: Queryable,
  merchantId: MerchantId,
  change: Partial<Invoice> = {},
): Promise<Invoice> {
  const id = asInvoiceId(Bun.randomUUIDv7())
  const invoice = anInvoice({
    id,
    merchantId,
    reference: id.slice(-10),
    chains: [NETWORK],
    depositAddress: newAddress(),
    createdAt: new Date(),
    ...change,
  })
  const { chains, metadata: _metadata, fiat: _fiat, ...row } = invoice
  await sql`insert into invoice ${sql({ ...row, chains: [...chains] })}`
  await sql`
    insert into watched (address, kind, merchant_id, invoice_id)
    values (${invoice.depositAddress}, 'deposit', ${invoice.merchantId}, ${invoice.id})`
  return invoice
}

/** A confirmed payment on time, unless the test wants otherwise. */
export async function storePayment(
  sql: Queryable,
  invoiceId: InvoiceId,
  amount: bigint,
  change: Partial<Payment> = {},
): Promise<Payment> {
  const payment = aPayment(amount, {
    id: asPaymentId(Bun.randomUUIDv7()),
    invoiceId,
    networkId: NETWORK,
    token: USDC.address,
    txHash: newHash(),
    ...change,
  })
  await sql`insert into payment ${sql({ ...payment })}`
  return payment
}

/** A confirmed sweep, unless the test wants otherwise. */
export async function storeSettlement(
  sql: Queryable,
  invoiceId: InvoiceId,
  amount: bigint,
  change: Partial<Settlement> & { readonly blockHash?: Hex } = {},
): Promise<Settlement> {
  const settlement = aSettlement(amount, 0n, {
    id: asSettlementId(Bun.randomUUIDv7()),
    invoiceId,
    networkId: NETWORK,
    token: USDC.address,
    ...change,
  })
  await sql`insert into settlement ${sql({ ...settlement })}`
  return settlement
}

/** A refund that is promised and not sent, unless the test wants otherwise; its parts are all of these. */
export async function storeRefund(
  sql: Queryable,
  invoiceId: InvoiceId,
  amount: bigint,
  change: Partial<Refund> & { readonly deadline?: bigint; readonly blockHash?: Hex } = {},
  parts: ReadonlyMap<PaymentId, bigint> = new Map(),
): Promise<Refund> {
  const refund = aRefund(amount, {
    id: asRefundId(Bun.randomUUIDv7()),
    invoiceId,
    networkId: NETWORK,
    token: USDC.address,
    ...change,
  })
  await sql`insert into refund ${sql({ ...refund })}`
  for (const [paymentId, part] of parts) await storePart(sql, refund.id, paymentId, part)
  return refund
}

async function storePart(
  sql: Queryable,
  refundId: RefundId,
  paymentId: PaymentId,
  amount: bigint,
): Promise<void> {
  await sql`
    insert into refund_part (refund_id, payment_id, amount)
    values (${refundId}, ${paymentId}, ${amount})`
}

/** A chain that is watched up to this head. */
export async function storeChain(
  sql: Queryable,
  change: {
    networkId?: string
    head?: bigint
    projectedBlock?: bigint
    confirmedTime?: Date | null
  } = {},
): Promise<void> {
  const { networkId = NETWORK, head = 100n, projectedBlock = head, confirmedTime = null } = change
  await sql`
    insert into chain_state (network_id, chain_id, genesis_hash, head, projected_block, confirmed_time)
    values (${networkId}, 1, ${newHash()}, ${head}, ${projectedBlock}, ${confirmedTime})
    on conflict (network_id) do update set head = excluded.head,
      projected_block = excluded.projected_block, confirmed_time = excluded.confirmed_time`
}

function tokenAt(networkId: string): TokenOnChain {
  const chain = ALL_CHAINS.find((entry) => entry.networkId === networkId)
  const token = chain && tokenOn(chain, 'USDC')
  if (!token) throw new Error(`the registry has no USDC on ${networkId}`)
  return token
}

/** Locks an invoice and reads everything that belongs to it, as whoever changes it does; null when there is none. */
export async function lockInvoice(
  sql: Transaction,
  invoiceId: InvoiceId,
): Promise<LockedInvoice | null> {
  const invoice = await lockInvoiceRow(sql, invoiceId)
  return invoice && readLocked(sql, invoice)
}
