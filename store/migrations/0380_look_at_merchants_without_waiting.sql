-- Reads a merchant and keeps it as it is until the transaction ends; none while another transaction changes it. Waiting for
-- that one, a transaction with the locks of several invoices could deadlock with it.
create function try_lock_merchant(wanted_id uuid) returns setof merchant
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from merchant where id = wanted_id for share skip locked
$$;
select allow('{worker}', '{execute}', '{function try_lock_merchant(uuid)}');
