import type { Address } from '../../core/chain/evm.ts'
import { isUnfinished } from '../chain/openWork.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { serverOf } from '../database/primary.ts'

/**
 * The keys that send transactions. A worker leases a key for a term and renews it; every new lease
 * raises the fence, so that a worker that overslept its term can't commit anything under the old one.
 */

export type KeyStatus = 'active' | 'draining' | 'no_funds' | 'quarantined'

export interface RelayerKey {
  readonly networkId: string
  readonly address: Address
  readonly leaseOwner: string | null
  readonly isLeased: boolean
  readonly fence: bigint
  /** The account nonce of the next transaction. Never falls while rows are open. */
  readonly nextNonce: bigint
  readonly status: KeyStatus
  /** In wei, as last read; null before the first read. */
  readonly balance: bigint | null
  readonly balanceAt: Date | null
  readonly note: string | null
  /** The database's server that returned the row, by when it began. */
  readonly server: string
}

/** Which key of which chain. */
export type KeyName = Pick<RelayerKey, 'networkId' | 'address'>

/** The proof that a worker holds a key: valid while the row still has this fence. */
export interface Lease extends KeyName {
  readonly workerId: string
  readonly fence: bigint
}

/** Every key of one chain, or of all chains, in the order of their addresses. */
export async function readRelayerKeys(
  sql: Queryable,
  networkId: string | null = null,
): Promise<RelayerKey[]> {
  return sql<RelayerKey[]>`
    select *, lease_until > now() as is_leased, ${serverOf(sql)} as server from relayer_key
    where ${networkId}::text is null or network_id = ${networkId}
    order by network_id, address`
}

/** Adds a key that the table doesn't have yet; its nonces begin with the account's own. */
export async function insertRelayerKey(
  sql: Queryable,
  key: KeyName & Pick<RelayerKey, 'nextNonce'>,
): Promise<void> {
  await sql`
    insert into relayer_key (network_id, address, next_nonce)
    values (${key.networkId}, ${key.address}, ${key.nextNonce})
    on conflict do nothing`
}

/**
 * Leases keys whose term has run out: up to `limit` of those that may send, healthy ones first, and besides
 * them every key with transactions that aren't over. A crashed worker must leave no transaction unattended.
 */
export async function leaseKeys(
  sql: Queryable,
  wanted: {
    networkId: string
    addresses: readonly Address[]
    /** Those of the addresses that the hub lets send. */
    senders: readonly Address[]
    workerId: string
    leaseMs: number
    limit: number
  },
): Promise<Lease[]> {
  const { networkId, workerId } = wanted
  const rows = await sql<{ address: Address; fence: bigint }[]>`
    update relayer_key
    set lease_owner = ${workerId}, lease_until = ${termEnd(sql, wanted.leaseMs)}, fence = fence + 1
    where network_id = ${networkId} and address in (
      select k.address from relayer_key k
      where k.network_id = ${networkId} and k.address = any(${[...wanted.addresses]}::text[])
        and k.lease_until < clock_timestamp()
        and (${hasOpenTransactions(sql)} or k.address in (
          select address from relayer_key
          where network_id = ${networkId} and address = any(${[...wanted.senders]}::text[])
            and lease_until < clock_timestamp()
          order by status <> 'active', address
          limit ${wanted.limit}
        ))
      for update skip locked
    )
    returning address, fence`
  return rows.map(({ address, fence }) => ({ networkId, workerId, address, fence }))
}

/** Those of the leases whose keys have no transaction that isn't over. */
export async function idleLeases(sql: Queryable, leases: readonly Lease[]): Promise<Lease[]> {
  const [first] = leases
  if (!first) return []
  const rows = await sql<{ address: string }[]>`
    select k.address from relayer_key k
    where k.network_id = ${first.networkId}
      and k.address = any(${leases.map((lease) => lease.address)}::text[])
      and not ${hasOpenTransactions(sql)}`
  const idle = new Set(rows.map((row) => row.address))
  return leases.filter((lease) => idle.has(lease.address))
}

