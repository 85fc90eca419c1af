-- What x402 payments and the payouts of forwarders add up to is summed by the day, like invoices' movements,
-- and what all merchants' movements add up to is summed by chain and token: for figures that are read every
-- few seconds, however many merchants and days there are. Which types there are is told by the functions below
-- and by those of invoices.
lock table movement_tally, x402_payment, x402_distribution in share row exclusive mode;
alter table movement_tally drop constraint movement_tally_type_check;
alter table movement_tally add constraint movement_tally_type_check check (type ~ '^[a-z0-9_]+$');

create table money_total (
  network_id text not null,
  token text not null,
  type text not null,
  movements bigint not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  primary key (network_id, token, type)
);

create function tally_x402_payment() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.confirmed_at is not null then
    perform note_movement(old.merchant_id, old.confirmed_at, old.network_id, old.asset,
      'x402_payment', -1, old.amount, 0);
  end if;
  if new.confirmed_at is not null then
    perform note_movement(new.merchant_id, new.confirmed_at, new.network_id, new.asset,
      'x402_payment', 1, new.amount, 0);
  end if;
  return null;
end $$;
create trigger x402_payment_moved_on after update of confirmed_at on x402_payment for each row
  when (old.confirmed_at is distinct from new.confirmed_at) execute function tally_x402_payment();

-- Payouts are booked as they stand on the chain; those of a block that is gone are deleted.
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

insert into movement_tally (merchant_id, day, network_id, token, type, movements, amount, fee)
select merchant_id, (confirmed_at at time zone 'UTC')::date, network_id, asset, 'x402_payment',
  count(*), sum(amount), 0
from x402_payment where confirmed_at is not null group by 1, 2, 3, 4
union all
select merchant_id, (block_time at time zone 'UTC')::date, network_id, token, 'x402_payout',
  count(*), sum(remitted + fee), sum(fee)
from x402_distribution group by 1, 2, 3, 4;

-- What is not added up yet is added to the totals when it is.
insert into money_total (network_id, token, type, movements, amount, fee)
select network_id, token, type, sum(movements), sum(amount), sum(fee) from movement_tally
group by 1, 2, 3;

select allow('{api}', '{select}', '{table money_total}');
select allow('{worker}', '{select, insert, update}', '{table money_total}');
select withhold('{notifier, indexer}', '{table money_total}');
-- How many transactions of a relayer are on their way, for figures.
select allow('{api}', '{select}', '{table relayer_tx}', '{state, confirmed_at}');
