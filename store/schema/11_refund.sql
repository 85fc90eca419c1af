-- Refunds: of invoices out of their deposits, of x402 payments out of forwarders, and those that merchants send
-- themselves.

-- A refund that the hub pays by an order of the refund key: of an invoice, out of its deposit, or of an x402
-- payment, out of what the merchant's forwarder has not paid out. One sequence of order numbers, one limit of
-- the hub and one rule of dual approval hold for both.
create table refund (
  id uuid primary key,
  -- One of the two.
  invoice_id uuid references invoice (id),
  x402_payment_id uuid references x402_payment (id),
  -- Of an invoice copied from it by a trigger; null never.
  merchant_id uuid not null,
  idempotency_key external_reference not null,
  network_id text not null,
  token evm_address not null,
  amount positive_units not null,
  recipient evm_address not null,
  -- The payment that the merchant named; null for on-time money as a whole.
  payment_id uuid references payment (id),

  -- open: promised; mined: seen on-chain; confirmed: at the chain's depth; failed: can't be carried out any
  -- more.
  status text not null default 'open' check (status in ('open', 'mined', 'confirmed', 'failed')),
  error text,
  -- Why it is not signed or carried out yet, and since when; null while nothing is in its way.
  waiting_for text check (waiting_for in ('refund_limit', 'owner_approval', 'stopped')),
  waiting_since timestamptz,

  -- The order that is signed, stored before it is. The number under which the hub spends it: one that the hub
  -- has spent for something else is replaced.
  order_number bigint check (order_number > 0),
  -- What may still be charged on the deposit, if this refund is what creates its contract.
  fee_left base_units,
  -- The last good second in chain time. It is written before anything is sent, and once.
  deadline bigint,
  -- The order that the hub's owner is asked to approve: its digest, and its last good second, which becomes the
  -- deadline when it is signed.
  offer_digest evm_hash,
  offer_deadline bigint,

  tx_hash evm_hash,
  block_number bigint,
  block_hash evm_hash,
  -- Of an x402 refund: its place in its block, and the payout that found the forwarder without its money.
  log_index integer,
  distribution_id uuid,

  version integer not null default 1,
  created_at timestamptz not null default now(),
  mined_at timestamptz,
  confirmed_at timestamptz,
  unique (invoice_id, idempotency_key),
  constraint refund_subject check ((invoice_id is null) <> (x402_payment_id is null)),
  constraint refund_mined check ((status in ('mined', 'confirmed')) = (tx_hash is not null)),
  constraint refund_waiting_since check ((waiting_for is null) = (waiting_since is null)),
  constraint refund_ordered check ((order_number is null) = (fee_left is null)),
  constraint refund_offered check (
    (offer_digest is null) = (offer_deadline is null)
    and (offer_digest is null or order_number is not null)),
  constraint refund_x402_place check (
    x402_payment_id is null or (status in ('mined', 'confirmed')) = (log_index is not null))
);
-- Refunds that may run out of time.
create index refund_waiting on refund (network_id, deadline) where status = 'open';
create index refund_moved on refund (network_id, id) where status in ('mined', 'confirmed');
create index refund_by_merchant on refund (merchant_id, created_at, id);
create index refund_confirmed on refund (merchant_id, confirmed_at) where status = 'confirmed';
create unique index refund_order on refund (network_id, order_number)
  where order_number is not null;
-- Orders that may still take of what the hub refunds within a day.
create index refund_in_flight on refund (network_id)
  where status in ('open', 'mined') and deadline is not null;
-- What waits for room, in the order in which it was requested.
create index refund_in_turn on refund (network_id, token, id) where waiting_for = 'refund_limit';
create index refund_under_way on refund (merchant_id) where status in ('open', 'mined');
-- For what an operator reads of some days.
create index refund_by_day on refund using brin (created_at);
-- The refunds of an x402 payment, each requested once.
create unique index refund_of_x402_payment
  on refund (x402_payment_id, idempotency_key) where x402_payment_id is not null;
-- Those that hold payouts up.
create index refund_in_forwarder on refund (network_id, merchant_id, token)
  where x402_payment_id is not null and status in ('open', 'mined');
-- Those that are bound to no payout yet, and those of a payout.
create index refund_before_payout on refund (network_id, block_number)
  where x402_payment_id is not null and status = 'confirmed' and distribution_id is null;
create index refund_of_payout on refund (distribution_id)
  where distribution_id is not null;
create trigger refund_merchant before insert on refund for each row
  when (new.invoice_id is not null) execute function take_merchant_of_invoice();
select allow('{api}', '{select}', '{table refund}');
select allow('{worker}', '{select, update}', '{table refund}');
select withhold('{notifier, indexer}', '{table refund}');

