import type { InvoiceId, X402PaymentId } from '../../core/base/ids.ts'
import { mostOfNetwork } from '../../core/base/network.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import {
  amountClaimed,
  FAILED_PER_PAYER,
  findSignatureProblem,
  type InvoiceAuthorization,
  type SignatureMethod,
  type SignatureRefusal,
} from '../../core/invoice/signature.ts'
import { deriveFigures, type Invoice } from '../../core/invoice/state.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import { NOT_THE_PAYERS, WALLET_CLAIMS_MAX } from '../../core/x402/wallets.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { readLocked } from '../invoice/locking.ts'
import { notifySessions } from '../invoice/sessionNews.ts'
import { endHolds } from './holds.ts'
import { withdraw } from './outcomes.ts'
import { lockPayers, NOTHING, promisedTo } from './promises.ts'

/**
 * Claims of authorizations for invoices, each in one transaction under the invoice's lock: over all sessions, chains and
 * doors no more is claimed than is due, of a payer's balance no more than there is, and of a merchant's budget of a day
 * no more than that.
 */

export interface InvoiceClaim {
  readonly invoiceId: InvoiceId
  readonly method: SignatureMethod
  readonly networkId: string
  readonly asset: Address
  readonly authorization: Authorization
  /** Unwrapped if it was wrapped by ERC-6492. */
  readonly signature: Hex
  readonly deployment: Deployment | null
  readonly isWallet: boolean
  readonly payerCode: Hex | null
  /** The payer's balance, the block at which it was read, and the nonces that had left it by then. */
  readonly balance: bigint
  readonly block: bigint
  readonly usedNonces: readonly Hex[]
  /** In millionths of a dollar. */
  readonly gasCost: bigint
  /** The networks of the client, the narrowest first, as `SessionNames` names them. */
  readonly networkTags: readonly string[]
}

export interface ClaimBounds {
  /** Payments under way of one payer. */
  readonly claimsPerPayer: number
  /** The gas of one merchant's authorizations within a day, in millionths of a dollar. */
  readonly gasPerMerchant: bigint
  /** Authorizations from one client within a day that have paid nothing (yet), of one merchant. */
  readonly unpaidPerClient: number
}

export type InvoiceClaimResult =
  | { readonly type: 'claimed'; readonly id: X402PaymentId }
  | { readonly type: 'refused'; readonly reason: InvoiceClaimRefusal }

export type InvoiceClaimRefusal = SignatureRefusal | 'insufficient_funds' | 'authorization_used'

/** Claims an authorization and queues the work to carry it out. */
export async function claimForInvoice(
  database: Database,
  claim: InvoiceClaim,
  bounds: ClaimBounds,
  now: Date,
): Promise<InvoiceClaimResult> {
  try {
    const id = await database.begin((sql) => storeClaim(sql, claim, bounds, now))
    return { type: 'claimed', id }
  } catch (error) {
    // Rolled back, so that nothing was replaced by a claim that was refused.
    if (error instanceof Refused) return { type: 'refused', reason: error.reason }
    throw error
  }
}

class Refused extends Error {
  constructor(readonly reason: InvoiceClaimRefusal) {
    super(reason)
  }
}

async function storeClaim(
  sql: Transaction,
  claim: InvoiceClaim,
  bounds: ClaimBounds,
  now: Date,
): Promise<X402PaymentId> {
  const { authorization, balance, invoiceId } = claim
  const [locked] = await sql<Invoice[]>`select * from lock_invoice(${invoiceId})`
  if (locked === undefined) throw new Refused('not_payable')
  const invoice = await upToDate(sql, locked, now)
  const claimed = await readAuthorizations(sql, [invoiceId])
  const { others, own } = besides(claimed, claim)
  const problem = findSignatureProblem(invoice, others, authorization, now)
  if (problem !== null) throw new Refused(problem)
  if (claimed.length >= AUTHORIZATIONS_MAX) throw new Refused('limit_reached')
  for (const id of own) {
    if (!(await withdraw(sql, id, true))) throw new Refused('in_flight')
  }
  if (await isOverLimit(sql, invoice, claim, bounds, now)) throw new Refused('limit_reached')
  await lockPayers(sql, [claim])
  const [promised = NOTHING] = await promisedTo(sql, [claim])
  if (promised.amount + authorization.value > balance) throw new Refused('insufficient_funds')
  const isWallet = claim.isWallet || promised.hasHadCode
  const { claimsPerPayer } = bounds
  const most = isWallet ? Math.min(claimsPerPayer, WALLET_CLAIMS_MAX) : claimsPerPayer
  if (promised.payments >= most) throw new Refused('limit_reached')
  const row = JSON.stringify(rowOf({ ...claim, isWallet }))
  const [stored] = await sql<{ id: X402PaymentId | null }[]>`
    select claim_invoice_authorization(${row}::text::json) as id`
  const id = stored?.id ?? null
  if (id === null) throw new Refused('authorization_used')
  await endHolds(sql, [claim])
  await notifySessions(sql, [invoiceId])
  return id
}

/** The invoice with what was stored a moment ago, e.g. a transfer that was submitted, and is not derived yet. */
async function upToDate(sql: Transaction, invoice: Invoice, now: Date): Promise<Invoice> {
  const changes = await sql`select from invoice_change where invoice_id = ${invoice.id} limit 1`
  if (changes.length === 0) return invoice
  const { payments, settlements } = await readLocked(sql, invoice)
  return { ...invoice, ...deriveFigures(invoice, payments, settlements, now) }
}

/**
 * What others have claimed of the invoice, and what the payer itself has signed on the page before, which another
 * signature replaces unless it was sent.
 */
