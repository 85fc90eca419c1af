import { asX402PaymentId, type ChannelActionId, type X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Database, Queryable } from '../database/database.ts'
import { listenWithRetries, type Subscription } from '../database/listen.ts'
import { type Changed, idsOf, type Sender, type Step } from '../relayer/transition.ts'

/**
 * Outcomes of x402 payments, for waiting callers. One success is sent per payment: the right to send it is
 * leased, and ends once it was sent.
 */

export interface PaymentOutcome {
  readonly paymentId: X402PaymentId
  /** `withdrawn`: nothing was ever signed for it, and its claim is gone. */
  readonly status: 'pending' | 'settled' | 'failed' | 'withdrawn'
  readonly reason: string | null
  readonly txHash: Hex | null
  readonly amount: BaseUnits
  readonly settledAt: Date | null
  readonly answeredAt: Date | null
  /** Whether the right to write out the success was granted to this reader. */
  readonly isGranted: boolean
}

/**
 * How long a reader may take to send a success before another may, in seconds. It counts from the grant, and
 * not from the beginning of a transaction that may have waited for its turn.
 */
const ANSWER_LEASE_S = 5

export interface OutcomeQuery {
  readonly paymentId: X402PaymentId
  /** Requests the right to send the success; one reader at a time gets it. */
  readonly owner: string | null
}

/** Reads payments, in the given order, and grants the right to answer settled ones. */
export async function readOutcomes(
  sql: Queryable,
  queries: readonly OutcomeQuery[],
): Promise<PaymentOutcome[]> {
  return sql<PaymentOutcome[]>`
    with given as materialized (
      select * from unnest(
        ${queries.map((q) => q.paymentId)}::uuid[], ${queries.map((q) => q.owner)}::uuid[]
      ) with ordinality as g (id, owner, place)
    ), open as materialized (
      -- In the order in which everybody locks several payments.
      select id from x402_payment
      where id = any(${queries.flatMap((q) => (q.owner === null ? [] : q.paymentId))}::uuid[])
        and status = 'settled' and answered_at is null
        and (answer_until is null or answer_until < clock_timestamp())
      order by id for update
    ), granted as (
      update x402_payment p set answer_owner = one.owner,
        answer_until = clock_timestamp() + ${ANSWER_LEASE_S} * interval '1 second'
      from open join (
        select distinct on (id) id, owner from given where owner is not null order by id, place
      ) as one using (id)
      where p.id = open.id
      returning p.id, one.owner
    )
    select g.id as payment_id, coalesce(p.status, 'withdrawn') as status, p.reason, p.tx_hash,
      coalesce(p.amount, 0) as amount, p.settled_at, p.answered_at,
      exists (select from granted where granted.id = g.id and granted.owner = g.owner) as is_granted
    from given g left join x402_payment p on p.id = g.id
    order by g.place`
}

/**
 * Ends the right to answer: for good when the success was sent, under any lease, or else for the next reader.
 */
export async function endAnswers(
  sql: Queryable,
  answers: readonly {
    readonly paymentId: X402PaymentId
    readonly owner: string
    wasWritten: boolean
  }[],
): Promise<void> {
  await sql`
    with open as materialized (
      select p.id, g.owner, g.was_written
      from unnest(
        ${answers.map((a) => a.paymentId)}::uuid[], ${answers.map((a) => a.owner)}::uuid[],
        ${answers.map((a) => String(a.wasWritten))}::text[]::boolean[]
      ) as g (id, owner, was_written)
      join x402_payment p using (id)
      order by p.id for update of p
    )
    update x402_payment p set
      answered_at = case when open.was_written then now() else p.answered_at end,
      answer_until = null
    from open
    where p.id = open.id and (open.was_written or p.answer_owner = open.owner)
      and p.answered_at is null`
}

/**
 * Withdraws a payment, an authorization of an invoice or an action of channels for which nothing was ever signed, once it
 * has waited for ten seconds or its time is over; at once, where a payer replaces an authorization. False when it can't
 * be withdrawn now: it is signed, decided, or about to be.
 */
export async function withdraw(
  sql: Queryable,
  id: X402PaymentId | ChannelActionId,
  isReplaced = false,
): Promise<boolean> {
  const [row] = await sql<{ isWithdrawn: boolean }[]>`
    select withdraw_work(${id}, ${isReplaced}) as is_withdrawn`
  return row?.isWithdrawn ?? false
}

/** The channel that carries the ids of payments that were decided. */
const CHANNEL = 'x402_decided'
/** In one notification. */
const IDS_NOTIFIED = 200

/**
 * Notifies every process that waits for one of these payments, when the transaction commits. Commits that
 * notify go one after the other, each until it is on the disk: where there are many, `notifyAfterwards` is
 * for them.
 */
export async function notifyDecided(sql: Queryable, paymentIds: readonly string[]): Promise<void> {
  for (const ids of notificationsOf(paymentIds)) await sql`select pg_notify(${CHANNEL}, ${ids})`
}

/** Notifies callers of a step that decides. What batches of ours have carried out, they hear afterwards. */
export async function notifyStep(
  sql: Queryable,
  step: Step,
  changed: readonly Changed[],
  by: Sender,
): Promise<void> {
  if (step === 'failed' || (step === 'mined' && by === 'others'))
    await notifyDecided(sql, idsOf(changed))
}

/**
 * The same for what is committed already, without waiting for the disk: a notification that a crash takes
 * away is one that was missed, and stores nothing.
 */
export async function notifyAfterwards(
  database: Database,
  paymentIds: readonly string[],
): Promise<void> {
  for (const ids of notificationsOf(paymentIds)) {
    await database`
      select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${ids})`
  }
}

/** A notification has room for 8,000 bytes. */
function notificationsOf(paymentIds: readonly string[]): string[] {
  const groups = Math.ceil(paymentIds.length / IDS_NOTIFIED)
  return Array.from({ length: groups }, (_, i) =>
    paymentIds.slice(i * IDS_NOTIFIED, (i + 1) * IDS_NOTIFIED).join(' '),
  )
}

/** Hears of payments that were decided; what is missed while there is no subscription is polled for. */
export function listenForDecided(
  database: Database,
  { hear, ...subscription }: DecidedSubscription,
): () => Promise<void> {
  return listenWithRetries(database, {
    ...subscription,
    channel: CHANNEL,
    hear: (ids) => hear(ids.split(' ').map(asX402PaymentId)),
  })
}

export interface DecidedSubscription extends Omit<Subscription, 'channel' | 'hear'> {
  hear(paymentIds: readonly X402PaymentId[]): void
}
