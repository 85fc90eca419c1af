import type { Database, Queryable, Transaction } from '../database/database.ts'
import { advance } from '../relayer/transition.ts'
import { AUTHORIZATIONS, PAYMENTS } from '../x402/settles.ts'

/** Work that only an operator can decide on, and the decisions that pay nothing twice. */

export interface Review {
  readonly id: bigint
  readonly networkId: string
  readonly kind: string
  readonly error: string | null
  readonly tries: number
  /** Since when it waits. */
  readonly since: Date
  /** The settlement, refund, payment or merchant that it is about. */
  readonly subject: string | null
  /** How far that settlement, refund or payment is; null for work that moves no money of its own. */
  readonly status: string | null
  /** A refund whose order was never signed, so that no one can carry it out. */
  readonly isUnsigned: boolean
}

/** All work in review, on one chain or on all, the longest waiting first. */
export function readReviews(sql: Queryable, networkId: string | null): Promise<Review[]> {
  return sql<Review[]>`
    select ${columns(sql)}
    where w.state = 'review' and (${networkId}::text is null or w.network_id = ${networkId})
    order by w.updated_at, w.id limit 1000`
}

/** One work item in review; null when it isn't, or there is none. */
export async function findReview(sql: Queryable, id: bigint): Promise<Review | null> {
  const [row] = await sql<Review[]>`
    select ${columns(sql)} where w.state = 'review' and w.id = ${id.toString()}::bigint`
  return row ?? null
}

export type Decision =
  | { readonly ok: true; readonly review: Review }
  | { readonly ok: false; readonly review: Review | null }

/**
 * Queues an item again. Only for what is still open by the ledger: its last transaction has ended without
 * it at the chain's confirmations, and the hub or the token takes it once.
 */
export function retryReview(database: Database, id: bigint): Promise<Decision> {
  return decide(database, id, isOpen, async (sql) => {
    await sql`
      update work_item set state = 'queued', tx_id = null, result = null,
        tries = 0, batch_limit = 1, not_before = now(), updated_at = now()
      where id = ${id.toString()}::bigint`
  })
}

/** Puts the queued sweeps of a chain in review. Returns how many there were. */
export async function holdSweeps(sql: Queryable, networkId: string): Promise<number> {
  const rows = await sql`
    update work_item set state = 'review', updated_at = now(),
      result = ${JSON.stringify({ error: 'held by an operator' })}::text::jsonb
    where network_id = ${networkId} and kind = 'sweep' and state = 'queued' returning id`
  return rows.length
}

/**
 * Ends an item as failed: work whose settlement, refund or payment has failed already, or that moves no
 * money of its own. A payment that is pending needs the reason for which the chain shows that it was not
 * made and can't be any more. A refund that was never signed gets a deadline that is over, after which
 * nothing is signed for it, and the chain's leader frees its money as it does for any other.
 */
export function endReview(
  database: Database,
  id: bigint,
  unpaidBecause: string | null,
): Promise<Decision> {
  const canEnd = (review: Review) => {
    if (isPayment(review) && review.status === 'pending') return unpaidBecause !== null
    return review.status === null || review.status === 'failed' || review.isUnsigned
  }
  return decide(database, id, canEnd, async (sql, { status, subject, error, isUnsigned }) => {
    if (isUnsigned) {
      await sql`
        update refund set deadline = extract(epoch from now())::bigint
        where id = ${subject}::uuid and status = 'open' and deadline is null`
    }
    if (status === 'pending' && subject !== null && unpaidBecause !== null) {
      for (const ledger of [PAYMENTS, AUTHORIZATIONS]) {
        await advance(sql, ledger, 'failed', [{ id: subject, reason: unpaidBecause }])
      }
    }
    await sql`
      update work_item set state = 'failed', updated_at = now(),
        result = ${sql.json({ error: unpaidBecause ?? error ?? 'ended by an operator' })}
      where id = ${id.toString()}::bigint`
  })
}

/** Whether the ledger still expects this to be carried out. */
function isOpen({ kind, status }: Review): boolean {
  if (kind === 'sweep' || kind === 'refund' || kind === 'x402_refund') return status === 'open'
  return kind === 'x402' || kind === 'x402_wallet' ? status === 'pending' : true
}

export function isPayment({ kind }: Review): boolean {
  return kind === 'x402' || kind === 'x402_wallet'
}

/** Decides under the item's lock. */
function decide(
  database: Database,
  id: bigint,
  isAllowed: (review: Review) => boolean,
  carryOut: (sql: Transaction, review: Review) => Promise<void>,
): Promise<Decision> {
  return database.begin(async (sql): Promise<Decision> => {
    await sql`select from work_item where id = ${id.toString()}::bigint for update`
    const review = await findReview(sql, id)
    if (review === null || !isAllowed(review)) return { ok: false, review }
    await carryOut(sql, review)
    return { ok: true, review }
  })
}

function columns(sql: Queryable) {
  return sql`
      w.id, w.network_id, w.kind, w.result->>'error' as error, w.tries, w.updated_at as since,
      coalesce(w.subject_id::text, w.payload->>'merchantId') as subject,
      coalesce(s.status, r.status, p.status, a.status) as status,
      coalesce(r.status = 'open' and r.deadline is null, false) as is_unsigned
    from work_item w
    left join settlement s on s.id = w.subject_id
    left join refund r on r.id = w.subject_id
    left join x402_payment p on p.id = w.subject_id
    left join invoice_authorization a on a.id = w.subject_id`
}
