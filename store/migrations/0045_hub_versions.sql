-- Which version of the hub's interface a hub has. Those that were named before this migration have the
-- first one, which nothing here speaks any more.
alter table known_hub add column version smallint not null default 1 check (version >= 1);
alter table known_hub alter column version set default 2;

-- The hubs of an earlier version to which addresses of invoices or merchants belong.
create function outdated_hubs() returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.address::text from known_hub k
  where k.version < 2 and (exists (select from invoice where hub = k.address)
    or exists (select from forwarder where hub = k.address))
  order by k.address
$$;
revoke execute on function outdated_hubs() from public;
select allow('{api, worker}', '{execute}', '{function outdated_hubs()}');
