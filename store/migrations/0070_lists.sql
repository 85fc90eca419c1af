-- What lists of invoices are narrowed down by has an index, in the order of the list where it can have one.

-- Invoices are counted by their token, too.
lock table invoice in share row exclusive mode;
delete from invoice_tally_change;
delete from invoice_tally;
alter table invoice_tally_change add column token_symbol text not null;
alter table invoice_tally add column token_symbol text not null;
alter table invoice_tally drop constraint invoice_tally_pkey;
alter table invoice_tally add primary key (merchant_id, day, status, token_symbol);
insert into invoice_tally (merchant_id, day, status, token_symbol, invoices)
select merchant_id, (created_at at time zone 'UTC')::date, status, token_symbol, count(*)
from invoice group by 1, 2, 3, 4;
create or replace function tally_new_invoices() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_tally_change (merchant_id, day, status, token_symbol, invoices)
  select merchant_id, (created_at at time zone 'UTC')::date, status, token_symbol, count(*)
  from new_invoice group by 1, 2, 3, 4;
  return null;
end $$;
create or replace function tally_changed_invoice() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_tally_change (merchant_id, day, status, token_symbol, invoices)
  values
    (old.merchant_id, (old.created_at at time zone 'UTC')::date, old.status, old.token_symbol, -1),
    (new.merchant_id, (new.created_at at time zone 'UTC')::date, new.status, new.token_symbol, 1);
  return null;
end $$;

-- A merchant's invoices of one status and token, the newest first, with all that an index says of them.
-- Lists of several are put together of these, so that no other index in the order of lists is needed.
drop index invoice_by_status;
drop index invoice_by_merchant;
create index invoice_by_status on invoice
  (merchant_id, status, token_symbol, created_at desc, id desc)
  include (expires_at, closed_at, amount_expected, paid_at);
create index invoice_by_amount on invoice
  (merchant_id, token_symbol, amount_expected, created_at desc, id desc);
create index invoice_by_payment on invoice (merchant_id, paid_at) where paid_at is not null;

-- Names are compared by their characters' numbers, so that those that begin alike lie together. This
-- makes the index of names anew and leaves the table as it is.
alter table invoice alter column external_ref type external_reference collate "C";

-- The invoices that somebody paid, in the order of lists. The moment is the invoice's, copied like the
-- merchant.
create function take_names_of_invoice() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  select i.merchant_id, i.created_at into strict new.merchant_id, new.invoice_created_at
  from public.invoice i where i.id = new.invoice_id;
  return new;
end $$;
alter table payment add column invoice_created_at timestamptz;
update payment p set invoice_created_at = i.created_at from invoice i where i.id = p.invoice_id;
alter table payment alter column invoice_created_at set not null;
drop trigger payment_merchant on payment;
create trigger payment_merchant before insert on payment
  for each row execute function take_names_of_invoice();
create index payment_by_sender on payment
  (merchant_id, sender, invoice_created_at desc, invoice_id desc);

-- The values in invoices' metadata, by a number for each key with its value. Whoever looks for one
-- compares the value itself, because two may have one number.
create function metadata_term(key text, value text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(value, hashtextextended(key, 0))
$$;
create function metadata_terms(metadata jsonb) returns setof bigint
language sql immutable parallel safe as $$
  select distinct metadata_term(key, metadata ->> key) from jsonb_object_keys(metadata) as key
  where jsonb_typeof(metadata -> key) in ('string', 'number', 'boolean')
$$;
create table invoice_metadata (
  merchant_id uuid not null,
  term bigint not null,
  created_at timestamptz not null,
  invoice_id uuid not null
);
insert into invoice_metadata (merchant_id, term, created_at, invoice_id)
select i.merchant_id, term, i.created_at, i.id from invoice i, metadata_terms(i.metadata) as term
where i.metadata <> '{}';
create index invoice_metadata_listed on invoice_metadata
  (merchant_id, term, created_at desc, invoice_id desc);

select allow('{api}', '{execute}',
  '{"function metadata_term(text, text)", "function metadata_terms(jsonb)"}');
select allow('{api}', '{select, insert}', '{table invoice_metadata}');
select withhold('{worker, notifier, indexer}', '{table invoice_metadata}');
