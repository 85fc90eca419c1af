-- A merchant's money on its way, for balances: none of it is for long.
create index payment_pending on payment (merchant_id) where status = 'pending';
create index settlement_under_way on settlement (merchant_id) where status in ('open', 'mined');
create index refund_under_way on refund (merchant_id) where status in ('open', 'mined');

-- What came in another token or on another chain is summed, too: refunds give it back, and balances would
-- not add up without it. Reports by the day leave it out, as before.
lock table payment in share row exclusive mode;
alter table movement_tally drop constraint movement_tally_type_check;
alter table movement_tally add constraint movement_tally_type_check
  check (type in ('payment', 'late_payment', 'other_deposit', 'settlement', 'refund'));
create function type_of_movement(kind text) returns text language sql immutable
set search_path = pg_catalog, pg_temp as $$
  select case kind when 'late' then 'late_payment' when 'foreign' then 'other_deposit'
    else 'payment' end
$$;
create or replace function tally_payment() returns trigger language plpgsql
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
insert into movement_tally (merchant_id, day, network_id, token, type, movements, amount, fee)
select merchant_id, (confirmed_at at time zone 'UTC')::date, network_id, token, 'other_deposit',
  count(*), sum(amount), 0
from payment where status = 'confirmed' and kind = 'foreign' group by 1, 2, 3, 4;
