import { closeSync, openSync, readSync, statSync } from 'node:fs'
import postgres from 'postgres'

/**
 * The plans of all executed statements of a database: the server writes
 * them to its log, so no statement can be missed.
 */

/** Has every session that begins from now on write the plans of its statements into the server's log. */
export async function logPlans(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const database = sql(new URL(url).pathname.slice(1))
  const settings = {
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
  }
  await sql`load 'auto_explain'`
  await sql`alter database ${database} set session_preload_libraries = 'auto_explain'`
  for (const [name, value] of Object.entries(settings)) {
    await sql.unsafe(`alter database ${JSON.stringify(new URL(url).pathname.slice(1))}
      set ${name} = '${value}'`)
  }
  await sql.end()
}

/** An executed statement. */
export interface Execution {
  readonly text: string
  readonly ms: number
  readonly plan: PlanNode
}

/** A node of a plan as EXPLAIN writes it, with what is looked at here. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Reads the plans that a server has logged since the last call. */
export class PlanLog {
  private read: number

  constructor(private readonly file: string) {
    this.read = statSync(file).size
  }

  /** Statements executed since the last call. */
  take(): Execution[] {
    const text = this.sinceLast().toString()
    // Each entry is a line, and its continuation lines begin with a tab.
    const entries = text.split(/^.*LOG: {2}duration: ([\d.]+) ms {2}plan:$/m)
    const executions: Execution[] = []
    for (let i = 1; i + 1 < entries.length; i += 2) {
      const lines = (entries[i + 1] ?? '').trimStart().split('\n')
      const end = lines.findIndex((line, at) => at > 0 && !line.startsWith('\t'))
      const { 'Query Text': query, Plan: plan } = parse(
        lines.slice(0, end === -1 ? undefined : end),
      )
      executions.push({ text: query.replace(/\s+/g, ' ').trim(), ms: Number(entries[i]), plan })
    }
    return executions
  }

  /** Discards earlier statements. */
  skip(): void {
    this.read = statSync(this.file).size
  }

  /** What the file has that was not looked at: all of it would be read again each time, and soon for seconds. */
  private sinceLast(): Buffer {
    const unread = Buffer.alloc(statSync(this.file).size - this.read)
    const file = openSync(this.file, 'r')
    const count = readSync(file, unread, 0, unread.length, this.read)
    closeSync(file)
    this.read += count
    return unread.subarray(0, count)
  }
}

function parse(lines: readonly string[]): { 'Query Text': string; Plan: PlanNode } {
  return JSON.parse(lines.join('\n').replaceAll('\t', ' '))
}

/** What one execution took, of the tables that grow with history. */
export interface Cost {
  /** Those that were read from one end to the other. */
  readonly scanned: readonly string[]
  readonly rowsRead: number
  readonly rowsReturned: number
  readonly pages: number
}

/** How much one execution read of these tables, beside what it answered or changed. */
export function costOf({ plan }: Execution, tables: ReadonlySet<string>): Cost {
  const scanned = new Set<string>()
  let rowsRead = 0
  let rowsReturned = 0
  const visit = (node: PlanNode) => {
    const loops = node['Actual Loops'] ?? 0
    const rows = (node['Actual Rows'] ?? 0) * loops
    const removed =
      ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * loops
    const table = node['Relation Name'] ?? ''
    if (node['Node Type'] === 'ModifyTable') {
      const changed = node.Plans?.[0]
      rowsReturned += (changed?.['Actual Rows'] ?? 0) * (changed?.['Actual Loops'] ?? 0)
    } else if (tables.has(table)) {
      rowsRead += rows + removed
      if (node['Node Type'] === 'Seq Scan' && loops > 0) scanned.add(table)
    }
    for (const child of node.Plans ?? []) visit(child)
  }
  visit(plan)
  const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  rowsReturned += (plan['Actual Rows'] ?? 0) * (plan['Actual Loops'] ?? 0)
  return { scanned: [...scanned], rowsRead, rowsReturned, pages }
}

/** The most rows that a statement may read to answer with so many. */
export function rowsAllowed(rowsReturned: number): number {
  return 10 * rowsReturned + 100
}

/** The tables that have gathered at least so many rows. Counters by the day are few by their nature. */
export async function longTables(sql: postgres.Sql, rows: number): Promise<ReadonlySet<string>> {
  const found = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and reltuples >= ${rows} and relname !~ '_tally$'
      and relnamespace::regnamespace::text in ('public', 'indexed')`
  return new Set(found.map(({ name }) => name))
}
