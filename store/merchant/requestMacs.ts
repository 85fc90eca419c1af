import type {
  ApprovalRequestId,
  MerchantId,
  PersonId,
  RecipientChangeId,
  RefundId,
} from '../../core/base/ids.ts'
import type { Keyring } from '../../core/base/keyring.ts'
import { checkMac, type MacParts, macOf } from '../../core/base/mac.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ApprovalKind } from '../../core/merchant/approval.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/**
 * The HMACs of what a rule protects: changes of the recipient, requests for approvals, and votes. The API makes
 * them in the transaction that makes the rows; a leader verifies them before anything takes effect.
 */

/** A change of the recipient as its HMAC covers it: all of it but what becomes of it. */
interface MacedChange {
  readonly id: RecipientChangeId
  readonly merchantId: MerchantId
  readonly recipient: Address
  readonly replaces: Address | null
  readonly actor: string
  readonly actorId: string
  readonly actorName: string
  /** Whether a rule made it wait for approval. */
  readonly isRuled: boolean
  readonly createdAt: Date
  readonly mac: string | null
}

/** A request, with what it is about. */
export interface MacedRequest {
  readonly id: ApprovalRequestId
  readonly merchantId: MerchantId
  readonly kind: ApprovalKind
  readonly changeId: RecipientChangeId | null
  readonly changeRecipient: Address | null
  readonly refundId: RefundId | null
  readonly networkId: string | null
  readonly token: Address | null
  readonly amount: bigint | null
  readonly refundRecipient: Address | null
  readonly wantedRecipient: boolean | null
  readonly wantedRefundsAbove: bigint | null
  readonly memberId: PersonId | null
  readonly wantedRole: string | null
  readonly wantedAddress: Address | null
  readonly actor: string
  readonly actorId: string
  readonly actorName: string
  readonly needed: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly mac: string | null
}

interface MacedVote {
  readonly personId: PersonId
  readonly personName: string
  readonly voterRole: string | null
  readonly at: Date
  readonly mac: string | null
}

/** What a leader thinks of a row, and when that was made. */
export interface Judged {
  readonly verdict: ReturnType<typeof checkMac>
  readonly at: Date
}

/**
 * Adds the HMACs of this transaction's requests. Rows of other transactions may be forged and get none: only
 * rows that the database function has just created from this process's input.
 */
export async function signRequests(
  sql: Transaction,
  keys: Keyring,
  merchantId: MerchantId,
): Promise<void> {
  const own = sql`xmin = pg_current_xact_id()::xid`
  const changes = await sql<MacedChange[]>`
    ${changeQuery(sql)} where c.merchant_id = ${merchantId} and c.mac is null and c.${own}
      and c.state in ('needs_approval', 'waiting')`
  for (const change of changes) {
    await sql`select put_mac('change', ${change.id}, null, null, ${macOf(keys, changeParts(change))})`
  }
  const requests = await sql<MacedRequest[]>`
    ${requestQuery(sql)} where a.merchant_id = ${merchantId} and a.mac is null and a.${own}
      and a.state = 'open'`
  for (const one of requests) {
    const mac = macOf(keys, requestParts('approval request', one))
    await sql`select put_mac('request', ${one.id}, null, null, ${mac})`
  }
}

/** Adds the HMAC of the vote that this transaction has made. */
export async function signVote(
  sql: Transaction,
  keys: Keyring,
  id: ApprovalRequestId,
  personId: PersonId,
): Promise<void> {
  const request = await readRequest(sql, id)
  const [vote] = await sql<MacedVote[]>`
    select v.person_id, v.person_name, m.role as voter_role, v.at, v.mac
    from approval_vote v join approval_request a on a.id = v.request_id
    join member m on m.merchant_id = a.merchant_id and m.person_id = v.person_id
    where v.request_id = ${id} and v.person_id = ${personId} and v.mac is null
      and v.xmin = pg_current_xact_id()::xid`
  if (request === null || vote === undefined) throw new Error('the vote was not stored')
  const mac = macOf(keys, voteParts(request, vote))
  await sql`select put_mac('vote', ${id}, ${personId}, ${vote.voterRole}, ${mac})`
}

