-- How many invoices a merchant has, by the day (UTC) of their creation and by status: exact, and in the
-- same transaction as the invoices. A counter for each would have all of a merchant's creations wait for one
-- another, so that changes are written down beside it and added up every few seconds.
create table invoice_tally (
  merchant_id uuid not null,
  day date not null,
  status invoice_status not null,
  invoices bigint not null,
  primary key (merchant_id, day, status)
);
create table invoice_tally_change (
  id bigint generated always as identity primary key,
  merchant_id uuid not null,
  day date not null,
  status invoice_status not null,
  invoices integer not null
);
create index invoice_tally_change_by_merchant on invoice_tally_change (merchant_id);

-- By the owner's rights: whoever may create invoices need not be able to write counters.
create function tally_new_invoices() returns trigger language plpgsql
security definer set search_path from current as $$
begin
  insert into invoice_tally_change (merchant_id, day, status, invoices)
  select merchant_id, (created_at at time zone 'UTC')::date, status, count(*)
  from new_invoice group by 1, 2, 3;
  return null;
end $$;
create trigger invoice_created after insert on invoice referencing new table as new_invoice
  for each statement execute function tally_new_invoices();

create function tally_changed_invoice() returns trigger language plpgsql
security definer set search_path from current as $$
begin
  insert into invoice_tally_change (merchant_id, day, status, invoices)
  values
    (old.merchant_id, (old.created_at at time zone 'UTC')::date, old.status, -1),
    (new.merchant_id, (new.created_at at time zone 'UTC')::date, new.status, 1);
  return null;
end $$;
create trigger invoice_moved_on after update of status on invoice for each row
  when (old.status <> new.status) execute function tally_changed_invoice();

insert into invoice_tally (merchant_id, day, status, invoices)
select merchant_id, (created_at at time zone 'UTC')::date, status, count(*)
from invoice group by 1, 2, 3;

-- A merchant's invoices of one status, the newest first; the deadlines say which have expired.
create index invoice_by_status on invoice (merchant_id, status, created_at desc, id desc)
  include (expires_at, closed_at);
