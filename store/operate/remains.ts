import type { Queryable } from '../database/database.ts'

/** Where a text remains, in any column of the ledger and of users' accounts. */

export interface Remain {
  readonly table: string
  readonly column: string
  readonly rows: number
}

/** Searches every text, list of texts and JSON; case makes no difference. */
export async function findRemains(sql: Queryable, word: string): Promise<Remain[]> {
  const columns = await sql<{ schema: string; table: string; column: string }[]>`
    select c.table_schema as schema, c.table_name as table, c.column_name as column
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('public', 'auth') and t.table_type = 'BASE TABLE'
      and (c.data_type in ('text', 'character varying', 'json', 'jsonb') or c.udt_name = '_text')
    order by 1, 2, 3`
  // JSON has quotation marks and line breaks in another form.
  const escaped = JSON.stringify(word).slice(1, -1).toLowerCase()
  const found: Remain[] = []
  for (const { schema, table, column } of columns) {
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::integer as rows from ${sql.unsafe(`${quoted(schema)}.${quoted(table)}`)}
      where position(${word.toLowerCase()} in lower(${sql.unsafe(quoted(column))}::text)) > 0
        or position(${escaped} in lower(${sql.unsafe(quoted(column))}::text)) > 0`
    const rows = row?.rows ?? 0
    if (rows > 0)
      found.push({ table: schema === 'public' ? table : `${schema}.${table}`, column, rows })
  }
  return found
}

/** The name as in the catalogue, which the driver would otherwise turn into camelCase. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
