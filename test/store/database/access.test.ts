import { describe, expect, test } from 'bun:test'
import {
  lackingRights,
  missingRoles,
  openRole,
  PROCESSES,
  rightsProblems,
  roleNames,
  settleAccess,
  urlOfRole,
} from '../../../store/database/access.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { openAs, roleUrl } from '../../support/servers/roles.ts'
import { forThisFile } from '../../support/store/database.ts'

let sql: Database
let url: string
forThisFile((database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

describe('every object of the schema', () => {
  test('is decided on for each process, column by column', async () => {
    expect(await undecided()).toEqual([])
  })

  test('that no rule names is found', async () => {
    await sql`create table forgotten (id bigint generated always as identity, name text)`
    await sql`alter table webhook_endpoint add column forgotten text`
    await sql`create sequence forgotten_order`
    await sql`create function forget() returns void language sql security definer as ''`
    const found = await undecided()
    for (const process of PROCESSES) {
      expect(found).toContain(`table forgotten, column name: ${process}`)
    }
    expect(found).toContain('table webhook_endpoint, column forgotten: api')
    expect(found).toContain('sequence forgotten_order')
    expect(found).toContain('function forget() has no fixed search_path')
    expect(found).toContain('function forget() is nobody’s')
    await sql`drop table forgotten`
    await sql`drop sequence forgotten_order`
    await sql`drop function forget()`
    await sql`alter table webhook_endpoint drop column forgotten`
  })

  test('can be granted again, as for roles that are created later', async () => {
    expect(await settleAccess(sql)).toEqual([])
    expect(await missingRoles(sql)).toEqual([])
  })
})

/** What says how much goes to whom, and what has become of it. */
const MONEY =
  /(^|_)(to|amount|amounts|receiver|recipient|treasury|status|state|token|asset|hub|fee|payer|source|moved|total|balance|nonce|block_hash|tx_hash|claimed|charged|signature|address|calldata|factory)$|^(pay_to|confirmed_at|settled_at)$/

describe('the API’s role', () => {
  test('may change no receiver, no amount and no state, in whatever table there is', async () => {
    const rows = await sql<{ name: string }[]>`
      select c.relname || '.' || a.attname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped and a.attname ~ ${MONEY.source}
        and has_column_privilege(database_role('api'), c.oid, a.attnum, 'update')
      order by name`
    expect(rows.map(({ name }) => name)).toEqual([
      // What payers wish, which no worker believes; what is shown of rates; answers to repeated requests;
      // emails.
      ...['checkout_session.refund_address', 'fiat_rate.source', 'idempotency_key.status'],
      ...['mail.recipient', 'webhook_delivery.state'],
      // Calls to factories that the worker's own list has to name.
      ...['x402_deployment.calldata', 'x402_deployment.factory'],
      // A price, which payers sign; and what only verify looks at.
      ...['x402_endpoint.amount', 'x402_held.amount', 'x402_held.asset', 'x402_held.payer'],
      ...['x402_hold.amount', 'x402_hold.asset', 'x402_hold.authorization_nonce'],
      'x402_hold.payer',
    ])
  })

  test('may remove nothing but what has served its purpose', async () => {
    const rows = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (has_table_privilege(database_role('api'), c.oid, 'delete')
          or has_table_privilege(database_role('api'), c.oid, 'truncate'))
      order by name`
    expect(rows.map(({ name }) => name)).toEqual([
      ...['api_request', 'hash_lookup', 'idempotency_key', 'mail', 'report_schedule', 'saved_view'],
      ...['webhook_delivery', 'webhook_endpoint', 'x402_former_price', 'x402_held', 'x402_hold'],
    ])
  })

  test('may do nothing to what relayers have, and look at little of it', async () => {
    const rows = await sql<{ name: string }[]>`
      select c.relname || ' ' || p.name as name
      from pg_class c cross join unnest(array['insert', 'update', 'delete', 'truncate']) as p (name)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (c.relname like 'relayer%' or c.relname like 'registry%' or c.relname = 'chain_state')
        and (has_table_privilege(database_role('api'), c.oid, p.name)
          or (p.name in ('insert', 'update')
            and has_any_column_privilege(database_role('api'), c.oid, p.name)))
      order by name`
    expect(rows.map(({ name }) => name)).toEqual([])
  })
})

/**
 * What no one has decided on: columns that a process neither may read nor is told not to, sequences and
 * functions with the owner's rights that no rule names, and functions that anyone may call.
 */
async function undecided(): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    with process as (select unnest(${[...PROCESSES]}::text[]) as name)
    select 'table ' || c.relname || ', column ' || a.attname || ': ' || p.name as what
    from process p
    cross join pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attnum > 0 and not a.attisdropped
      and not has_column_privilege(database_role(p.name), c.oid, a.attnum, 'select')
      and not exists (
        select from access_rule r
        where r.process = p.name and r.object = 'table ' || c.relname and r.privilege = 'nothing'
          and (r.columns = '{}' or a.attname = any(r.columns)))
    union all
    select 'sequence ' || c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
      and not exists (select from access_rule where object = 'sequence ' || c.relname)
      and not exists (select from pg_depend where objid = c.oid and deptype = 'i')
    union all
    select 'function ' || f.oid::regprocedure || problem.text
    from pg_proc f cross join lateral (
      select ' has no fixed search_path' as text
      where not exists (select from unnest(f.proconfig) s where s like 'search_path=%')
      union all
      select ' may be called by anybody'
      where f.proacl is null or exists (select from aclexplode(f.proacl) where grantee = 0)
      union all
      select ' is nobody’s'
      where not exists (select from aclexplode(f.proacl) where grantee <> f.proowner)
        and f.prorettype <> 'trigger'::regtype
    ) problem
    where f.pronamespace = 'public'::regnamespace and f.prosecdef
    order by what`
  return rows.map(({ what }) => what)
}

describe('a process', () => {
  test('may do all it needs by its own role', async () => {
    for (const process of PROCESSES) {
      const own = await openAs(url, process, 1)
      expect(await lackingRights(own, process)).toEqual([])
      await own.end()
      expect(await rightsProblems(await roleUrl(url, process), process)).toEqual([])
    }
  })

  test('with the role of another is told which one is its own', async () => {
    const { notifier, worker } = await roleNames(sql)
    const [problem] = await rightsProblems(await roleUrl(url, 'notifier'), 'worker')
    expect(problem).toContain(`the database role ${notifier} lacks rights that the worker needs`)
    expect(problem).toContain(`connect as ${worker}`)
  })

  test('that the database does not let in is told what to do', async () => {
    await sql`create role shut_out nologin`
    const [problem] = await rightsProblems(urlOfRole(url, 'shut_out', null), 'api')
    expect(problem).toContain('the database refuses the role of the api')
    expect(problem).toContain('bun run remit database roles')
    await openRole(sql, 'shut_out', "it's secret")
    const [more] = await rightsProblems(urlOfRole(url, 'shut_out', null), 'api')
    expect(more).toContain('permission denied')
    await sql`drop role shut_out`
  })

  test('starts while the database is away, or empty', async () => {
    expect(await rightsProblems('postgres://x@127.0.0.1:1/x', 'worker')).toEqual([])
  })
})

describe('an owner who is no superuser', () => {
  test('and may create roles needs no one else', async () => {
    const { database, drop } = await ledgerOf('able', 'createrole')
    expect(await missingRoles(database)).toEqual([])
    await database`create schema indexed`
    await database`create table indexed.transfer (id bigint)`
    expect(await settleAccess(database)).toEqual([])
    const [table] = await database<{ owner: string; isShared: boolean }[]>`
      select relowner::regrole::text as owner,
        has_table_privilege(database_role('api'), oid, 'select') as is_shared
      from pg_class where oid = 'indexed.transfer'::regclass`
    expect(table).toEqual({ owner: 'able_ledger_indexer', isShared: true })
    await drop()
  })

  test('and may not has the schema all the same, and is told what is missing', async () => {
    const { database, drop } = await ledgerOf('modest', 'nocreaterole')
    const names = await roleNames(database)
    const roles = Object.values(names)
    expect(await missingRoles(database)).toEqual(roles.toSorted())
    expect(await settleAccess(database)).toEqual(roles)
    for (const process of PROCESSES) expect(await lackingRights(database, process)).toEqual([])
    // An administrator creates them, and the rules are carried out then.
    for (const role of roles) await sql`create role ${sql(role)}`
    await sql`grant ${sql(names.notifier)} to ${sql(names.worker)}`
    await sql`grant ${sql(names.indexer)} to modest`
    expect(await settleAccess(database)).toEqual([])
    await openRole(sql, names.api, null)
    const api = openDatabase(urlOfRole(urlOf('modest'), names.api, null), {
      name: 'test',
      poolSize: 1,
    })
    expect(await lackingRights(api, 'api')).toEqual([])
    await api.end()
    await drop()
  })
})

function urlOf(owner: string): string {
  const theirs = new URL(urlOfRole(url, owner, null))
  theirs.pathname = `/${owner}_ledger`
  return theirs.href
}

/** A database with the schema that belongs to a new user. */
async function ledgerOf(owner: string, may: 'createrole' | 'nocreaterole') {
  await sql.unsafe(`create role ${owner} login ${may}`)
  await sql`create database ${sql(`${owner}_ledger`)} owner ${sql(owner)}`
  const database = openDatabase(urlOf(owner), { name: 'test', poolSize: 1 })
  await migrate(database)
  const drop = async () => {
    const roles = Object.values(await roleNames(database))
    await database.end()
    await sql`drop database ${sql(`${owner}_ledger`)} with (force)`
    for (const role of [...roles, owner]) await sql`drop role ${sql(role)}`
  }
  return { database, drop }
}
