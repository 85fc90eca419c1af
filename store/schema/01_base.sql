-- The schema, a file for each subject, in the order in which they are applied to an empty database. What
-- changes later is in ../migrations. This file: domains, the roles of the processes and what they may do,
-- rates, traces.
--
-- Amounts are base units (the token's smallest unit) in numeric(78, 0), wide enough for any uint256. Addresses
-- and hashes are hexadecimal text in lower case. Chains are named by their registry id ("base", "sepolia"). Ids
-- are UUIDv7, which grow with time. Moments are timestamptz and mean our clock, unless a comment says that they
-- are the chain's.
--
-- A check of one column that invoices or payments have is a domain: Postgres keeps a domain's check ready, but
-- prepares a table's checks for every statement, which made up a quarter of the cost of an invoice.

-- 20 bytes. The form of the check matters: a regular expression takes three times as long.
create domain evm_address as text
  check (octet_length(value) = 42 and rtrim(value, '0123456789abcdef') = '0x');

-- 32 bytes.
create domain evm_hash as text
  check (octet_length(value) = 66 and rtrim(value, '0123456789abcdef') = '0x');

create domain base_units as numeric(78, 0) check (value >= 0);

create domain positive_units as numeric(78, 0) check (value > 0);

-- A merchant's own name for something.
create domain external_reference as text check (length(value) between 1 and 255);

-- Functions belong to no role until `allow` gives them to one: some of them act with the rights of the owner.
alter default privileges revoke execute on functions from public;

-- Each process has a role, named after the database because roles belong to the whole server: remit_api,
-- remit_worker, remit_notifier and remit_indexer in a database "remit". They can't log in until `remit database
-- roles` lets them. The names stay what they were at first, also in a database that was copied or renamed.
do $$
begin
  execute format(
    'create function database_role(process text) returns name language sql immutable as '
    '$f$ select (%L || ''_'' || process)::name $f$', left(current_database(), 54));
end $$;

-- What each process may do with each object, kept so that it can be granted again to roles that are created
-- later. Every table, sequence and function is decided on where it is created: `allow` says what a process may
-- do, `withhold` what it may not read. A test finds what is undecided.
create table access_rule (
  process text not null check (process in ('api', 'worker', 'notifier', 'indexer')),
  -- As grant has it, e.g. "table invoice" or "function close_invoice(uuid)"; "database" is this one.
  object text not null,
  privilege text not null check (
    privilege in ('select', 'insert', 'update', 'delete', 'usage', 'create', 'execute', 'nothing')),
  -- Empty for the whole object.
  columns text[] not null default '{}',
  primary key (process, object, privilege)
);

-- Grants what a rule says, if the role exists.
create function carry_out(rule access_rule) returns void language plpgsql as $$
declare
  columns text := (select '(' || string_agg(quote_ident(c), ', ') || ')' from unnest(rule.columns) c);
  object text := case rule.object when 'database' then format('database %I', current_database())
    else rule.object end;
begin
  if rule.privilege = 'nothing' or to_regrole(quote_ident(database_role(rule.process))) is null then
    return;
  end if;
  execute format('grant %s %s on %s to %I', rule.privilege, columns, object,
    database_role(rule.process));
end $$;

-- Lets processes do this with each of the objects, or with these columns of it.
create function allow(processes text[], privileges text[], objects text[], of_columns text[] default '{}')
returns void language plpgsql as $$
declare
  rule access_rule;
begin
  for rule in
    insert into access_rule (process, object, privilege, columns)
    select p, o, v, of_columns
    from unnest(processes) p, unnest(privileges) v, unnest(objects) o
    on conflict (process, object, privilege) do update set columns = case
      when access_rule.columns = '{}' or excluded.columns = '{}' then '{}'
      else access_rule.columns || excluded.columns end
    returning *
  loop
    perform carry_out(rule);
  end loop;
end $$;

-- Says that processes read nothing of the objects, or none of these columns.
create function withhold(processes text[], objects text[], of_columns text[] default '{}')
returns void language sql as $$
  insert into access_rule (process, object, privilege, columns)
  select p, o, 'nothing', of_columns from unnest(processes) p, unnest(objects) o
  on conflict (process, object, privilege) do update set columns =
    access_rule.columns || excluded.columns
$$;
select allow('{api, worker, notifier, indexer}', '{execute}', '{function database_role(text)}');
select allow('{api, worker, notifier, indexer}', '{select}', '{table access_rule}');
select allow('{api, worker, notifier, indexer}', '{select}', '{table migration}');
-- For its own schemas.
select allow('{indexer}', '{create}', '{database}');

-- What the indexer creates at run time is its own, and others read it. What an indexer with the owner's rights
-- has left in its schemas becomes the role's.
create function share_index() returns void language plpgsql as $$
declare
  indexer name := database_role('indexer');
  statement text;
begin
  -- A migrating user that is no superuser must belong to a role to give it anything.
  if not pg_has_role(current_user, indexer, 'usage') then
    execute format('grant %I to %I', indexer, current_user);
  end if;
  execute format('alter default privileges for role %I grant usage on schemas to %I, %I',
    indexer, database_role('api'), database_role('worker'));
  execute format('alter default privileges for role %I grant select on tables to %I, %I',
    indexer, database_role('api'), database_role('worker'));
  for statement in
    with own as (
      select oid, nspname, nspowner from pg_namespace
      where starts_with(nspname, 'deploy_') or nspname in ('ponder_sync', 'indexed')
    )
    select format('alter schema %I owner to %I', nspname, indexer)
    from own where nspowner <> indexer::regrole
    union all
    select format('grant usage on schema %I to %I, %I', nspname, database_role('api'),
      database_role('worker'))
    from own where nspname = 'indexed'
    union all
    select format('alter %s %I.%I owner to %I', case c.relkind
      when 'v' then 'view' when 'S' then 'sequence' else 'table' end, nspname, c.relname, indexer)
    from own join pg_class c on c.relnamespace = own.oid
    where c.relkind in ('r', 'p', 'v', 'S') and c.relowner <> indexer::regrole
      -- The sequence of an identity column follows its table.
      and not exists (select from pg_depend d
        where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to %I', p.oid::regprocedure, indexer)
    from own join pg_proc p on p.pronamespace = own.oid where p.proowner <> indexer::regrole
    union all
    select format('grant select on %I.%I to %I, %I', nspname, c.relname, database_role('api'),
      database_role('worker'))
    from own join pg_class c on c.relnamespace = own.oid
    where nspname = 'indexed' and c.relkind in ('r', 'v')
  loop
    execute statement;
  end loop;
end $$;

-- Creates the roles that are missing and carries out all rules. Returns the roles that this user may not
-- create; while there are any, every process works with the rights of the owner.
create function settle_access() returns text[] language plpgsql as $$
declare
  missing text[] := '{}';
  process text;
  rule access_rule;
begin
  foreach process in array array['api', 'worker', 'notifier', 'indexer'] loop
    if to_regrole(quote_ident(database_role(process))) is null then
      begin
        execute format('create role %I nologin', database_role(process));
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then missing := missing || database_role(process)::text;
      end;
    end if;
  end loop;
  for rule in select * from access_rule order by object loop
    perform carry_out(rule);
  end loop;
  if missing = '{}' then
    -- A worker sends webhooks, too, unless it is configured to follow one chain only.
    if not pg_has_role(database_role('worker'), database_role('notifier'), 'usage') then
      execute format('grant %I to %I', database_role('notifier'), database_role('worker'));
    end if;
    perform share_index();
  end if;
  return missing;
end $$;
select settle_access();

-- The newest accepted rate of each pair of currencies, from the operator's source.
create table fiat_rate (
  -- EUR/USD: how many dollars one euro is worth.
  pair text primary key check (pair ~ '^[A-Z]{3}/[A-Z]{3}$'),
  rate text not null check (rate ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  -- The moment that the source gives for it.
  at timestamptz not null,
  source text not null,
  -- The rate of about a day ago, from which new ones must not be too far.
  anchor text not null check (anchor ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  anchored_at timestamptz not null,
  -- The newest rate that was too far from it, and since when they are; null once one is near again.
  refused text check (refused ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  refused_since timestamptz,
  check ((refused is null) = (refused_since is null))
);
select allow('{api}', '{select, insert, update}', '{table fiat_rate}');
select withhold('{worker, notifier, indexer}', '{table fiat_rate}');

-- The span in which an object was requested, so that workers and notifiers continue its trace. Has rows only
-- where spans are sent to a collector, and none older than a week.
create table trace_context (
  -- An invoice, a refund or an x402 payment.
  object_id uuid primary key,
  trace_id text not null check (trace_id ~ '^[0-9a-f]{32}$'),
  span_id text not null check (span_id ~ '^[0-9a-f]{16}$'),
  at timestamptz not null default now()
);
create index trace_context_old on trace_context (at);
select allow('{api}', '{select, insert}', '{table trace_context}');
select allow('{worker}', '{select}', '{table trace_context}');
select allow('{notifier}', '{select, delete}', '{table trace_context}');
select withhold('{indexer}', '{table trace_context}');
