import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/**
 * The hubs that addresses of a table were derived from, in their order. There are few of them among many rows,
 * so that one index lookup per hub replaces a scan.
 */
export async function hubsOf(sql: Queryable, table: 'invoice' | 'forwarder'): Promise<Address[]> {
  const rows = await sql<{ hub: Address }[]>`
    with recursive found as (
      (select hub::text as hub from ${sql(table)} order by hub limit 1)
      union all
      select (select t.hub::text from ${sql(table)} t where t.hub > f.hub order by t.hub limit 1)
      from found f where f.hub is not null
    )
    select hub from found where hub is not null`
  return rows.map(({ hub }) => hub)
}
