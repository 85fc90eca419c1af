-- What GraphQL answers from: x402 revenue of each endpoint by the day, what all merchants' movements add up
-- to by the day, and views through which one merchant, or the operator, sees rows of money.
lock table movement_tally, movement_tally_change, x402_payment in share row exclusive mode;

-- Of x402 payments; nil for one that belongs to no endpoint, null for what was noted before.
alter table movement_tally_change add column endpoint_id uuid;
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

create or replace function tally_x402_payment() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into movement_tally_change (merchant_id, day, network_id, token, type, movements, amount,
    fee, endpoint_id)
  select m.merchant_id, (m.confirmed_at at time zone 'UTC')::date, m.network_id, m.asset,
    'x402_payment', m.movements, m.movements * m.amount, 0,
    coalesce(m.endpoint_id, '00000000-0000-0000-0000-000000000000')
  from (
    values
      (old.merchant_id, old.confirmed_at, old.network_id, old.asset, -1, old.amount, old.endpoint_id),
      (new.merchant_id, new.confirmed_at, new.network_id, new.asset, 1, new.amount, new.endpoint_id)
  ) as m (merchant_id, confirmed_at, network_id, asset, movements, amount, endpoint_id)
  where m.confirmed_at is not null;
  return null;
end $$;

-- Changes are deleted when they are added up, in one process at a time; what is kept of them here is added
-- up with them, whichever release does it.
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

insert into x402_endpoint_tally (merchant_id, day, network_id, token, endpoint_id, payments, amount)
select merchant_id, (confirmed_at at time zone 'UTC')::date, network_id, asset,
  coalesce(endpoint_id, '00000000-0000-0000-0000-000000000000'), count(*), sum(amount)
from x402_payment where confirmed_at is not null group by 1, 2, 3, 4, 5;
insert into money_day (day, network_id, token, type, movements, amount, fee)
select day, network_id, token, type, sum(movements), sum(amount), sum(fee) from movement_tally
group by 1, 2, 3, 4;

-- Which merchant's rows the views below show: the one that the transaction has named, or 'all'. In a
-- transaction that has named nobody there are none. Statements have a condition of their own, for indexes;
-- this is for the one that forgets it.
create function is_seen(merchant uuid) returns boolean language sql stable parallel safe as $$
  select current_setting('remit.merchant', true) in (merchant::text, 'all')
$$;
select allow('{api}', '{execute}', '{function is_seen(uuid)}');
create view seen_movement as
  select * from (
    select merchant_id, day, network_id, token, type, movements, amount, fee from movement_tally
    union all
    select merchant_id, day, network_id, token, type, movements, amount, fee
    from movement_tally_change
  ) m where is_seen(merchant_id);
create view seen_endpoint_movement as
  select * from (
    select merchant_id, day, network_id, token, endpoint_id, payments, amount
    from x402_endpoint_tally
    union all
    select merchant_id, day, network_id, token, endpoint_id, movements, amount
    from movement_tally_change where endpoint_id is not null
  ) m where is_seen(merchant_id);
-- Of all merchants together, so for the operator alone.
create view seen_money_day as
  select * from (
    select day, network_id, token, type, movements, amount, fee from money_day
    union all
    select day, network_id, token, type, movements, amount, fee from movement_tally_change
  ) m where current_setting('remit.merchant', true) = 'all';
create view seen_merchant as select id, name from merchant where is_seen(id);
create view seen_endpoint as
  select id, merchant_id, url, active from x402_endpoint where is_seen(merchant_id);
create view seen_invoice as
  select id, merchant_id, reference, target_network, paid_at, completed_at, deposit_address
  from invoice where is_seen(merchant_id);
create view seen_payment as
  select id, merchant_id, network_id, token, sender, amount, kind, status, confirmed_at
  from payment where is_seen(merchant_id);
create view seen_settlement as
  select id, merchant_id, invoice_id, network_id, token, amount, fee, fee_owed, recipient, tx_hash,
    block_number, created_at, confirmed_at, status
  from settlement where is_seen(merchant_id);
create view seen_refund as
  select id, merchant_id, invoice_id, network_id, token, amount, recipient, tx_hash, block_number,
    created_at, confirmed_at, status, order_number
  from refund where is_seen(merchant_id);
create view seen_x402_payment as
  select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, amount, tx_hash,
    created_at, settled_at, confirmed_at
  from x402_payment where is_seen(merchant_id);
create view seen_payout as
  select id, merchant_id, network_id, token, treasury, remitted, fee, fee_held, tx_hash, log_index,
    block_number, block_time
  from x402_distribution where is_seen(merchant_id);

select allow('{api}', '{select}', '{table x402_endpoint_tally, table money_day, table seen_movement,
  table seen_endpoint_movement, table seen_money_day, table seen_merchant, table seen_endpoint,
  table seen_invoice, table seen_payment, table seen_settlement, table seen_refund,
  table seen_x402_payment, table seen_payout}');
select withhold('{worker, notifier, indexer}', '{table x402_endpoint_tally, table money_day}');
-- Of the authorizations that tokens tell of, the indexer keeps those that were claimed here.
select allow('{indexer}', '{select}', '{table x402_payment}',
  '{network_id, asset, payer, authorization_nonce}');
