-- Invoices, the payments to their deposit addresses, and the settlements that sweep them.

-- The short code that a payer can quote.
create domain invoice_reference as text check (length(value) = 10);

-- pending: not paid; partial: paid in part; paid: paid in full, at the chain's confirmations; completed: swept
-- to the recipient.
create domain invoice_status as text check (value in ('pending', 'partial', 'paid', 'completed'));

-- Whether money of the invoice can be swept: none: there is nothing; due: now; screening: its payers are being
-- checked; no_recipient: the merchant has none; below_gas_threshold: less than a sweep is worth; failed: the
-- last sweep failed.
create domain settlement_readiness as text check (
  value in ('none', 'due', 'screening', 'no_recipient', 'below_gas_threshold', 'failed')
);

-- A request for an amount of one token, on any of its chains, at one deposit address. Amounts are base units of
-- that token.
create table invoice (
  id uuid primary key,
  -- Taken from the API key that was just looked up, without a foreign key: it would have all of a merchant's
  -- creations lock its one row. Merchants are never deleted.
  merchant_id uuid not null,
  reference invoice_reference not null unique,
  -- The merchant's own name for it. Compared by the numbers of its characters, so that those that begin alike
  -- lie together.
  external_ref external_reference collate "C",
  metadata jsonb not null default '{}',

  -- What is requested. The deposit address commits to the hub, to the recipient and to the highest fee.
  token_symbol text not null,
  -- Registry ids, of which any may be paid on.
  chains text[] not null check (cardinality(chains) > 0),
  amount_expected positive_units not null,
  -- How much less is enough: a hundredth at most.
  underpayment_tolerance numeric(78, 0) not null default 0,
  -- The amount in a currency and the rate by which it became one of the token: {currency, amount, rate, at,
  -- source}. Null for an invoice in the token.
  fiat jsonb,
  hub evm_address not null,
  -- Unique because the address in `watched` is, where addresses are looked up.
  deposit_address evm_address not null,
  -- The recipient named at creation; null for the merchant's own.
  recipient evm_address,
  -- The highest fee that may ever be taken, and the fee that is.
  fee_cap base_units not null,
  platform_fee base_units not null,

  -- The payment window; null without one. Payments in blocks after its end are late.
  expires_at timestamptz,
  -- When the merchant voided the invoice; payments in later blocks are late.
  closed_at timestamptz,
  -- When invoice.expired was written to the outbox.
  expiry_announced_at timestamptz,

  -- Derived from payments, settlements and refunds, and written by workers alone.
  status invoice_status not null default 'pending',
  -- The chain of the first payment that counts; null before it.
  target_network text,
  -- On time and pending; on time and confirmed; late, pending or confirmed.
  pending_amount base_units not null default 0,
  received_amount base_units not null default 0,
  late_amount base_units not null default 0,
  -- What the merchant accepted as enough; null while the expected amount is.
  accepted_amount positive_units,
  -- What refunds have brought back of the invoice's own token, late payments included.
  refunded_amount base_units not null default 0,
  -- What has left the on-time money by refunds, or is promised to them.
  returned_amount base_units not null default 0,
  -- What confirmed sweeps have paid to the recipient; what they had moved, fees included, when the invoice was
  -- completed.
  amount_remitted base_units not null default 0,
  completed_amount numeric(78, 0),
  settlement_state settlement_readiness not null default 'none',
  settlement_error text,
  -- In how many places (chain and token) on-time money lies that goes nowhere automatically, so that they are
  -- counted without adding up payments.
  held_parts smallint not null default 0,
  -- Where a payer wants money back, if any goes back: shown to the merchant, and used by nothing automatically.
  payer_refund_address evm_address,

  -- Grows with each change that a merchant can see, so that events about one invoice have an order.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  completed_at timestamptz,

  unique (merchant_id, external_ref),
  constraint invoice_fee_capped check (platform_fee <= fee_cap),
  constraint invoice_tolerates_little check (underpayment_tolerance between 0 and div(amount_expected, 100)),
  constraint invoice_fiat_whole check (fiat is null or (
    fiat ->> 'currency' ~ '^[A-Z]{3}$'
    and fiat ->> 'amount' ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'
    and fiat ->> 'rate' ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'
    and fiat ->> 'at' is not null
    and fiat ->> 'source' is not null
  ) is true)
);
-- Deposits whose balances are compared with the ledger, in the order of ids.
create index invoice_open on invoice (id) where status <> 'completed';
-- Money that goes nowhere automatically: a recipient that is set starts it.
create index invoice_unsettled on invoice (merchant_id)
  where settlement_state in ('no_recipient', 'below_gas_threshold', 'failed');
