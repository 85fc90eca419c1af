-- Refunds that merchants have sent themselves, out of their treasuries. They are apart from the service's own:
-- nothing of them is taken from a deposit, so that no sweep, no balance of a deposit and no comparison with
-- the hub may see them.
create table external_refund (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  merchant_id uuid not null,
  network_id text not null,
  tx_hash evm_hash not null,
  -- Which of its transaction's logs it is, from 0: unlike the place in a block, no reorganisation changes it.
  log_place integer not null check (log_place >= 0),
  token evm_address not null,
  sender evm_address not null,
  recipient evm_address not null,
  amount positive_units not null,
  block_number bigint not null,
  block_hash evm_hash not null,
  -- mined: somebody says so; confirmed: a worker has read it at the chain's depth; failed: it is not so.
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
create trigger external_refund_merchant before insert on external_refund
  for each row execute function take_merchant_of_invoice();
-- A transfer is one refund, of one invoice, in the whole deployment.
create unique index external_refund_once on external_refund (network_id, tx_hash, log_place)
  where status <> 'failed';
create index external_refund_of_invoice on external_refund (invoice_id);
create index external_refund_waiting on external_refund (network_id, look_at) where status = 'mined';
create index external_refund_in_block on external_refund (network_id, block_number)
  where status = 'confirmed';
create index external_refund_by_merchant on external_refund (merchant_id, created_at, id);
create index external_refund_confirmed on external_refund (merchant_id, confirmed_at)
  where status = 'confirmed';

-- What is sent back is summed by the day, apart from what came out of deposits.
lock table movement_tally in share row exclusive mode;
alter table movement_tally drop constraint movement_tally_type_check;
alter table movement_tally add constraint movement_tally_type_check check (
  type in ('payment', 'late_payment', 'other_deposit', 'settlement', 'refund', 'external_refund'));
create function tally_external_refund() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.status = 'confirmed' then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.token,
      'external_refund', -1, old.amount, 0);
  end if;
  if new.status = 'confirmed' then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.token,
      'external_refund', 1, new.amount, 0);
  end if;
  return null;
end $$;
create trigger external_refund_moved_on after update on external_refund for each row
  when ((old.status = 'confirmed' or new.status = 'confirmed')
    and (old.status, old.amount, old.confirmed_at)
      is distinct from (new.status, new.amount, new.confirmed_at))
  execute function tally_external_refund();

-- Whether money of this invoice may have gone back from and to these addresses: to somebody who has paid it, or
-- where its payer wants it, and not from an address of the service's own, whose transfers are in the books.
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

-- What a merchant says to have sent back. It counts for nothing before a worker has read it from the chain, and
-- all that is said of an invoice is no more than what settlements have taken of it.
create function record_external_refund(
  new_id uuid, of_invoice uuid, on_network text, in_tx text, at_place integer, of_token text,
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
  insert into external_refund (id, invoice_id, network_id, tx_hash, log_place, token, sender, recipient,
    amount, block_number, block_hash, version)
  values (new_id, of_invoice, on_network, in_tx, at_place, of_token, from_sender, to_recipient,
    of_amount, in_block, with_hash, 2);
end $$;

select allow('{api, worker}', '{select}', '{table external_refund}');
select allow('{api}', '{execute}', '{"function may_be_external_refund(uuid, text, text)",
  "function record_external_refund(uuid, uuid, text, text, integer, text, text, text, numeric, bigint, text)"}');
select allow('{worker}', '{execute}', '{"function may_be_external_refund(uuid, text, text)"}');
select allow('{worker}', '{update}', '{table external_refund}', '{block_number, block_hash, status, error,
  version, mined_at, look_at, confirmed_at}');
select withhold('{notifier, indexer}', '{table external_refund}');
