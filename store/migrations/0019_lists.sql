-- Lists that merchants narrow down are found and counted in an index alone, without a look at the rows.
create index x402_payment_listed on x402_payment (merchant_id, created_at desc, id desc)
  include (status, endpoint_id, payer, network_id);
drop index x402_payment_by_merchant;
-- Events of one type, in the order in which they are read.
create index outbox_by_type on outbox (merchant_id, type, position) where position is not null;

-- What a delivery tells of, for lists by type, which then need no look at its event.
alter table webhook_delivery add column event_type text;
update webhook_delivery d set event_type = coalesce(
  (select o.type from outbox o where o.id = d.event_id), '');
alter table webhook_delivery alter column event_type set not null;
create function take_type_of_event() returns trigger language plpgsql as $$
begin
  select coalesce((select o.type from outbox o where o.id = new.event_id), '') into new.event_type;
  return new;
end $$;
create trigger webhook_delivery_type before insert on webhook_delivery for each row
  when (new.event_type is null) execute function take_type_of_event();

-- In the order of the lists, with all that they are narrowed down by.
create unique index webhook_delivery_listed on webhook_delivery (endpoint_id, event_id)
  include (state, event_type, id);
alter table webhook_delivery drop constraint webhook_delivery_endpoint_id_event_id_key;

-- How many deliveries an endpoint has, by the day (UTC) of their events, by state and by type: as with
-- invoices, changes are written down beside the counters, and added up later.
create table delivery_tally (
  endpoint_id uuid not null,
  day date not null,
  state text not null,
  event_type text not null,
  deliveries bigint not null,
  primary key (endpoint_id, day, state, event_type)
);
create table delivery_tally_change (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null,
  day date not null,
  state text not null,
  event_type text not null,
  deliveries integer not null
);
create index delivery_tally_change_by_endpoint on delivery_tally_change (endpoint_id);

-- The day of a UUIDv7, which begins with milliseconds since 1970: RFC 9562, section 5.7.
create function day_of_id(id uuid) returns date language sql immutable parallel safe as $$
  select date '1970-01-01'
    + (('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 86400000)::integer
$$;

create function tally_deliveries() returns trigger language plpgsql
security definer set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_tally_change (endpoint_id, day, state, event_type, deliveries)
    select endpoint_id, day_of_id(event_id), state, event_type, count(*)
    from new_delivery group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into delivery_tally_change (endpoint_id, day, state, event_type, deliveries)
    select endpoint_id, day_of_id(event_id), state, event_type, -count(*)
    from old_delivery group by 1, 2, 3, 4;
  else
    insert into delivery_tally_change (endpoint_id, day, state, event_type, deliveries)
    select endpoint_id, day_of_id(event_id), state, event_type, sum(n)
    from (
      select endpoint_id, event_id, state, event_type, 1 as n from new_delivery
      union all
      select endpoint_id, event_id, state, event_type, -1 from old_delivery
    ) changed
    group by 1, 2, 3, 4 having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger webhook_delivery_made after insert on webhook_delivery
  referencing new table as new_delivery for each statement execute function tally_deliveries();
create trigger webhook_delivery_changed after update on webhook_delivery
  referencing old table as old_delivery new table as new_delivery
  for each statement execute function tally_deliveries();
create trigger webhook_delivery_deleted after delete on webhook_delivery
  referencing old table as old_delivery for each statement execute function tally_deliveries();

insert into delivery_tally (endpoint_id, day, state, event_type, deliveries)
select endpoint_id, day_of_id(event_id), state, event_type, count(*)
from webhook_delivery group by 1, 2, 3, 4;
create index delivery_tally_empty on delivery_tally (day) where deliveries = 0;
