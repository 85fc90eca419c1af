-- Refunds of x402 payments, out of what a merchant's forwarder holds and has not paid out. They are rows of
-- `refund`: one sequence of order numbers, one limit of the hub, and one rule for a second person hold for both kinds.
alter table x402_payment
  -- What refunds have brought back, and what is promised to refunds on their way, in base units.
  add column refunded numeric(78, 0) not null default 0,
  add column refunding numeric(78, 0) not null default 0,
  add constraint x402_payment_refunds
    check (refunded >= 0 and refunding >= 0) not valid;

alter table refund
  alter column invoice_id drop not null,
  add column x402_payment_id uuid references x402_payment (id),
  -- Of an x402 refund: its place in its block, and the payout that found the forwarder without its money.
  add column log_index integer,
  add column distribution_id uuid,
  add constraint refund_subject check ((invoice_id is null) <> (x402_payment_id is null)) not valid,
  add constraint refund_x402_place check (
    x402_payment_id is null or (status in ('mined', 'confirmed')) = (log_index is not null)) not valid;

drop trigger refund_merchant on refund;
create trigger refund_merchant before insert on refund for each row
  when (new.invoice_id is not null) execute function take_merchant_of_invoice();

-- One more kind of work.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint
    where conname = 'work_item_kind_check');
begin
  alter table work_item drop constraint work_item_kind_check;
  execute 'alter table work_item add constraint work_item_kind_check '
    || replace(kinds, '''configure''::text', '''configure''::text, ''x402_refund''::text');
end $$;

-- Summed apart from what came out of deposits.
create or replace function tally_refund() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_type text := case when new.x402_payment_id is null then 'refund' else 'x402_refund' end;
begin
  if tg_op = 'UPDATE' and old.status = 'confirmed' then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.token, of_type,
      -1, old.amount, 0);
  end if;
  if new.status = 'confirmed' then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.token, of_type,
      1, new.amount, 0);
  end if;
  return null;
end $$;

-- Waits for everybody who signs a payout of the merchant's forwarders just now, and has the next one wait: whoever
-- signs one shares this lock, and looks for refunds that are on their way under it.
create function lock_payouts(of_merchant uuid) returns void language sql
set search_path = pg_catalog, public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('payout ' || of_merchant, 0))
$$;
create function share_payouts(of_merchants uuid[]) returns void language sql
set search_path = pg_catalog, public, pg_temp as $$
  select pg_advisory_xact_lock_shared(hashtextextended('payout ' || m, 0))
  from (select distinct unnest(of_merchants) as m order by 1) as sorted
$$;

-- A refund goes to who has paid, unless the operator lets the merchant name others, and is no more than what is left of
-- the payment, which must be in the merchant's forwarder. Its time is that at which no payout is being signed.
create function ask_for_x402_refund(
  new_id uuid, of_merchant uuid, of_payment uuid, key text, of_amount numeric, to_recipient text
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  paid x402_payment;
begin
  perform lock_payouts(of_merchant);
  update x402_payment p set refunding = p.refunding + of_amount
  from merchant m, forwarder f
  where p.id = of_payment and p.merchant_id = of_merchant and m.id = of_merchant
    and f.merchant_id = of_merchant and f.address = p.pay_to
    and p.status = 'settled' and p.confirmed_at is not null and p.distribution_id is null
    and not p.direct and not p.from_channels
    and of_amount > 0 and of_amount <= p.amount - p.refunded - p.refunding
    and (p.payer = to_recipient or m.refunds_any)
  returning p.* into paid;
  if not found then
    raise exception 'refund % is not covered by payment %', new_id, of_payment;
  end if;
  insert into refund (id, merchant_id, x402_payment_id, idempotency_key, network_id, token, amount,
    recipient, version, created_at)
  values (new_id, of_merchant, of_payment, key, paid.network_id, paid.asset, of_amount,
    to_recipient, 2, clock_timestamp());
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (paid.network_id, 'x402_refund', 'refund:' || new_id,
    jsonb_build_object('refundId', new_id));
end $$;

-- Has a refund that was just asked for wait for an approval.
create or replace function hold_refund(of_refund uuid, by_actor text, by_id text, by_name text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_merchant uuid;
  operation text;
  until timestamptz;
begin
  select merchant_id, case when x402_payment_id is null then 'createRefund' else 'createX402Refund' end
  into strict of_merchant, operation
  from refund where id = of_refund and status = 'open';
  if not has_open_entry(of_merchant, by_actor, by_id, operation) then
    raise exception 'nobody has asked for this refund' using errcode = '42501';
  end if;
  insert into approval_request (id, merchant_id, kind, refund_id, actor, actor_id, actor_name, needed)
  values (gen_random_uuid(), of_merchant, 'refund', of_refund, by_actor, by_id, by_name,
    case by_actor when 'person' then 1 else 2 end)
  returning expires_at into until;
  update work_item set not_before = until where dedupe_key = 'refund:' || of_refund and state = 'queued';
end $$;

create or replace view seen_refund as
  select id, merchant_id, invoice_id, network_id, token, amount, recipient, tx_hash, block_number,
    created_at, confirmed_at, status, order_number, x402_payment_id
  from refund where is_seen(merchant_id);

select allow('{api}', '{execute}', array[
  'function lock_payouts(uuid)',
  'function ask_for_x402_refund(uuid, uuid, uuid, text, numeric, text)']);
select allow('{worker}', '{execute}', '{function share_payouts(uuid[])}');