/** About a key `k`: something of it is signed, or mined and not final. */
function hasOpenTransactions(sql: Queryable) {
  return sql`exists (
    select from relayer_tx t
    where t.network_id = k.network_id and t.address = k.address
      and ${isUnfinished(sql)})`
}

/** Renews leases; the answer holds those that are still ours. */
export async function renewLeases(
  sql: Queryable,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Lease[]> {
  const renewed = await sql<Pick<Lease, 'networkId' | 'address'>[]>`
    update relayer_key k set lease_until = ${termEnd(sql, leaseMs)}
    from unnest(${leases.map(({ networkId }) => networkId)}::text[],
      ${leases.map(({ address }) => address)}::text[], ${leases.map(({ workerId }) => workerId)}::text[],
      ${leases.map(({ fence }) => String(fence))}::bigint[]) as l (network_id, address, worker_id, fence)
    where k.network_id = l.network_id and k.address = l.address
      and k.lease_owner = l.worker_id and k.fence = l.fence
    returning k.network_id, k.address`
  const names = new Set(renewed.map(({ networkId, address }) => `${networkId} ${address}`))
  return leases.filter(({ networkId, address }) => names.has(`${networkId} ${address}`))
}

/** Gives leases back, so that another worker need not wait for their terms to end. */
export async function releaseKeyLeases(sql: Queryable, leases: readonly Lease[]): Promise<void> {
  for (const lease of leases) {
    await sql`
      update relayer_key set lease_owner = null, lease_until = 'epoch' where ${isHeld(sql, lease)}`
  }
}

/**
 * Locks a key's row for this transaction if the lease is still valid. Null when it is not: the caller must stop
 * using the key. Nothing is signed or committed for a key without this lock.
 */
export async function lockLeasedKey(
  sql: Transaction,
  lease: Lease,
): Promise<{ nextNonce: bigint; status: KeyStatus } | null> {
  const [row] = await sql<{ nextNonce: bigint; status: KeyStatus }[]>`
    select next_nonce, status from relayer_key
    where ${isHeld(sql, lease)} and lease_until > clock_timestamp()
    for update`
  return row ?? null
}

/** Moves on to the next account nonce. Called under the lock of `lockLeasedKey` only. */
export async function takeNonce(sql: Transaction, lease: Lease, nonce: bigint): Promise<void> {
  const rows = await sql`
    update relayer_key set next_nonce = ${nonce + 1n}
    where ${isHeld(sql, lease)} and next_nonce = ${nonce} returning address`
  if (rows.length !== 1) throw new Error(`account nonce ${nonce} of ${lease.address} was taken`)
}

/** Records what the account holds, in wei. */
export async function recordBalance(sql: Queryable, key: KeyName, balance: bigint): Promise<void> {
  await sql`
    update relayer_key set balance = ${balance.toString()}, balance_at = now() where ${isKey(sql, key)}`
}

/** Changes a key's status if it is `from` now, out of quarantine for good; true when it did. */
export async function changeKeyStatus(
  sql: Queryable,
  key: KeyName,
  from: readonly KeyStatus[],
  to: KeyStatus,
  note: string | null,
): Promise<boolean> {
  const rows = await sql`
    update relayer_key set status = ${to}, note = ${note}, quarantine_nonce = null,
      quarantined_from = null
    where ${isKey(sql, key)} and status = any(${[...from]}::text[]) returning address`
  return rows.length > 0
}

/**
 * Takes a key out of service because another sender used this account nonce of it. An operator reactivates it,
 * unless it turns out that the nonce was ours.
 */
export async function quarantineKey(
  sql: Transaction,
  key: KeyName,
  accountNonce: bigint,
  note: string,
): Promise<void> {
  await sql`
    update relayer_key set status = 'quarantined', note = ${note},
      quarantine_nonce = ${accountNonce}, quarantined_from = status
    where ${isKey(sql, key)} and status <> 'quarantined'`
}

/** Stands for a transaction of which the database may have lost that it carries an item. */
const FORGOTTEN = 0

/**
 * Takes all keys of a chain out of service, until an operator reactivates each: the database may have lost
 * what some of them have sent, and what is sent again by another key moves money twice. What waits was perhaps signed
 * for: who asked for it is not told that nothing was begun.
 */
export async function quarantineAll(
  sql: Queryable,
  networkId: string,
  note: string,
): Promise<void> {
  await sql`
    with forgotten as (
      update work_item set carried_by = ${FORGOTTEN}
      where network_id = ${networkId} and state in ('queued', 'held') and carried_by is null)
    update relayer_key set status = 'quarantined', note = ${note}, quarantine_nonce = null,
      quarantined_from = null
    where network_id = ${networkId} and status <> 'quarantined'`
}

/**
 * Records account nonces that another sender used, from `first` up to but not including `next`, where the key
 * resumes. Called under a lock of the key's row only.
 */
export async function recordTakenNonces(
  sql: Transaction,
  key: KeyName,
  first: bigint,
  next: bigint,
): Promise<void> {
  const { networkId, address } = key
  await sql`
    insert into relayer_tx
      (network_id, address, account_nonce, kind, target, calldata, gas_limit, state, confirmed_at)
    select ${networkId}, ${address}, n, 'nonce_taken', ${address}, '0x', 21000, 'nonce_taken', now()
    from generate_series(${first}::bigint, ${next - 1n}::bigint) as n`
  await sql`
    update relayer_key set next_nonce = ${next} where ${isKey(sql, key)} and next_nonce = ${first}`
}

export type Revival =
  /** `taken` is how many account nonces were recorded as another sender's. */
  | { readonly ok: true; readonly taken: bigint }
  /** `undecided`: the chain has yet to decide about transactions. `behind`: it lacks some of ours. */
  | { readonly ok: false; readonly reason: 'not_quarantined' | 'undecided' }
  | { readonly ok: false; readonly reason: 'behind'; readonly nextNonce: bigint }

/**
 * Reactivates a quarantined key, after an operator has made sure that no one else has it. `accountNonce` is the
 * chain's, at its confirmations, where the key resumes.
 */
export async function reactivateKey(
  database: Database,
  key: KeyName,
  accountNonce: bigint,
): Promise<Revival> {
  return database.begin(async (sql): Promise<Revival> => {
    const [row] = await sql<{ nextNonce: bigint; isUndecided: boolean }[]>`
      select k.next_nonce, exists (
        select from relayer_tx t
        where t.network_id = k.network_id and t.address = k.address and (
          t.state = 'signed' or (t.state = 'nonce_taken' and t.confirmed_at is null))) as is_undecided
      from relayer_key k
      where k.network_id = ${key.networkId} and k.address = ${key.address}
        and k.status = 'quarantined'
      for update of k`
    if (!row) return { ok: false, reason: 'not_quarantined' }
    const { nextNonce, isUndecided } = row
    if (isUndecided) return { ok: false, reason: 'undecided' }
    if (accountNonce < nextNonce) return { ok: false, reason: 'behind', nextNonce }
    await recordTakenNonces(sql, key, nextNonce, accountNonce)
    await changeKeyStatus(sql, key, ['quarantined'], 'active', null)
    return { ok: true, taken: accountNonce - nextNonce }
  })
}

function isKey(sql: Queryable, { networkId, address }: KeyName) {
  return sql`network_id = ${networkId} and address = ${address}`
}

function isHeld(sql: Queryable, lease: Lease) {
  return sql`
    ${isKey(sql, lease)} and lease_owner = ${lease.workerId} and fence = ${lease.fence}`
}

function termEnd(sql: Queryable, leaseMs: number) {
  return sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`
}