-- Whose money a refund is: its amount, shared over payments.
create table refund_part (
  refund_id uuid not null references refund (id),
  payment_id uuid not null references payment (id),
  amount positive_units not null,
  primary key (refund_id, payment_id)
);
create index refund_part_by_payment on refund_part (payment_id);
select allow('{worker}', '{select}', '{table refund_part}');
select withhold('{api, notifier, indexer}', '{table refund_part}');

-- Requests a refund of an invoice. It goes to the sender of the payments that it is taken from, unless the
-- operator lets the merchant name others, and is no more than what they have left.
create function ask_for_refund(
  new_id uuid, of_invoice uuid, key text, on_network text, of_token text, of_amount numeric,
  to_recipient text, of_payment uuid, of_parts jsonb
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  promised numeric;
begin
  insert into refund (id, invoice_id, idempotency_key, network_id, token, amount, recipient,
    payment_id, version)
  values (new_id, of_invoice, key, on_network, of_token, of_amount, to_recipient, of_payment, 2);
  with part as (
    select * from jsonb_to_recordset(of_parts) as r (payment_id uuid, amount numeric)
    where r.amount > 0
  ), taken as (
    update payment p set refunding = p.refunding + part.amount
    from part, invoice i, merchant m
    where p.id = part.payment_id and p.invoice_id = of_invoice and p.status = 'confirmed'
      and p.network_id = on_network and p.token = of_token
      and part.amount <= p.amount - p.refunded - p.refunding
      and i.id = of_invoice and m.id = i.merchant_id
      and (p.sender = to_recipient or m.refunds_any)
      and coalesce(of_payment, p.id) = p.id
    returning p.id, part.amount
  ), stored as (
    insert into refund_part (refund_id, payment_id, amount)
    select new_id, taken.id, taken.amount from taken
    returning refund_part.amount
  )
  select sum(stored.amount) into promised from stored;
  if promised is distinct from of_amount then
    raise exception 'refund % is not covered by payments of its recipient', new_id;
  end if;
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'refund', 'refund:' || new_id, jsonb_build_object('refundId', new_id));
  insert into invoice_change (invoice_id, cause) values (of_invoice, 'refund_asked');
end $$;
select allow('{api}', '{execute}',
  array['function ask_for_refund(uuid, uuid, text, text, text, numeric, text, uuid, jsonb)']);

-- Waits until no payout of the merchant's forwarder is being signed, and has the next one wait. Signers share
-- this lock, and read under it which refunds are on their way.
create function lock_payouts(of_merchant uuid) returns void language sql
set search_path = pg_catalog, public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('payout ' || of_merchant, 0))
$$;
select allow('{api}', '{execute}', '{function lock_payouts(uuid)}');

-- Shares that lock, for the process that signs payouts of these merchants.
create function share_payouts(of_merchants uuid[]) returns void language sql
set search_path = pg_catalog, public, pg_temp as $$
  select pg_advisory_xact_lock_shared(hashtextextended('payout ' || m, 0))
  from (select distinct unnest(of_merchants) as m order by 1) as sorted
$$;
select allow('{worker}', '{execute}', '{function share_payouts(uuid[])}');

-- Requests a refund of an x402 payment. It goes to the payer, unless the operator lets the merchant name
-- others, and is no more than what is left of the payment, which must be in the merchant's forwarder. Its time
-- is one at which no payout is being signed.
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
select allow('{api}', '{execute}', array['function ask_for_x402_refund(uuid, uuid, uuid, text, numeric, text)']);

-- One refund of a merchant after the other is compared with what the others come to.
create function lock_refund_sum(of_merchant uuid) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('refunds of ' || of_merchant, 0))
$$;
select allow('{api}', '{execute}', '{function lock_refund_sum(uuid)}');

-- The newest number of an order on each chain: the hub keeps what is spent in a bitmap, where numbers that
-- follow each other cost least. The signer locks the row, so that one process at a time adds up what is
-- promised within the hub's limit.
create table refund_sequence (
  network_id text primary key,
  last bigint not null check (last >= 0)
);
select allow('{worker}', '{select, insert, update}', '{table refund_sequence}');
select withhold('{api, notifier, indexer}', '{table refund_sequence}');

-- Numbers that the hub has spent for orders which are in no row here: a failover has lost the commit that
-- signed them. Until the order is read back from the chain, no refund of the account that paid it is signed.
create table lost_refund_order (
  network_id text not null,
  order_number bigint not null check (order_number > 0),
  hub evm_address not null,
  found_at timestamptz not null default now(),
  -- When its refund was found or made; null until then.
  read_back_at timestamptz,
  primary key (network_id, order_number)
);
select allow('{worker}', '{select, insert}', '{table lost_refund_order}');
select withhold('{api, notifier, indexer}', '{table lost_refund_order}');

