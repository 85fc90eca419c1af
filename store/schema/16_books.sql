-- Sums of what was paid, settled, refunded and paid out, and how the last audits ended.

-- What a merchant's movements of money add up to, by the day (UTC) of their confirmation: exact, and in the
-- same transaction as the rows. As with invoices, changes are written beside the sums and added up every few
-- seconds. Rows of money are never deleted, so that no trigger looks for that.
create table movement_tally (
  merchant_id uuid not null,
  day date not null,
  network_id text not null,
  token text not null,
  -- payment, late_payment, other_deposit (another token or chain), settlement, refund, external_refund,
  -- x402_payment, x402_direct (to an address of the merchant's own), x402_payout, x402_refund: as the functions
  -- below write them.
  type text not null check (type ~ '^[a-z0-9_]+$'),
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  primary key (merchant_id, day, network_id, token, type)
);
create index movement_tally_by_day on movement_tally (day);
select allow('{api}', '{select}', '{table movement_tally}');
select allow('{worker}', '{select, insert, update}', '{table movement_tally}');
select withhold('{notifier, indexer}', '{table movement_tally}');

-- What is not added up yet.
create table movement_tally_change (
  id bigint generated always as identity primary key,
  merchant_id uuid not null,
  day date not null,
  network_id text not null,
  token text not null,
  type text not null,
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  -- Of x402 payments, null for all others; the nil UUID where a payment has no endpoint.
  endpoint_id uuid
);
create index movement_tally_change_by_merchant on movement_tally_change (merchant_id, day);
select allow('{api}', '{select}', '{table movement_tally_change}');
select allow('{worker}', '{select, delete}', '{table movement_tally_change}');
select withhold('{notifier, indexer}', '{table movement_tally_change}');

-- The sums of all merchants by chain, token and type, for figures that are read every few seconds. What is not
-- added up yet is added when it is.
create table money_total (
  network_id text not null,
  token text not null,
  type text not null,
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  primary key (network_id, token, type)
);
select allow('{api}', '{select}', '{table money_total}');
select allow('{worker}', '{select, insert, update}', '{table money_total}');
select withhold('{notifier, indexer}', '{table money_total}');

-- The sums of all merchants by the day.
create table money_day (
  day date not null,
  network_id text not null,
  token text not null,
  type text not null,
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  primary key (day, network_id, token, type)
);
select allow('{api}', '{select}', '{table money_day}');
select withhold('{worker, notifier, indexer}', '{table money_day}');

-- The revenue of each x402 endpoint by the day.
create table x402_endpoint_tally (
  merchant_id uuid not null,
  day date not null,
  network_id text not null,
  token text not null,
  endpoint_id uuid not null,
  payments bigint not null,
  amount numeric(78, 0) not null,
  primary key (merchant_id, day, network_id, token, endpoint_id)
);
select allow('{api}', '{select}', '{table x402_endpoint_tally}');
select withhold('{worker, notifier, indexer}', '{table x402_endpoint_tally}');

-- Changes are deleted when they are added up, by one process at a time; the sums by endpoint and of all
-- merchants by the day are added up with them.
create function add_up_movements() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into x402_endpoint_tally as t (merchant_id, day, network_id, token, endpoint_id, payments,
    amount)
  select merchant_id, day, network_id, token, endpoint_id, sum(movements), sum(amount)
  from taken where endpoint_id is not null group by 1, 2, 3, 4, 5
  on conflict (merchant_id, day, network_id, token, endpoint_id) do update set
    payments = t.payments + excluded.payments, amount = t.amount + excluded.amount;
  insert into money_day as t (day, network_id, token, type, movements, amount, fee)
  select day, network_id, token, type, sum(movements), sum(amount), sum(fee)
  from taken group by 1, 2, 3, 4
  on conflict (day, network_id, token, type) do update set
    movements = t.movements + excluded.movements, amount = t.amount + excluded.amount,
    fee = t.fee + excluded.fee;
  return null;
end $$;
create trigger movements_added_up after delete on movement_tally_change
  referencing old table as taken for each statement execute function add_up_movements();

-- Writes a change of the sums: `movements` is 1 for what came, and -1 for what no longer counts.
create function note_movement(merchant_id uuid, confirmed_at timestamptz, network_id text, token text,
  type text, movements bigint, amount numeric, fee numeric) returns void language sql
set search_path = pg_catalog, public, pg_temp as $$
  insert into movement_tally_change (merchant_id, day, network_id, token, type, movements, amount, fee)
  select $1, ($2 at time zone 'UTC')::date, $3, $4, $5, $6, $6 * $7, $6 * $8 where $2 is not null
$$;

-- The type under which a payment is summed.
create function type_of_movement(kind text) returns text language sql immutable
set search_path = pg_catalog, pg_temp as $$
  select case kind when 'late' then 'late_payment' when 'foreign' then 'other_deposit'
    else 'payment' end
$$;

-- Each of the following takes away what the row added before, and adds what it is now.
create function tally_payment() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status = 'confirmed' then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.token,
      type_of_movement(old.kind), -1, old.amount, 0);
  end if;
  if new.status = 'confirmed' then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.token,
      type_of_movement(new.kind), 1, new.amount, 0);
  end if;
  return null;