-- By the chains that an invoice lists: those of a chain that stands still are not read again and again.
create index invoice_expiring on invoice (chains, least(expires_at, closed_at))
  where expiry_announced_at is null and status in ('pending', 'partial') and pending_amount = 0
    and (expires_at is not null or closed_at is not null);
-- The hubs that addresses were derived from, of which there are few.
create index invoice_hub on invoice (hub);
create index invoice_held on invoice (merchant_id, coalesce(paid_at, created_at) desc, id)
  include (held_parts, status, expires_at, closed_at) where held_parts > 0;
-- Invoices that a leader sweeps with the next block, and those whose settlement failed, which are retried slice
-- by slice.
create index invoice_due on invoice (id) where settlement_state = 'due';
create index invoice_failed on invoice (id) where settlement_state = 'failed';
-- A merchant's invoices of one status and token, the newest first, with all that lists need. Lists of several
-- are put together of these, so that no other index in the order of lists is needed.
create index invoice_by_status on invoice
  (merchant_id, status, token_symbol, created_at desc, id desc)
  include (expires_at, closed_at, amount_expected, paid_at);
create index invoice_by_amount on invoice
  (merchant_id, token_symbol, amount_expected, created_at desc, id desc);
create index invoice_by_payment on invoice (merchant_id, paid_at) where paid_at is not null;
-- For what an operator reads of some days, of all merchants: rows lie in the order of time, so that a few pages
-- are enough.
create index invoice_by_day on invoice using brin (paid_at);
select allow('{api, worker}', '{select}', '{table invoice}');
select allow('{api}', '{insert}', '{table invoice}',
  '{id, merchant_id, reference, external_ref, metadata, token_symbol, chains, amount_expected,
  underpayment_tolerance, fiat, hub, deposit_address, recipient, fee_cap, platform_fee, expires_at, created_at}');
select allow('{worker}', '{update}', '{table invoice}',
  '{platform_fee, expiry_announced_at, status, target_network, pending_amount, received_amount, late_amount,
  refunded_amount, returned_amount, amount_remitted, completed_amount, settlement_state, settlement_error,
  held_parts, version, paid_at, completed_at}');
select withhold('{notifier, indexer}', '{table invoice}');

-- Reads an invoice and locks it until the transaction ends.
create function lock_invoice(wanted_id uuid) returns setof invoice
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from invoice where id = wanted_id for update
$$;
select allow('{api}', '{execute}', '{function lock_invoice(uuid)}');

-- What the API has stored about an invoice and no worker has derived yet. Figures, states, sweeps and most
-- events are the workers' to write: they delete these rows under the invoice's lock.
create table invoice_change (
  id bigint generated always as identity primary key,
  invoice_id uuid not null,
  cause text not null check (cause in ('observed', 'accepted', 'accepted_partly', 'refund_asked', 'voided')),
  -- What was observed: the payment's kind, and whether it had been reverted before.
  payment_kind text,
  was_reverted boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  check ((cause = 'observed') = (payment_kind is not null))
);
create index invoice_change_of_invoice on invoice_change (invoice_id, id);
select allow('{api}', '{select}', '{table invoice_change}');
select allow('{worker}', '{select, delete}', '{table invoice_change}');
select withhold('{notifier, indexer}', '{table invoice_change}');