-- Refunds that merchants have sent themselves, out of their treasuries. They are apart from the service's own:
-- nothing of them is taken from a deposit, so that no sweep, no balance of a deposit and no comparison with the
-- hub may see them.
create table external_refund (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  -- Copied from the invoice by a trigger.
  merchant_id uuid not null,
  network_id text not null,
  tx_hash evm_hash not null,
  token evm_address not null,
  sender evm_address not null,
  recipient evm_address not null,
  amount positive_units not null,
  -- Its place among the equal transfers of its transaction, from 0: it is known without the transaction's other
  -- logs, of which there may be any number, and no reorganisation changes it.
  alike_place integer not null default 0
    constraint external_refund_alike_place check (alike_place >= 0),
  block_number bigint not null,
  block_hash evm_hash not null,
  -- mined: the merchant says so; confirmed: a worker has read it at the chain's depth; failed: it is not so.
  status text not null default 'mined' check (status in ('mined', 'confirmed', 'failed')),
  error text,
  version integer not null default 1,
  -- Since when it waits to be confirmed, and when it is looked for again.
  mined_at timestamptz not null default now(),
  look_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  check ((status = 'confirmed') = (confirmed_at is not null))
);
create index external_refund_of_invoice on external_refund (invoice_id);
create index external_refund_waiting on external_refund (network_id, look_at) where status = 'mined';
create index external_refund_in_block on external_refund (network_id, block_number)
  where status = 'confirmed';
create index external_refund_by_merchant on external_refund (merchant_id, created_at, id);
create index external_refund_confirmed on external_refund (merchant_id, confirmed_at)
  where status = 'confirmed';
-- A transfer is one refund, of one invoice, in the whole deployment.
create unique index external_refund_alike_once
  on external_refund (network_id, tx_hash, token, sender, recipient, amount, alike_place)
  where status <> 'failed';
create trigger external_refund_merchant before insert on external_refund
  for each row execute function take_merchant_of_invoice();
select allow('{api, worker}', '{select}', '{table external_refund}');
select allow('{worker}', '{update}', '{table external_refund}',
  '{block_number, block_hash, status, error, version, mined_at, look_at, confirmed_at}');
select withhold('{notifier, indexer}', '{table external_refund}');

-- Whether money of this invoice may have gone back between these addresses: to an address that has paid it, or
-- where its payer wants it, and from no address of the service's own, whose transfers are in the books.
create function may_be_external_refund(of_invoice uuid, from_sender text, to_recipient text)
returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from watched where address in (from_sender, to_recipient))
    and not exists (select from forwarder where address in (from_sender, to_recipient))
    and not exists (select from known_hub where address in (from_sender, to_recipient))
    and (
      exists (
        select from payment
        where invoice_id = of_invoice and sender = to_recipient and status = 'confirmed')
      or exists (
        select from invoice where id = of_invoice and payer_refund_address = to_recipient))
$$;
select allow('{api, worker}', '{execute}', array['function may_be_external_refund(uuid, text, text)']);

-- Records what a merchant says to have sent back. It counts for nothing before a worker has read it from the
-- chain, and all that is said of an invoice is no more than what settlements have taken of it.
create function record_sent_refund(
  new_id uuid, of_invoice uuid, on_network text, in_tx text, at_alike_place integer, of_token text,
  from_sender text, to_recipient text, of_amount numeric, in_block bigint, with_hash text
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from invoice where id = of_invoice for update;
  if not may_be_external_refund(of_invoice, from_sender, to_recipient) then
    raise exception 'a transfer to % gives nothing of invoice % back', to_recipient, of_invoice;
  end if;
  if of_amount > (
    select coalesce(sum(amount), 0) from settlement
    where invoice_id = of_invoice and status in ('mined', 'confirmed')
  ) - (
    select coalesce(sum(amount), 0) from external_refund
    where invoice_id = of_invoice and status <> 'failed'
  ) then
    raise exception 'invoice % has not so much to give back', of_invoice;
  end if;
  insert into external_refund (id, invoice_id, network_id, tx_hash, alike_place, token, sender, recipient,
    amount, block_number, block_hash, version)
  values (new_id, of_invoice, on_network, in_tx, at_alike_place, of_token, from_sender, to_recipient,
    of_amount, in_block, with_hash, 2);
end $$;
select allow('{api}', '{execute}',
  array['function record_sent_refund(uuid, uuid, text, text, integer, text, text, text, numeric, bigint, text)']);
