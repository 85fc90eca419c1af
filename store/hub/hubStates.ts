import type { Address } from '../../core/chain/evm.ts'
import type { HubState, HubToken } from '../../core/hub/state.ts'
import { type HubPart, isStopped } from '../../core/hub/stops.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/**
 * The last known state of each hub. A process that leads a chain reads it now and then, and all others use
 * its rows: they show what need not be tried, and the hub decides.
 */

export interface StoredHub extends HubState {
  readonly networkId: string
  readonly hub: Address
  readonly seenAt: Date
}

/** The last known state of a hub; null before the first read. */
export async function readHubState(
  sql: Queryable,
  networkId: string,
  hub: Address,
): Promise<StoredHub | null> {
  const [row] = await sql<StoredHub[]>`
    select ${columns(sql)} from hub_state where network_id = ${networkId} and hub = ${hub}`
  return row ?? null
}

/** All hubs of all chains that were ever read. */
export async function readHubStates(sql: Queryable): Promise<StoredHub[]> {
  return sql<StoredHub[]>`select ${columns(sql)} from hub_state order by network_id, hub`
}

/** Those of these hubs a part of which is stopped, as far as is known. */
export async function stoppedHubs(
  sql: Queryable,
  networkId: string,
  part: HubPart,
): Promise<ReadonlySet<Address>> {
  const rows = await sql<{ hub: Address; stops: number }[]>`
    select hub, stops from hub_state where network_id = ${networkId} and stops <> 0`
  return new Set(rows.filter(({ stops }) => isStopped(stops, part)).map(({ hub }) => hub))
}

/** The hubs where this account is not the signer, as far as is known: they refuse its signatures. */
export async function hubsOfOtherSigners(
  sql: Queryable,
  networkId: string,
  role: 'refund_signer' | 'config_signer',
  signer: Address,
): Promise<ReadonlySet<Address>> {
  const rows = await sql<{ hub: Address }[]>`
    select hub from hub_state where network_id = ${networkId} and ${sql(role)} <> ${signer}`
  return new Set(rows.map(({ hub }) => hub))
}

/** The tokens that were last read of a hub. */
export async function readHubTokens(
  sql: Queryable,
  networkId: string,
  hub: Address,
): Promise<HubToken[]> {
  return sql<HubToken[]>`
    select token, is_listed, refund_limit, refund_room from hub_token
    where network_id = ${networkId} and hub = ${hub} order by token`
}

/** Stores a read, unless a later block was seen. Returns what was known before; null when nothing was. */
export async function saveHubState(
  sql: Transaction,
  networkId: string,
  hub: Address,
  state: HubState,
  tokens: readonly HubToken[],
): Promise<{ readonly isNewer: boolean; readonly before: StoredHub | null }> {
  const before = await readHubState(sql, networkId, hub)
  const row = { networkId, hub, ...state }
  const saved = await sql`
    insert into hub_state ${sql(row)}
    on conflict (network_id, hub) do update set
      block = excluded.block, seen_at = now(), stops = excluded.stops, owner = excluded.owner,
      pending_owner = excluded.pending_owner, guardian = excluded.guardian,
      config_signer = excluded.config_signer, refund_signer = excluded.refund_signer,
      fee_collector = excluded.fee_collector, owner_delay = excluded.owner_delay,
      config_delay = excluded.config_delay
    where hub_state.block <= excluded.block
    returning block`
  const isNewer = saved.length > 0
  if (isNewer) await saveTokens(sql, networkId, hub, tokens)
  return { isNewer, before }
}

async function saveTokens(
  sql: Transaction,
  networkId: string,
  hub: Address,
  tokens: readonly HubToken[],
): Promise<void> {
  await sql`
    delete from hub_token where network_id = ${networkId} and hub = ${hub}
      and token <> all(${tokens.map(({ token }) => token)}::text[])`
  if (tokens.length === 0) return
  const rows = tokens.map((token) => ({ networkId, hub, ...token }))
  await sql`
    insert into hub_token ${sql(rows)}
    on conflict (network_id, hub, token) do update set is_listed = excluded.is_listed,
      refund_limit = excluded.refund_limit, refund_room = excluded.refund_room`
}

/** Requests a read of the chain's hubs: a refusal showed that they have changed. */
export async function requestHubRead(sql: Queryable, networkId: string): Promise<void> {
  await sql`
    update chain_state set hub_read_requested_at = date_trunc('milliseconds', clock_timestamp())
    where network_id = ${networkId}`
}

/** Clears the request, unless there is a later one. */
export async function hubReadDone(
  sql: Queryable,
  networkId: string,
  requestedAt: Date | null,
): Promise<void> {
  if (requestedAt === null) return
  await sql`
    update chain_state set hub_read_requested_at = null
    where network_id = ${networkId} and hub_read_requested_at <= ${requestedAt}`
}

function columns(sql: Queryable) {
  return sql`
    network_id, hub, block, seen_at, stops, owner, pending_owner, guardian, config_signer,
    refund_signer, fee_collector, owner_delay, config_delay`
}