/** What a leader thinks of a change; null for none. */
export async function verifyMacOfChange(
  sql: Queryable,
  keys: Keyring,
  id: RecipientChangeId,
): Promise<Judged | null> {
  const [change] = await sql<MacedChange[]>`${changeQuery(sql)} where c.id = ${id}`
  if (change === undefined) return null
  return { verdict: checkMac(keys, changeParts(change), change.mac), at: change.createdAt }
}

export async function readRequest(
  sql: Queryable,
  id: ApprovalRequestId,
): Promise<MacedRequest | null> {
  const [request] = await sql<MacedRequest[]>`${requestQuery(sql)} where a.id = ${id}`
  return request ?? null
}

/** Verifies a request, without its votes. */
export function verifyMacOfRequest(keys: Keyring, request: MacedRequest): Judged {
  const verdict = checkMac(keys, requestParts('approval request', request), request.mac)
  return { verdict, at: request.createdAt }
}

/** What a leader thinks of all votes for a request. */
export async function verifyMacsOfVotes(
  sql: Queryable,
  keys: Keyring,
  request: MacedRequest,
): Promise<readonly Judged[]> {
  const votes = await sql<MacedVote[]>`
    select person_id, person_name, voter_role, at, mac from approval_vote
    where request_id = ${request.id} order by at`
  return votes.map((vote) => {
    return { verdict: checkMac(keys, voteParts(request, vote), vote.mac), at: vote.at }
  })
}

function changeQuery(sql: Queryable) {
  return sql`
    select c.id, c.merchant_id, c.recipient, c.replaces, c.actor, c.actor_id, c.actor_name,
      exists (select from approval_request a where a.change_id = c.id) as is_ruled, c.created_at, c.mac
    from recipient_change c`
}

function requestQuery(sql: Queryable) {
  return sql`
    select a.id, a.merchant_id, a.kind, a.change_id, c.recipient as change_recipient, a.refund_id,
      r.network_id, r.token, r.amount, r.recipient as refund_recipient, a.wanted_recipient,
      a.wanted_refunds_above, a.member_id, a.wanted_role, a.wanted_address, a.actor, a.actor_id,
      a.actor_name, a.needed, a.created_at, a.expires_at, a.mac
    from approval_request a left join recipient_change c on c.id = a.change_id
    left join refund r on r.id = a.refund_id`
}

function changeParts(change: MacedChange): MacParts {
  const { id, merchantId, recipient, replaces, actor, actorId, actorName } = change
  const { isRuled, createdAt } = change
  return [
    ...(['change of recipient', id, merchantId, recipient, replaces] as const),
    ...[actor, actorId, actorName, isRuled, createdAt.getTime()],
  ]
}

function requestParts(about: string, request: MacedRequest): MacParts {
  return [
    ...([about, request.id, request.merchantId, request.kind] as const),
    ...[request.changeId, request.changeRecipient],
    ...[request.refundId, request.networkId, request.token, text(request.amount)],
    ...[request.refundRecipient, request.wantedRecipient, text(request.wantedRefundsAbove)],
    ...[request.memberId, request.wantedRole, request.wantedAddress],
    ...[request.actor, request.actorId, request.actorName, request.needed],
    ...[request.createdAt.getTime(), request.expiresAt.getTime()],
  ]
}

/** A vote covers the whole content of its request, so that it does not count for another one, or a changed one. */
function voteParts(request: MacedRequest, vote: MacedVote): MacParts {
  const { personId, personName, voterRole, at } = vote
  return [...requestParts('vote', request), personId, personName, voterRole, at.getTime()]
}

function text(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}
