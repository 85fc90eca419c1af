import type { Address } from '../../core/chain/evm.ts'
import type { HubStop, HubToken, MerchantChange, Proposal } from '../../core/hub/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { readHubStates, readHubTokens, type StoredHub } from './hubStates.ts'

/** What owner and guardian of a hub have done and are about to do, as it was last seen. */

export interface HubGovernance {
  /** Up to which block the hub's news have been read. */
  readonly newsBlock: bigint
  /** Where it differs from the configuration, in sentences. */
  readonly differences: readonly string[]
  readonly stopped: readonly HubStop[]
  readonly proposals: readonly Proposal[]
  readonly changes: readonly MerchantChange[]
}

/** The hubs that this deployment pays through. */
export async function knownHubs(sql: Queryable): Promise<Address[]> {
  const rows = await sql<{ address: Address }[]>`select address from known_hub order by address`
  return rows.map(({ address }) => address)
}

/** What was last seen of a hub; null before the first read. */
export async function readGovernance(
  sql: Queryable,
  networkId: string,
  hub: Address,
): Promise<HubGovernance | null> {
  const [state] = await sql<Pick<HubGovernance, 'newsBlock' | 'differences'>[]>`
    select news_block, differences from hub_state where network_id = ${networkId} and hub = ${hub}`
  if (state === undefined) return null
  const [stopped, proposals, changes] = await Promise.all([
    sql<HubStop[]>`
      select part, since, stopped_by from hub_stop
      where network_id = ${networkId} and hub = ${hub} order by since, part`,
    sql<Proposal[]>`
      select id, call, summary, ready_at from hub_proposal
      where network_id = ${networkId} and hub = ${hub} order by ready_at, id`,
    sql<(Omit<MerchantChange, 'version'> & { version: bigint })[]>`
      select merchant_id, treasury, version, ready_at from hub_change
      where network_id = ${networkId} and hub = ${hub} order by merchant_id`,
  ])
  const numbered = changes.map((change) => ({ ...change, version: Number(change.version) }))
  return { ...state, stopped, proposals, changes: numbered }
}

/** A hub with all that is known of it. */
export interface HubReport extends StoredHub, HubGovernance {
  readonly tokens: readonly HubToken[]
}

/** All hubs that were ever read, on all chains. */
export async function readHubReports(sql: Queryable): Promise<HubReport[]> {
  const states = await readHubStates(sql)
  const reports = states.map(async (state) => {
    const { networkId, hub } = state
    const [tokens, governance] = await Promise.all([
      readHubTokens(sql, networkId, hub),
      readGovernance(sql, networkId, hub),
    ])
    return governance === null ? [] : [{ ...state, ...governance, tokens }]
  })
  return (await Promise.all(reports)).flat()
}

/** Replaces what is known of a hub whose state was just saved. */
export async function saveGovernance(
  sql: Transaction,
  networkId: string,
  hub: Address,
  { newsBlock, differences, stopped, proposals, changes }: HubGovernance,
): Promise<void> {
  await sql`
    update hub_state set news_block = ${newsBlock}, differences = ${[...differences]}::text[]
    where network_id = ${networkId} and hub = ${hub}`
  await sql`delete from hub_stop where network_id = ${networkId} and hub = ${hub}`
  await sql`delete from hub_proposal where network_id = ${networkId} and hub = ${hub}`
  await sql`delete from hub_change where network_id = ${networkId} and hub = ${hub}`
  const place = { networkId, hub }
  for (const stop of stopped) await sql`insert into hub_stop ${sql({ ...place, ...stop })}`
  for (const proposal of proposals) {
    await sql`insert into hub_proposal ${sql({ ...place, ...proposal })}`
  }
  for (const change of changes) await sql`insert into hub_change ${sql({ ...place, ...change })}`
}
