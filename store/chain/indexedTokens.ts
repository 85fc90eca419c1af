import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** Which optional tokens of the registry a deployment takes: the hub lists them, and the index follows them. */

export interface TokenPlace {
  readonly networkId: string
  readonly token: Address
}

/** The optional tokens that the index follows, now and later. */
export async function indexedTokens(sql: Queryable): Promise<TokenPlace[]> {
  return sql<TokenPlace[]>`select network_id, token from indexed_token order by network_id, token`
}

/** Notes that the index that readers are shown follows these tokens. */
export async function noteIndexed(sql: Queryable, tokens: readonly TokenPlace[]): Promise<void> {
  for (const { networkId, token } of tokens) {
    await sql`
      insert into indexed_token (network_id, token) values (${networkId}, ${token})
      on conflict do nothing`
  }
}

export interface ListedToken extends TokenPlace {
  readonly isIndexed: boolean
}

/** The tokens that a hub was last seen to list, on all chains. */
export async function listedTokens(sql: Queryable, hub: Address): Promise<ListedToken[]> {
  return sql<ListedToken[]>`
    select network_id, token, i.since is not null as is_indexed
    from hub_token left join indexed_token i using (network_id, token)
    where hub = ${hub} and is_listed order by network_id, token`
}