end $$;
create trigger payment_made after insert on payment for each row
  when (new.status = 'confirmed') execute function tally_payment();
create trigger payment_moved_on after update on payment for each row
  when ((old.status = 'confirmed' or new.status = 'confirmed')
    and (old.status, old.kind, old.amount, old.confirmed_at)
      is distinct from (new.status, new.kind, new.amount, new.confirmed_at))
  execute function tally_payment();

-- Settlements with their fees.
create function tally_settlement() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status = 'confirmed' then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.token, 'settlement',
      -1, old.amount, old.fee);
  end if;
  if new.status = 'confirmed' then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.token, 'settlement',
      1, new.amount, new.fee);
  end if;
  return null;
end $$;
create trigger settlement_made after insert on settlement for each row
  when (new.status = 'confirmed') execute function tally_settlement();
create trigger settlement_moved_on after update on settlement for each row
  when ((old.status = 'confirmed' or new.status = 'confirmed')
    and (old.status, old.amount, old.fee, old.confirmed_at)
      is distinct from (new.status, new.amount, new.fee, new.confirmed_at))
  execute function tally_settlement();

-- Refunds of x402 payments are summed apart from those that came out of deposits.
create function tally_refund() returns trigger language plpgsql
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
create trigger refund_made after insert on refund for each row
  when (new.status = 'confirmed') execute function tally_refund();
create trigger refund_moved_on after update on refund for each row
  when ((old.status = 'confirmed' or new.status = 'confirmed')
    and (old.status, old.amount, old.confirmed_at)
      is distinct from (new.status, new.amount, new.confirmed_at))
  execute function tally_refund();

-- What merchants have sent back themselves.
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

-- x402 payments by endpoint. Direct ones are summed apart: what they bring is with the merchant, and in no
-- forwarder.
create function tally_x402_payment() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into movement_tally_change (merchant_id, day, network_id, token, type, movements, amount,
    fee, endpoint_id)
  select m.merchant_id, (m.confirmed_at at time zone 'UTC')::date, m.network_id, m.asset,
    case when new.direct then 'x402_direct' else 'x402_payment' end, m.movements,
    m.movements * m.amount, m.movements * m.fee_owed,
    coalesce(m.endpoint_id, '00000000-0000-0000-0000-000000000000')
  from (
    values
      (old.merchant_id, old.confirmed_at, old.network_id, old.asset, -1, old.amount, old.fee_owed,
        old.endpoint_id),
      (new.merchant_id, new.confirmed_at, new.network_id, new.asset, 1, new.amount, new.fee_owed,
        new.endpoint_id)
  ) as m (merchant_id, confirmed_at, network_id, asset, movements, amount, fee_owed, endpoint_id)
  where m.confirmed_at is not null;
  return null;
end $$;
create trigger x402_payment_moved_on after update of confirmed_at on x402_payment for each row
  when (old.confirmed_at is distinct from new.confirmed_at) execute function tally_x402_payment();

-- Payouts are booked as they are on the chain; those of an orphaned block are deleted.
create function tally_x402_payout() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform note_movement(old.merchant_id, old.block_time, old.network_id, old.token, 'x402_payout',
      -1, old.remitted + old.fee, old.fee);
  end if;
  if tg_op <> 'DELETE' then
    perform note_movement(new.merchant_id, new.block_time, new.network_id, new.token, 'x402_payout',
      1, new.remitted + new.fee, new.fee);
  end if;
  return null;
end $$;
create trigger x402_payout_booked after insert or delete on x402_distribution for each row
  execute function tally_x402_payout();
create trigger x402_payout_changed after update on x402_distribution for each row
  when ((old.block_time, old.remitted, old.fee) is distinct from
    (new.block_time, new.remitted, new.fee)) execute function tally_x402_payout();

-- How the last comparison of the ledger with each chain ended, for figures and alerts.
create table reconciliation (
  network_id text primary key,
  checked_at timestamptz not null,
  differences integer not null check (differences >= 0)
);
select allow('{api}', '{select}', '{table reconciliation}');
select withhold('{worker, notifier, indexer}', '{table reconciliation}');