-- Voids an invoice. The first moment counts; an invoice that is paid stays as it is.
create function close_invoice(of_merchant uuid, wanted_id uuid, at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with closed as (
    update invoice set closed_at = at, version = version + 1
    where id = wanted_id and merchant_id = of_merchant
      and closed_at is null and status in ('pending', 'partial')
    returning id
  )
  insert into invoice_change (invoice_id, cause) select id, 'voided' from closed
$$;
select allow('{api}', '{execute}', array['function close_invoice(uuid, uuid, timestamptz)']);

-- Accepts as enough what is confirmed and was not given back. The fee is for a worker to allot again.
create function accept_partly(of_invoice uuid, accepted numeric) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update invoice set accepted_amount = accepted
  where id = of_invoice and accepted < coalesce(accepted_amount, amount_expected) and accepted = (
    select sum(case status when 'confirmed' then amount else 0 end - refunded - refunding)
    from payment where invoice_id = of_invoice and kind = 'counted');
  if not found then raise exception 'invoice % has not received %', of_invoice, accepted; end if;
  insert into invoice_change (invoice_id, cause) values (of_invoice, 'accepted_partly');
end $$;
select allow('{api}', '{execute}', array['function accept_partly(uuid, numeric)']);

-- The order in which payments were first seen.
create sequence payment_detected_order;
select allow('{worker}', '{usage}', '{sequence payment_detected_order}');

-- One transfer of a token to a deposit address, as seen on-chain.
create table payment (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  -- Copied from the invoice by a trigger, so that they can't differ: for lists that are in the order of payers
  -- or of merchants.
  merchant_id uuid not null,
  invoice_created_at timestamptz not null,
  network_id text not null,
  tx_hash evm_hash not null,
  -- Counts the whole block. -1 is native coin, which no log shows: its token is the zero address, and one
  -- transaction can send it to a deposit once. Below -1: money that no log and no transaction shows, but the
  -- balance before and after a block; the number is the same for a deposit and a token in every block.
  log_index integer not null constraint payment_log_index check (
    case when token = '0x0000000000000000000000000000000000000000' then log_index <= -1
      else log_index <> -1 end),
  token evm_address not null,
  sender evm_address not null,
  amount positive_units not null,
  -- counted: on time; late: after the expiry; foreign: another token, or a chain not on the invoice.
  kind text not null check (kind in ('counted', 'late', 'foreign')),
  -- reverted: its block was orphaned, and it is in no other so far.
  status text not null check (status in ('pending', 'confirmed', 'reverted')),
  block_number bigint not null,
  block_hash evm_hash not null,
  -- The chain's time.
  block_time timestamptz not null,
  detected_order bigint not null default nextval('payment_detected_order'),
  -- Its share of the service's fee.
  fee numeric(78, 0) not null default 0 check (fee between 0 and amount),
  -- What refunds have brought back of it, and what is promised to refunds on their way.
  refunded base_units not null default 0,
  refunding base_units not null default 0,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  reverted_at timestamptz,
  -- When the merchant accepted a late payment; it is counted from then on.
  accepted_at timestamptz,
  -- The index of a log changes when its transaction moves to another block.
  unique (network_id, tx_hash, log_index, block_hash),
  check ((status = 'confirmed') <= (confirmed_at is not null)),
  constraint payment_accepted check (accepted_at is null or kind = 'counted'),
  constraint payment_native check (log_index >= 0 or kind = 'foreign')
);
create index payment_by_invoice on payment (invoice_id, detected_order);
create index payment_open on payment (network_id, block_number) where status = 'pending';
create index payment_standing on payment (network_id, block_number) where status <> 'reverted';
-- Payments that may come back in another block, of assets that no indexer watches.
create index payment_lost on payment (network_id, reverted_at) where status = 'reverted';
-- In the order in which they were first seen, and by when they were confirmed.
create index payment_by_merchant on payment (merchant_id, created_at, id);
create index payment_confirmed on payment (merchant_id, confirmed_at) where status = 'confirmed';
-- What counts for nothing and was not given back.
create index payment_astray on payment (merchant_id, created_at desc, invoice_id, id)
  where kind <> 'counted' and status = 'confirmed' and amount > refunded + refunding;
-- The invoices that an address has paid, in the order of lists.
create index payment_by_sender on payment
  (merchant_id, sender, invoice_created_at desc, invoice_id desc);
-- A merchant's money in transit, for balances: none of it is for long.
create index payment_pending on payment (merchant_id) where status = 'pending';
-- For what an operator reads of some days.
create index payment_by_day on payment using brin (confirmed_at);
select allow('{api}', '{select}', '{table payment}');
select allow('{worker}', '{select, insert, update}', '{table payment}');
select withhold('{notifier, indexer}', '{table payment}');

-- Copies merchant and creation of the invoice into its payment.
create function take_names_of_invoice() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  select i.merchant_id, i.created_at into strict new.merchant_id, new.invoice_created_at
  from public.invoice i where i.id = new.invoice_id;
  return new;
end $$;
create trigger payment_merchant before insert on payment
  for each row execute function take_names_of_invoice();

-- Counts a late payment of which nothing was given back.
create function accept_late_payment(of_invoice uuid, wanted_id uuid, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update payment set kind = 'counted', accepted_at = at
  where id = wanted_id and invoice_id = of_invoice and kind = 'late' and status <> 'reverted'
    and refunded = 0 and refunding = 0;
  if not found then raise exception 'payment % can''t be accepted', wanted_id; end if;
  insert into invoice_change (invoice_id, cause) values (of_invoice, 'accepted');
end $$;
select allow('{api}', '{execute}', array['function accept_late_payment(uuid, uuid, timestamptz)']);

-- Records a transfer that a caller reports. It is pending: before it counts, a worker reads it from the chain.
-- One that was reverted is pending again, in the block that is named; one that is pending or confirmed is left
-- alone. A balance grows once in a block, whichever of its transactions is named: the second to report it finds
-- it recorded.
create function submit_transfer(
  of_invoice uuid, new_id uuid, on_network text, in_tx text, at_log integer, of_token text,
  from_sender text, of_amount numeric, as_kind text, in_block bigint, with_hash text, at timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  known payment;
begin
  if at_log < -1 and exists (
    select from payment
    where invoice_id = of_invoice and network_id = on_network and log_index = at_log
      and block_hash = with_hash and status <> 'reverted')
  then
    return;
  end if;
  select * into known from payment
  where network_id = on_network and tx_hash = in_tx and invoice_id = of_invoice and token = of_token
    and sender = from_sender and amount = of_amount
    and (block_hash <> with_hash or log_index = at_log)
  order by block_hash = with_hash desc, log_index = at_log desc, status <> 'reverted' desc,
    detected_order
  limit 1 for update;
  if known.id is null then
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind,
      status, block_number, block_hash, block_time)
    values (new_id, of_invoice, on_network, in_tx, at_log, of_token, from_sender, of_amount, as_kind,
      'pending', in_block, with_hash, at);
  elsif known.status = 'reverted' then
    update payment set status = 'pending', confirmed_at = null, log_index = at_log,
      kind = case when accepted_at is null then as_kind else 'counted' end,
      block_number = in_block, block_hash = with_hash, block_time = at
    where id = known.id;
  else
    return;
  end if;
  insert into invoice_change (invoice_id, cause, payment_kind, was_reverted)
  values (of_invoice, 'observed', case when known.accepted_at is null then as_kind else known.kind end,
    known.id is not null);
end $$;
select allow('{api}', '{execute}',
  array['function submit_transfer(uuid, uuid, text, text, integer, text, text, numeric, text, bigint, text, timestamptz)']);

-- Copies the merchant of the invoice into its settlement or refund, so that the two can't differ.
create function take_merchant_of_invoice() returns trigger language plpgsql as $$
begin
  select i.merchant_id into strict new.merchant_id from invoice i where i.id = new.invoice_id;
  return new;
end $$;

-- One sweep of a deposit address: an exact amount to the recipient and, at most once, the fee. Decided with the
-- row, before anything is sent.
create table settlement (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  -- Copied from the invoice by a trigger.
  merchant_id uuid not null,
  network_id text not null,
  token text not null,
  -- Counts the sweeps of one token on one chain of the invoice.
  round integer not null check (round > 0),
  -- What leaves the deposit, and how much of it is the fee.
  amount positive_units not null,
  fee numeric(78, 0) not null check (fee between 0 and amount),
  -- The part of fee that the token refused to pay out and that still lies in the deposit.
  fee_owed numeric(78, 0) not null default 0 check (fee_owed between 0 and fee),
  recipient evm_address not null,
  -- The registry version that the sweep insists on; 0 when the invoice names its own recipient.
  registry_version integer not null check (registry_version >= 0),
  -- What must be left in the deposit, in the same token: all that the ledger knows to be there, without what
  -- this sweep takes.
  leave base_units not null default 0,
  -- Whether this sweep creates the deposit's contract.
  deploys boolean not null default false,
  -- open: promised; mined: seen on-chain; confirmed: at the chain's depth; failed: moved nothing.
  status text not null check (status in ('open', 'mined', 'confirmed', 'failed')),
  error text,
  -- It failed because the deposit was not as it was when the sweep was planned: a later round does its work.
  replanned boolean not null default false,
  -- What was read of the deposit when the round had ended without moving anything: in which confirmed block,
  -- whether the contract was there, and what could still be charged on it.
  found_block bigint,
  found_deployed boolean,
  found_fee_left base_units,
  tx_hash text,
  block_number bigint,
  block_hash text,
  created_at timestamptz not null default now(),
  mined_at timestamptz,
  confirmed_at timestamptz,
  unique (network_id, invoice_id, token, round),
  constraint settlement_replanned check (not replanned or status = 'failed'),
  constraint settlement_found check (
    num_nonnulls(found_block, found_deployed, found_fee_left) in (0, 3))
);
create index settlement_by_invoice on settlement (invoice_id);
create index settlement_by_merchant on settlement (merchant_id, created_at, id);
create index settlement_confirmed on settlement (merchant_id, confirmed_at)
  where status = 'confirmed';
-- A merchant's sweeps that pay what the registry says, to be found when its entry changes.
create index settlement_open_registry on settlement (merchant_id, network_id)
  where status = 'open' and registry_version > 0;
create index settlement_under_way on settlement (merchant_id) where status in ('open', 'mined');
create index settlement_unsent
  on settlement (merchant_id, created_at, id) where status = 'failed';
create index settlement_by_day on settlement using brin (created_at);
create trigger settlement_merchant before insert on settlement
  for each row execute function take_merchant_of_invoice();
select allow('{api}', '{select}', '{table settlement}');
select allow('{worker}', '{select, insert, update}', '{table settlement}');
select withhold('{notifier, indexer}', '{table settlement}');

-- A number for a key of an invoice's metadata with its value. Two may have one number: the digest tells them
-- apart.
create function metadata_term(key text, value text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(value, hashtextextended(key, 0))
$$;
select allow('{api}', '{execute}', array['function metadata_term(text, text)']);

-- A digest of a key with its value, which no other value has.
create function metadata_digest(key text, value text) returns uuid
language sql immutable parallel safe as $$
  select encode(substring(sha256(convert_to(
    octet_length(key) || ':' || key || value, 'UTF8')) for 16), 'hex')::uuid
$$;
select allow('{api}', '{execute}', array['function metadata_digest(text, text)']);

-- The values of an invoice's metadata that can be searched, with number and digest.
create function metadata_entries(metadata jsonb) returns table (term bigint, digest uuid)
language sql immutable parallel safe as $$
  select metadata_term(key, metadata ->> key), metadata_digest(key, metadata ->> key)
  from jsonb_object_keys(metadata) as key
  where jsonb_typeof(metadata -> key) in ('string', 'number', 'boolean')
$$;
select allow('{api}', '{execute}', '{function metadata_entries(jsonb)}');

-- The values in invoices' metadata, by which lists are filtered and counted without reading invoices.
create table invoice_metadata (
  merchant_id uuid not null,
  term bigint not null,
  digest uuid not null,
  -- The invoice's.
  created_at timestamptz not null,
  invoice_id uuid not null
);
create index invoice_metadata_counted
  on invoice_metadata (merchant_id, term, created_at desc, invoice_id desc) include (digest);
select allow('{api}', '{select, insert}', '{table invoice_metadata}');
select withhold('{worker, notifier, indexer}', '{table invoice_metadata}');

-- How many invoices a merchant has, by the day (UTC) of their creation, status and token: exact, and in the
-- same transaction as the invoices. A counter alone would have all of a merchant's creations wait for one
-- another, so that changes are written beside it and added up every few seconds.
create table invoice_tally (
  merchant_id uuid not null,
  day date not null,
  status invoice_status not null,
  token_symbol text not null,
  invoices bigint not null,
  primary key (merchant_id, day, status, token_symbol)
);
select allow('{api}', '{select}', '{table invoice_tally}');
select allow('{worker}', '{select, insert, update, delete}', '{table invoice_tally}');
select withhold('{notifier, indexer}', '{table invoice_tally}');

-- What is not added up yet.
create table invoice_tally_change (
  id bigint generated always as identity primary key,
  merchant_id uuid not null,
  day date not null,
  status invoice_status not null,
  token_symbol text not null,
  invoices integer not null
);
create index invoice_tally_change_by_merchant on invoice_tally_change (merchant_id);
select allow('{api}', '{select}', '{table invoice_tally_change}');
select allow('{worker}', '{select, delete}', '{table invoice_tally_change}');
select withhold('{notifier, indexer}', '{table invoice_tally_change}');

-- Counts new invoices, with the owner's rights: a process that may create invoices need not be able to write
-- counters.
create function tally_new_invoices() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_tally_change (merchant_id, day, status, token_symbol, invoices)
  select merchant_id, (created_at at time zone 'UTC')::date, status, token_symbol, count(*)
  from new_invoice group by 1, 2, 3, 4;
  return null;
end $$;
create trigger invoice_created after insert on invoice referencing new table as new_invoice
  for each statement execute function tally_new_invoices();

-- Counts an invoice in its new status, and no longer in the old one.
create function tally_changed_invoice() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_tally_change (merchant_id, day, status, token_symbol, invoices)
  values
    (old.merchant_id, (old.created_at at time zone 'UTC')::date, old.status, old.token_symbol, -1),
    (new.merchant_id, (new.created_at at time zone 'UTC')::date, new.status, new.token_symbol, 1);
  return null;
end $$;
create trigger invoice_moved_on after update of status on invoice for each row
  when (old.status <> new.status) execute function tally_changed_invoice();
