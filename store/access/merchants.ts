import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'
import { parseRecipient, WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { nameHub } from '../hub/forwarders.ts'
import { spreadEntry } from '../hub/replacedTreasuries.ts'
import { createKey } from './apiKeys.ts'

/** Merchants: who is paid, and where. */

export interface Merchant {
  readonly id: MerchantId
  readonly name: string
  readonly recipient: Address | null
  /** The version of the merchant's registry entry; 0 while there is nothing to register. */
  readonly configVersion: number
  /** Whether refunds may go to others than the payment's sender. */
  readonly refundsAny: boolean
  readonly createdAt: Date
}

export interface NewMerchant {
  readonly merchant: Merchant
  /** Shown once. */
  readonly secretKey: string
  /** Shown once. */
  readonly publishableKey: string
}

/** The configuration that this room needs to manage merchants. */
export type MerchantTerms = Pick<Config, 'environment' | 'hub' | 'x402Fee'>

export type CreatedMerchant =
  | ({ readonly ok: true } & NewMerchant)
  | { readonly ok: false; readonly reason: 'invalid_name' | 'invalid_recipient'; message: string }

export type RecipientOutcome =
  /** `toSettle` are the invoices that wait for nothing else and are settled now. */
  | { readonly ok: true; readonly merchant: Merchant; readonly toSettle: readonly InvoiceId[] }
  | { readonly ok: false; readonly reason: 'merchant_not_found'; readonly message: string }
  | { readonly ok: false; readonly reason: 'invalid_recipient'; readonly message: string }

const MAX_NAME_LENGTH = 200

/** Creates a merchant with both of its keys. With a recipient, the registry entry starts at version 1. */
export async function createMerchant(
  database: Database,
  terms: MerchantTerms,
  wanted: { readonly name: string; readonly recipient: string | null },
): Promise<CreatedMerchant> {
  const name = wanted.name.trim()
  if (name === '' || [...name].length > MAX_NAME_LENGTH || name.includes('\0')) {
    const message = `must have 1 to ${MAX_NAME_LENGTH} characters`
    return { ok: false, reason: 'invalid_name', message }
  }
  const recipient = await checkRecipient(database, terms, wanted.recipient)
  if (!recipient.ok) return { ok: false, reason: 'invalid_recipient', message: recipient.message }
  return database.begin(async (sql) => {
    await nameHub(sql, terms.hub)
    const [row] = await sql<Merchant[]>`
      insert into merchant (id, name, recipient, config_version, x402_fee_bps, x402_fee_cap)
      values (${Bun.randomUUIDv7()}, ${name}, ${recipient.address},
        ${recipient.address === null ? 0 : 1}, ${terms.x402Fee.rateBps},
        ${terms.x402Fee.cap.toString()})
      returning id, name, recipient, config_version, refunds_any, created_at`
    if (!row) throw new Error('the merchant was not stored')
    return {
      ok: true,
      merchant: row,
      secretKey: await createKey(sql, terms.environment, row.id, 'secret'),
      publishableKey: await createKey(sql, terms.environment, row.id, 'publishable'),
    }
  })
}

/** All merchants, the oldest first. */
export async function listMerchants(sql: Queryable): Promise<Merchant[]> {
  return sql<Merchant[]>`
    select id, name, recipient, config_version, refunds_any, created_at from merchant order by created_at, id`
}

/** One merchant, or null when there is none with this id. */
export async function getMerchant(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<Merchant | null> {
  const [row] = await sql<Merchant[]>`
    select id, name, recipient, config_version, refunds_any, created_at from merchant
    where id = ${merchantId}`
  return row ?? null
}

/**
 * Sets where a merchant's money goes. The registry entry's version grows; in the same transaction it is
 * queued for every chain on which the merchant's forwarder is paid, and where it replaces another one, for
 * every chain of the deployment: where a hub had none, anyone could submit an earlier one. Invoices
 * become due that were held for want of a recipient, or whose sweeps to the old one failed. Invoices that
 * name their own recipient are not touched.
 */
export async function setRecipient(
  database: Database,
  terms: MerchantTerms & Pick<Config, 'chains'>,
  merchantId: MerchantId,
  address: string,
): Promise<RecipientOutcome> {
  const recipient = await checkRecipient(database, terms, address)
  if (!recipient.ok) return { ok: false, reason: 'invalid_recipient', message: recipient.message }
  return database.begin(async (sql): Promise<RecipientOutcome> => {
    // The merchant's own request is over: it is locked before the merchant, as everywhere.
    await sql`
      update recipient_change set state = 'replaced', ended_at = clock_timestamp(),
        ended_by = 'the operator'
      where merchant_id = ${merchantId} and state in ('needs_approval', 'waiting')`
    await sql`select from merchant where id = ${merchantId} for update`
    // A hub takes no version again that it has known, vetoed or not.
    const [row] = await sql<Merchant[]>`
      update merchant m set recipient = ${recipient.address},
        config_version = 1 + newest_entry_version(m.id)
      where m.id = ${merchantId}
      returning id, name, recipient, config_version, refunds_any, created_at`
    if (!row) {
      const message = `there is no merchant ${merchantId}`
      return { ok: false, reason: 'merchant_not_found', message }
    }
    await spreadEntry(sql, terms, merchantId)
    return { ok: true, merchant: row, toSettle: await makeDue(sql, merchantId) }
  })
}

/**
 * Has the invoices settled that wait for nothing but another recipient: held for want of one, or with sweeps to
 * the old one that failed. Those that name their own are not touched.
 */
export async function makeDue(sql: Transaction, merchantId: MerchantId): Promise<InvoiceId[]> {
  const due = await sql<{ id: InvoiceId }[]>`
    update invoice set settlement_state = 'due', settlement_error = null, held_parts = 0,
      version = version + 1
    where id in (
      -- In the order in which everybody locks several invoices.
      select id from invoice
      where merchant_id = ${merchantId} and recipient is null
        and settlement_state in ('no_recipient', 'failed')
      order by id for update)
    returning id`
  return due.map(({ id }) => id)
}

/**
 * Sets whether the merchant's refunds may go to any address. Without it, a stolen API key can only send
 * money back to those who paid it.
 */
export async function setRefundsAny(
  sql: Queryable,
  merchantId: MerchantId,
  isAllowed: boolean,
): Promise<Merchant | null> {
  const [row] = await sql<Merchant[]>`
    update merchant set refunds_any = ${isAllowed} where id = ${merchantId}
    returning id, name, recipient, config_version, refunds_any, created_at`
  return row ?? null
}

type CheckedRecipient =
  | { readonly ok: true; readonly address: Address | null }
  | { readonly ok: false; readonly message: string }

/** Whether a merchant's money may go to an address at all. */
export async function checkRecipient(
  sql: Queryable,
  terms: MerchantTerms,
  text: string | null,
): Promise<CheckedRecipient> {
  if (text === null) return { ok: true, address: null }
  const verdict = parseRecipient(text, terms.hub)
  if (!verdict.ok) return verdict
  const watched = await sql`select 1 from watched where address = ${verdict.address}`
  return watched.length === 0 ? verdict : { ok: false, message: WATCHED_RECIPIENT }
}

/** Whether an account is the recipient of any other merchant, or of an invoice of one. */
export async function isOthersRecipient(
  sql: Queryable,
  merchantId: MerchantId,
  address: Address,
): Promise<boolean> {
  const [row] = await sql<{ isOthers: boolean }[]>`
    select exists (select from merchant where recipient = ${address} and id <> ${merchantId})
      or exists (select from invoice where recipient = ${address} and merchant_id <> ${merchantId})
      as is_others`
  return row?.isOthers ?? false
}
