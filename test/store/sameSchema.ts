import type { Database } from '../../store/database.ts'

/** The catalogue of a database as sorted lines: what two ways of making one schema are compared by. */

/** Code without its comments and its layout. */
function code(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/current_timestamp/gi, 'now()')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      /ARRAY\[([^[\]]*)\]/g,
      (_, list: string) => `ARRAY[${list.split(', ').sort().join(', ')}]`,
    )
    .replaceAll(/\( /g, '(')
    .replaceAll(/ \)/g, ')')
    .trim()
}

const OWN = `('public'::regnamespace, 'auth'::regnamespace)`

const QUERIES: Readonly<Record<string, string>> = {
  domain: `select t.typname || ' ' || format_type(t.typbasetype, t.typtypmod) || ' ' || coalesce(
      (select string_agg(replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''), ' ' order by c.conname)
       from pg_constraint c where c.contypid = t.oid), '') as line
    from pg_type t where t.typtype = 'd' and t.typnamespace in ${OWN}`,
  relation: `select c.oid::regclass || ' ' || c.relkind::text || c.relpersistence::text || ' '
      || pg_get_userbyid(c.relowner) || ' ' || coalesce(c.reloptions::text, '') as line
    from pg_class c where c.relnamespace in ${OWN} and c.relkind in ('r', 'v', 'S')`,
  column: `select c.oid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attidentity::text || a.attgenerated::text
      || case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end
      as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace in ${OWN} and c.relkind in ('r', 'v')`,
  constraint: `select c.conrelid::regclass || ' ' || c.contype::text
      || case when c.contype in ('p', 'u', 'f') then ' ' || c.conname::text else '' end
      || ' ' || replace(pg_get_constraintdef(c.oid), ' NOT VALID', '') as line
    from pg_constraint c where c.connamespace in ${OWN} and c.conrelid <> 0 and c.contype <> 'n'`,
  index: `select pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid as line
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace in ${OWN}`,
  sequence: `select s.seqrelid::regclass || ' ' || s.seqtypid::regtype || ' ' || s.seqstart || ' ' || s.seqcache
      as line from pg_sequence s join pg_class c on c.oid = s.seqrelid where c.relnamespace in ${OWN}`,
  trigger: `select pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace in ${OWN} and not t.tgisinternal`,
  function: `select p.oid::regprocedure || ' (' || pg_get_function_arguments(p.oid) || ') returns '
      || pg_get_function_result(p.oid) || ' ' || l.lanname || ' ' || p.prosecdef || p.provolatile::text
      || p.proparallel::text || p.proisstrict || ' ' || coalesce(p.proconfig::text, '') || ' '
      || pg_get_userbyid(p.proowner) || ' ' || p.prosrc as line
    from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace in ${OWN}`,
  view: `select c.oid::regclass || ' ' || pg_get_viewdef(c.oid) as line
    from pg_class c where c.relnamespace in ${OWN} and c.relkind = 'v'`,
  right: `select c.oid::regclass || ' ' || a.privilege_type || ' to ' || a.grantee::regrole as line
    from pg_class c cross join lateral aclexplode(c.relacl) a
    where c.relnamespace in ${OWN} and a.grantee <> c.relowner`,
  'column right': `select c.oid::regclass || '.' || b.attname || ' ' || a.privilege_type || ' to '
      || a.grantee::regrole as line
    from pg_class c join pg_attribute b on b.attrelid = c.oid cross join lateral aclexplode(b.attacl) a
    where c.relnamespace in ${OWN}`,
  'function right': `select p.oid::regprocedure || ' ' || a.privilege_type || ' to '
      || case a.grantee when 0 then 'public' else a.grantee::regrole::text end as line
    from pg_proc p cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where p.pronamespace in ${OWN} and a.grantee <> p.proowner`,
  'schema right': `select n.nspname || ' ' || a.privilege_type || ' to '
      || case a.grantee when 0 then 'public' else a.grantee::regrole::text end as line
    from pg_namespace n cross join lateral aclexplode(n.nspacl) a where n.oid in ${OWN}`,
  'database right': `select a.privilege_type || ' to '
      || case a.grantee when 0 then 'public' else a.grantee::regrole::text end as line
    from pg_database d cross join lateral aclexplode(d.datacl) a where d.datname = current_database()`,
  'default right': `select coalesce(pg_get_userbyid(d.defaclrole), '') || ' ' || d.defaclobjtype::text || ' '
      || d.defaclacl::text as line from pg_default_acl d`,
  member: `select roleid::regrole || ' has ' || member::regrole as line from pg_auth_members
    where roleid::regrole::text like current_database() || '%'`,
  rule: `select r.process || ' ' || r.privilege || ' ' || r.object || ' '
      || coalesce((select string_agg(distinct c, ',' order by c) from unnest(r.columns) c
        where r.privilege <> 'nothing' or not exists (select from access_rule o
          where o.process = r.process and o.object = r.object and o.privilege = 'select'
            and (c = any (o.columns)))), '') as line
    from access_rule r`,
}

export async function catalogue(database: Database): Promise<string[]> {
  const lines: string[] = []
  const [own] = await database<{ name: string }[]>`select current_database() as name`
  for (const [kind, query] of Object.entries(QUERIES)) {
    const rows = await database.unsafe<{ line: string }[]>(query)
    for (const { line } of rows) {
      lines.push(`${kind}: ${code(line.replaceAll(own?.name ?? '', 'remit'))}`)
    }
  }
  const tables = await database<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'auth'::regnamespace)`
  for (const { name } of tables) {
    if (['migration', 'access_rule'].includes(name)) continue
    const rows = await database.unsafe<{ count: bigint }[]>(`select count(*) from ${name}`)
    lines.push(`rows: ${name} ${rows[0]?.count}`)
  }
  return lines.sort()
}
