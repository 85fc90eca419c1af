-- What merchants read must not take longer the more the others, or they themselves, ever did.

-- Whose a payment, settlement or refund is, for reports that are driven from them. It is copied from the
-- invoice, by the database, so that the two can't differ.
create function take_merchant_of_invoice() returns trigger language plpgsql as $$
begin
  select i.merchant_id into strict new.merchant_id from invoice i where i.id = new.invoice_id;
  return new;
end $$;

alter table payment add column merchant_id uuid;
update payment p set merchant_id = i.merchant_id from invoice i where i.id = p.invoice_id;
alter table payment alter column merchant_id set not null;
create trigger payment_merchant before insert on payment
  for each row execute function take_merchant_of_invoice();

alter table settlement add column merchant_id uuid;
update settlement s set merchant_id = i.merchant_id from invoice i where i.id = s.invoice_id;
alter table settlement alter column merchant_id set not null;
create trigger settlement_merchant before insert on settlement
  for each row execute function take_merchant_of_invoice();

alter table refund add column merchant_id uuid;
update refund r set merchant_id = i.merchant_id from invoice i where i.id = r.invoice_id;
alter table refund alter column merchant_id set not null;
create trigger refund_merchant before insert on refund
  for each row execute function take_merchant_of_invoice();

-- In the order in which they were first seen, and by when they were confirmed.
create index payment_by_merchant on payment (merchant_id, created_at, id);
create index settlement_by_merchant on settlement (merchant_id, created_at, id);
create index refund_by_merchant on refund (merchant_id, created_at, id);
create index payment_confirmed on payment (merchant_id, confirmed_at) where status = 'confirmed';
create index settlement_confirmed on settlement (merchant_id, confirmed_at)
  where status = 'confirmed';
create index refund_confirmed on refund (merchant_id, confirmed_at) where status = 'confirmed';

-- What counts for nothing and was not given back.
drop index payment_astray;
create index payment_astray on payment (merchant_id, created_at desc, invoice_id, id)
  where kind <> 'counted' and status = 'confirmed' and amount > refunded + refunding;

-- In how many places (chains and tokens) on-time money of an invoice lies that goes nowhere by itself;
-- written whenever the invoice is derived anew, so that they can be counted without adding up payments.
alter table invoice add column held_parts smallint not null default 0;
update invoice i set held_parts = (
  select count(*) from (
    select from payment p
    where p.invoice_id = i.id and p.kind = 'counted' and p.status = 'confirmed'
    group by p.network_id, p.token
    having sum(p.amount - p.refunded - p.refunding) > coalesce((
      select sum(s.amount) from settlement s
      where s.invoice_id = i.id and s.network_id = p.network_id and s.token = p.token
        and s.status <> 'failed'), 0)
  ) part)
where i.settlement_state in ('no_recipient', 'below_gas_threshold', 'failed')
  or i.status = 'partial';
drop index invoice_partial;
create index invoice_held on invoice (merchant_id, coalesce(paid_at, created_at) desc, id)
  include (held_parts, status, expires_at, closed_at) where held_parts > 0;
