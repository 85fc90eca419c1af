-- The moment at which a merchant ends an invoice is that of a process whose clock may lag, or that stood still since.
-- What the ledger had recorded as in time by then stays in time, and so does what is found later in its block or below.
create or replace function close_invoice(of_merchant uuid, wanted_id uuid, at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  -- Statements after it see the payments that were recorded under the lock before.
  select from invoice where id = wanted_id and merchant_id = of_merchant for update;
  with closed as (
    update invoice i set version = version + 1, closed_at = greatest(at, (
        select max(p.block_time) from payment p
        where p.invoice_id = i.id and p.kind = 'counted' and p.status <> 'reverted'))
    where id = wanted_id and merchant_id = of_merchant
      and closed_at is null and status in ('pending', 'partial')
    returning id
  )
  insert into invoice_change (invoice_id, cause) select id, 'voided' from closed
$$;