export function besides(
  known: readonly InvoiceAuthorization[],
  claim: Pick<InvoiceClaim, 'method' | 'authorization'>,
): { readonly others: bigint; readonly own: readonly X402PaymentId[] } {
  const isOwn = ({ method, payer, nonce, status }: InvoiceAuthorization) =>
    method === 'signature' &&
    claim.method === method &&
    status === 'pending' &&
    payer === claim.authorization.from &&
    nonce !== claim.authorization.nonce
  return {
    others: amountClaimed(known.filter((one) => !isOwn(one))),
    own: known.filter((one) => one.isClaimed && isOwn(one)).map(({ id }) => id),
  }
}

const DAY_MS = 86_400_000

/** Counted and booked under the merchant's lock, so that any number of processes keep to the limits together. */
async function isOverLimit(
  sql: Transaction,
  { merchantId }: Invoice,
  { authorization: { from }, gasCost, networkTags }: InvoiceClaim,
  { gasPerMerchant, unpaidPerClient }: ClaimBounds,
  now: Date,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`gasless ${merchantId}`}, 0))`
  const since = new Date(now.getTime() - DAY_MS)
  const [used] = await sql<{ gas: bigint; failed: number; ofNetworks: number[] }[]>`
    with recent as materialized (
      select gas_booked, network_tags, status from invoice_authorization
      where merchant_id = ${merchantId} and created_at > ${since}
    )
    select (select coalesce(sum(gas_booked), 0) from recent) as gas,
      (select count(*)::integer from invoice_authorization
        where payer = ${from} and created_at > ${since} and status = 'failed'
          and reason <> all(${[...NOT_THE_PAYERS]}::text[])) as failed,
      array(
        select (select count(*)::integer from recent
          where status in ('pending', 'failed') and network.tag = any(network_tags))
        from unnest(${[...networkTags]}::text[]) with ordinality as network (tag, place)
        order by place
      ) as of_networks`
  const { gas = 0n, failed = 0, ofNetworks = [] } = used ?? {}
  if (gas + gasCost > gasPerMerchant || failed >= FAILED_PER_PAYER) return true
  return ofNetworks.some(
    (count, place) => count >= mostOfNetwork(place, networkTags, unpaidPerClient),
  )
}

/** How many authorizations an invoice may have. */
const AUTHORIZATIONS_MAX = 20

/** The authorizations of invoices, the newest first. */
export async function readAuthorizations(
  sql: Queryable,
  invoiceIds: readonly InvoiceId[],
): Promise<InvoiceAuthorization[]> {
  return sql<InvoiceAuthorization[]>`
    select newest.* from unnest(${[...invoiceIds]}::uuid[]) as wanted (id)
    cross join lateral (
      select ${columns(sql)} from invoice_authorization a where a.invoice_id = wanted.id
      order by a.created_at desc, a.id desc limit ${AUTHORIZATIONS_MAX}
    ) newest`
}

/** The authorization of this nonce, for any invoice; null where there is none. */
export async function findAuthorization(
  sql: Queryable,
  networkId: string,
  asset: Address,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
): Promise<InvoiceAuthorization | null> {
  const [row] = await sql<InvoiceAuthorization[]>`
    select ${columns(sql)} from invoice_authorization a
    where a.network_id = ${networkId} and a.asset = ${asset} and a.payer = ${from}
      and a.authorization_nonce = ${nonce}`
  return row ?? null
}

/** The same by its id. */
export async function readAuthorization(
  sql: Queryable,
  id: X402PaymentId,
): Promise<InvoiceAuthorization | null> {
  const [row] = await sql<InvoiceAuthorization[]>`
    select ${columns(sql)} from invoice_authorization a where a.id = ${id}`
  return row ?? null
}

/**
 * What is known of authorizations `a`. A settled one is claimed until the ledger has its transfer; after a day without it,
 * the transfer is in no block that counts.
 */
function columns(sql: Queryable) {
  return sql`
    a.id, a.invoice_id, a.method, a.network_id, a.payer, a.authorization_nonce as nonce, a.amount,
    a.valid_after, a.valid_before, a.signature, a.status, a.reason, a.version, a.created_at,
    coalesce(a.tx_hash, (
      select t.hash from work_item w
      join relayer_attempt t on t.tx_id = coalesce(w.tx_id, w.carried_by) and not t.is_cancel
      where w.subject_id = a.id
      order by t.seq desc limit 1)) as transaction,
    a.status = 'pending' or (a.status = 'settled' and a.settled_at > now() - interval '1 day'
      and not exists (select from payment p where p.network_id = a.network_id and p.tx_hash = a.tx_hash
        and p.log_index = a.log_index and p.invoice_id = a.invoice_id and p.status <> 'reverted'))
      as is_claimed`
}

function rowOf(claim: InvoiceClaim) {
  const { from, value, validAfter, validBefore, nonce } = claim.authorization
  return {
    id: Bun.randomUUIDv7(),
    invoice_id: claim.invoiceId,
    network_id: claim.networkId,
    asset: claim.asset,
    payer: from,
    authorization_nonce: nonce,
    amount: value.toString(),
    valid_after: validAfter.toString(),
    valid_before: validBefore.toString(),
    signature: claim.signature,
    method: claim.method,
    is_wallet: claim.isWallet,
    payer_code: claim.payerCode,
    factory: claim.deployment?.factory ?? null,
    factory_calldata: claim.deployment?.data ?? null,
    claimed_block: claim.block.toString(),
    gas_booked: claim.gasCost.toString(),
    network_tags: claim.networkTags,
  }
}
