-- What a merchant's payments, settlements and refunds add up to, by the day (UTC) of their confirmation, for
-- reports: exact, and in the same transaction as the rows. As with invoices, changes are written down beside
-- the sums, and added up every few seconds. Rows of money are never deleted, so nothing looks for that.
create table movement_tally (
  merchant_id uuid not null,
  day date not null,
  network_id text not null,
  token text not null,
  type text not null check (type in ('payment', 'late_payment', 'settlement', 'refund')),
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  primary key (merchant_id, day, network_id, token, type)
);
create table movement_tally_change (
  id bigint generated always as identity primary key,
  merchant_id uuid not null,
  day date not null,
  network_id text not null,
  token text not null,
  type text not null,
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null
);
create index movement_tally_change_by_merchant on movement_tally_change (merchant_id, day);

create function note_movement(merchant_id uuid, confirmed_at timestamptz, network_id text, token text,
  type text, movements bigint, amount numeric, fee numeric) returns void language sql
set search_path = pg_catalog, public, pg_temp as $$
  insert into movement_tally_change (merchant_id, day, network_id, token, type, movements, amount, fee)
  select $1, ($2 at time zone 'UTC')::date, $3, $4, $5, $6, $6 * $7, $6 * $8 where $2 is not null
$$;

-- Each takes away what the row added before, and adds what it is now. What is no token of ours, or came on
-- another chain, is in no report.
create function tally_payment() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status = 'confirmed' and old.kind <> 'foreign' then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.token,
      case old.kind when 'late' then 'late_payment' else 'payment' end, -1, old.amount, 0);
  end if;
  if new.status = 'confirmed' and new.kind <> 'foreign' then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.token,
      case new.kind when 'late' then 'late_payment' else 'payment' end, 1, new.amount, 0);
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

create function tally_refund() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status = 'confirmed' then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.token, 'refund',
      -1, old.amount, 0);
  end if;
  if new.status = 'confirmed' then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.token, 'refund',
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

insert into movement_tally (merchant_id, day, network_id, token, type, movements, amount, fee)
select merchant_id, (confirmed_at at time zone 'UTC')::date, network_id, token,
  case kind when 'late' then 'late_payment' else 'payment' end, count(*), sum(amount), 0
from payment where status = 'confirmed' and kind <> 'foreign' group by 1, 2, 3, 4, 5
union all
select merchant_id, (confirmed_at at time zone 'UTC')::date, network_id, token, 'settlement',
  count(*), sum(amount), sum(fee)
from settlement where status = 'confirmed' group by 1, 2, 3, 4
union all
select merchant_id, (confirmed_at at time zone 'UTC')::date, network_id, token, 'refund',
  count(*), sum(amount), 0
from refund where status = 'confirmed' group by 1, 2, 3, 4;

select allow('{api}', '{select}', '{table movement_tally, table movement_tally_change}');
select allow('{worker}', '{select}', '{table movement_tally, table movement_tally_change}');
select allow('{worker}', '{insert, update}', '{table movement_tally}');
select allow('{worker}', '{delete}', '{table movement_tally_change}');
select withhold('{notifier, indexer}', '{table movement_tally, table movement_tally_change}');
