import type { Address } from '../../core/chain/evm.ts'
import { pauseAfter, type Verdict } from '../../core/screening/answer.ts'
import type { Database, Queryable } from '../database/database.ts'
import { EVERYTHING, isInScope, type Scope } from '../database/scope.ts'

/** Screening of payers' addresses: which are due, and the answers. */

/** An answer that counts now. */
function counts(sql: Queryable) {
  return sql`verdict is not null and (valid_until is null or valid_until > clock_timestamp())`
}

/** Those of the addresses whose money is released. */
export async function clearedAmong(
  sql: Queryable,
  addresses: readonly Address[],
): Promise<ReadonlySet<Address>> {
  if (addresses.length === 0) return new Set()
  const rows = await sql<{ address: Address }[]>`
    select address from screening
    where address = any(${[...addresses]}::text[]) and verdict = 'allow' and ${counts(sql)}`
  return new Set(rows.map(({ address }) => address))
}

/** What is known of one address. A hold counts until it is replaced. */
export async function screeningOf(
  sql: Queryable,
  address: Address,
): Promise<{ readonly verdict: Verdict | null; readonly failures: number }> {
  const [row] = await sql<{ verdict: Verdict | null; failures: number }[]>`
    select case when verdict = 'hold' or ${counts(sql)} then verdict end as verdict, failures
    from screening where address = ${address}`
  return row ?? { verdict: null, failures: 0 }
}

/** Has workers screen addresses; one with a valid answer is not screened again. */
export async function wantScreening(sql: Queryable, addresses: readonly Address[]): Promise<void> {
  if (addresses.length > 0) await sql`select want_screening(${[...addresses]}::text[])`
}

export interface DueScreening {
  readonly address: Address
  readonly failures: number
}

/** Leases due addresses for `leaseMs`. */
export function takeDue(
  database: Database,
  limit: number,
  leaseMs: number,
  scope: Scope<Address> = EVERYTHING,
): Promise<DueScreening[]> {
  return database<DueScreening[]>`
    update screening set ask_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where address in (
      select address from screening
      where ask_at <= clock_timestamp() and ${isInScope(database, 'address', scope)}
      order by ask_at limit ${limit} for update skip locked)
    returning address, failures`
}

/** The addresses that are due, the longest first, but for these. */
export async function dueAddresses(
  database: Database,
  limit: number,
  without: readonly Address[],
): Promise<Address[]> {
  const rows = await database<{ address: Address }[]>`
    select address from screening
    where ask_at <= clock_timestamp()
      and ${isInScope(database, 'address', { of: null, without })}
    order by ask_at limit ${limit}`
  return rows.map(({ address }) => address)
}

/** Stores the service's answer. What an operator has decided meanwhile stays. */
export async function storeVerdict(
  database: Database,
  address: Address,
  answer: { readonly verdict: Verdict; readonly note: string | null },
  keptMs: number,
): Promise<void> {
  await database`
    with answered as (
      select clock_timestamp() as now, clock_timestamp() + ${keptMs} * interval '1 millisecond' as until)
    update screening set verdict = ${answer.verdict}, decided_by = 'service', note = ${answer.note},
      decided_at = answered.now, valid_until = answered.until, failures = 0, fault = null,
      -- Held ones are screened again automatically, others with the next payment.
      ask_at = case when ${answer.verdict} = 'hold' then answered.until end
    from answered where address = ${address} and decided_by is distinct from 'operator'`
}

/** Records that the service gave no answer, and when it is tried again. */
export async function storeFault(
  database: Database,
  { address, failures }: DueScreening,
  fault: string,
): Promise<void> {
  await database`
    update screening set failures = failures + 1, fault = ${fault},
      ask_at = clock_timestamp() + ${pauseAfter(failures + 1)} * interval '1 millisecond'
    where address = ${address} and decided_by is distinct from 'operator'`
}

/** An operator's decision, which counts until it is withdrawn. */
export async function decideScreening(
  sql: Queryable,
  address: Address,
  verdict: Verdict,
  note: string | null,
): Promise<void> {
  await sql`
    insert into screening as s (address, verdict, decided_by, note, decided_at, ask_at)
    values (${address}, ${verdict}, 'operator', ${note}, clock_timestamp(), null)
    on conflict (address) do update set verdict = excluded.verdict, decided_by = 'operator',
      note = excluded.note, decided_at = excluded.decided_at, valid_until = null, ask_at = null,
      failures = 0, fault = null`
}

/** Forgets the decision and has the address screened. */
export async function requestScreening(sql: Queryable, address: Address): Promise<void> {
  await sql`
    insert into screening (address) values (${address})
    on conflict (address) do update set verdict = null, decided_by = null, note = null,
      decided_at = null, valid_until = null, ask_at = clock_timestamp(), failures = 0, fault = null`
  await sql`select pg_notify('screening', '')`
}

export interface Screening {
  readonly address: Address
  readonly verdict: Verdict | null
  readonly decidedBy: 'service' | 'operator' | null
  readonly note: string | null
  readonly decidedAt: Date | null
  readonly validUntil: Date | null
  readonly failures: number
  readonly fault: string | null
  readonly since: Date
  /** How many invoices wait for it. */
  readonly invoices: bigint
}

/** What is held, refused or without an answer, the longest first; with `address`, that one, in any state. */
export function listScreenings(
  sql: Queryable,
  address: Address | null,
  limit: number,
): Promise<Screening[]> {
  return sql<Screening[]>`
    select address, verdict, decided_by, note, decided_at, valid_until, failures, fault, since,
      (select count(*) from screening_waiter w where w.address = s.address) as invoices
    from screening s
    where case when ${address}::text is null then verdict is distinct from 'allow'
      else address = ${address} end
    order by since, address limit ${limit}`
}

export interface ScreeningFigures {
  /** By the service: its review is pending. */
  readonly held: number
  /** By an operator, for good. */
  readonly refused: number
  readonly unanswered: number
  /** Since when the first of the unanswered ones has waited; null while there is none. */
  readonly oldestAt: Date | null
}

/** How many addresses are held or refused, and how many wait for an answer. */
export async function screeningFigures(sql: Queryable): Promise<ScreeningFigures> {
  const [row] = await sql<ScreeningFigures[]>`
    select count(*) filter (where verdict = 'hold' and decided_by = 'service')::integer as held,
      count(*) filter (where verdict = 'hold' and decided_by = 'operator')::integer as refused,
      count(*) filter (where verdict is null)::integer as unanswered,
      min(since) filter (where verdict is null) as oldest_at
    from screening where verdict is distinct from 'allow'`
  return row ?? { held: 0, refused: 0, unanswered: 0, oldestAt: null }
}

/** Removes some of the answers that have not counted for so many days. Answers how many. */
export async function forgetScreenings(
  database: Database,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await database`
    delete from screening where address in (
      select address from screening s
      where decided_by = 'service' and valid_until < now() - ${days} * interval '1 day'
        and (ask_at is null or verdict = 'hold')
        and not exists (select from screening_waiter w where w.address = s.address)
      limit ${limit})
    returning 1 as one`
  return rows.length
}
