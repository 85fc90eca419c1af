-- An invoice that is ended before its time tells of it by an event, which a worker writes.
alter table invoice_change
  drop constraint invoice_change_cause_check,
  add constraint invoice_change_cause_check
    check (cause in ('observed', 'accepted', 'accepted_partly', 'refund_asked', 'voided'));

create or replace function close_invoice(of_merchant uuid, wanted_id uuid, at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with closed as (
    update invoice set closed_at = at, version = version + 1
    where id = wanted_id and merchant_id = of_merchant
      and closed_at is null and status in ('pending', 'partial')
    returning id
  )
  insert into invoice_change (invoice_id, cause) select id, 'voided' from closed
$$;
