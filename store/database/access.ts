import { changeUrl } from '../../core/base/databaseUrl.ts'
import { type Database, isRefusal, openDatabase, type Queryable } from './database.ts'

/**
 * What each process may do in the database. Roles and rules are the schema's (schema/01_base.sql); here is
 * how the roles are opened, and how a process finds out that it has the wrong one.
 */

export const PROCESSES = ['api', 'worker', 'notifier', 'indexer'] as const
/** A process with a role of its own. The operator's commands work with the rights of the owner. */
export type Process = (typeof PROCESSES)[number]

/** The name of each process's role, e.g. `remit_api`. */
export async function roleNames(sql: Queryable): Promise<Readonly<Record<Process, string>>> {
  const [row] = await sql<Record<Process, string>[]>`
    select database_role('api') as api, database_role('worker') as worker,
      database_role('notifier') as notifier, database_role('indexer') as indexer`
  if (!row) throw new Error('the database names no roles')
  return row
}

/**
 * Creates the roles that are missing and grants each its rights of the schema. Returns those that this user
 * may not create.
 */
export async function settleAccess(sql: Queryable): Promise<readonly string[]> {
  const [row] = await sql<{ missing: string[] }[]>`select settle_access() as missing`
  return row?.missing ?? []
}

/** The roles that the database lacks; none without a schema. */
export async function missingRoles(sql: Queryable): Promise<readonly string[]> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('access_rule') is not null as exists`
  if (!table?.exists) return []
  const names = Object.values(await roleNames(sql))
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${names}::text[]) name
    where not exists (select from pg_roles where rolname = name) order by name`
  return rows.map(({ name }) => name)
}

/** Lets a role log in, with this password, or with none where the server trusts its users. */
export async function openRole(
  sql: Queryable,
  role: string,
  password: string | null,
): Promise<void> {
  // Neither names nor passwords can be parameters of this statement.
  const [row] = await sql<{ statement: string }[]>`
    select format('alter role %I login password %L', ${role}::text, ${password}::text) as statement`
  await sql.unsafe(row?.statement ?? '')
}

/** The same database by another role. */
export function urlOfRole(databaseUrl: string, role: string, password: string | null): string {
  const changed = changeUrl(databaseUrl, (url) => {
    url.username = encodeURIComponent(role)
    url.password = encodeURIComponent(password ?? '')
  })
  if (changed === null) throw new Error('this is no URL of Postgres')
  return changed
}

/**
 * What the role of this connection lacks for the work of a process, in sentences for the operator; empty
 * when it may do everything it has to.
 */
export async function lackingRights(sql: Queryable, process: Process): Promise<readonly string[]> {
  const [row] = await sql<{ role: string; rightful: string; lacks: string[] | null }[]>`
    select current_user::text as role, database_role(${process})::text as rightful,
      array_agg(r.privilege || ' on ' || r.object order by r.object) as lacks
    from access_rule r
    where r.process = ${process} and not case
      when r.privilege = 'nothing' then true
      when r.object = 'database'
        then has_database_privilege(current_user, current_database(), r.privilege)
      when r.object like 'schema %'
        then has_schema_privilege(current_user, substr(r.object, 8), r.privilege)
      when r.object like 'function %'
        then has_function_privilege(current_user, substr(r.object, 10), r.privilege)
      when r.object like 'sequence %'
        then has_sequence_privilege(current_user, substr(r.object, 10), r.privilege)
      when r.columns = '{}' then has_table_privilege(current_user, substr(r.object, 7), r.privilege)
      else (select bool_and(
        has_column_privilege(current_user, substr(r.object, 7), c, r.privilege))
        from unnest(r.columns) c) end`
  const { role, rightful, lacks } = row ?? {}
  if (!lacks || lacks.length === 0) return []
  const more = lacks.length > 3 ? ` and ${lacks.length - 3} more` : ''
  return [
    `the database role ${role} lacks rights that the ${process} needs (${lacks.slice(0, 3).join('; ')}${more}): ` +
      `connect as ${rightful}, whose rights \`bun run remit database roles\` settles`,
  ]
}

/**
 * The same for a process that is about to start, which may also find that the database doesn't let its role
 * in. Empty while the database is unavailable, or has no schema yet: other checks report that, and it passes.
 */
export async function rightsProblems(
  databaseUrl: string,
  process: Process,
): Promise<readonly string[]> {
  const database = openDatabase(databaseUrl, { name: `remit-${process}-rights`, poolSize: 1 })
  try {
    return await lackingRights(database, process)
  } catch (error) {
    if (!isRefusal(error)) return []
    const reason = error instanceof Error ? error.message : String(error)
    return [
      `the database refuses the role of the ${process} (${reason}): \`bun run remit database roles\` lets it in, and settles its rights`,
    ]
  } finally {
    await database.end({ timeout: 1 })
  }
}

/** Whether this connection may change what relayers send, as only workers and the owner may. */
export async function mayTouchRelayers(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ mayTouch: boolean }[]>`
    select has_table_privilege(current_user, 'relayer_tx', 'update') as may_touch`
  return row?.mayTouch ?? false
}

/** The URL of each process in a database whose server trusts its users, or with these passwords. */
export async function openRoles(
  database: Database,
  databaseUrl: string,
  passwordOf: (process: Process) => string | null,
): Promise<Readonly<Record<Process, string>>> {
  const names = await roleNames(database)
  const urls = { api: '', worker: '', notifier: '', indexer: '' }
  for (const process of PROCESSES) {
    const password = passwordOf(process)
    await openRole(database, names[process], password)
    urls[process] = urlOfRole(databaseUrl, names[process], password)
  }
  return urls
}
