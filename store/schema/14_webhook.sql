-- Webhooks: where merchants receive events, and what became of each delivery.

create table webhook_endpoint (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  url text not null check (length(url) between 1 and 2048),
  -- Host and port of the URL, as they are connected to: replays are bounded by it, over all merchants.
  destination text not null default '',
  description text not null default '' check (length(description) <= 1000),
  -- Null: every type of event, also those that come later.
  event_types text[] check (cardinality(event_types) > 0),
  -- Encrypted. The previous one signs beside the new one for a while after a rotation.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  active boolean not null default true,
  -- merchant: switched off; gone: it answered 410; failing: nothing but failures for days.
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing')),
  disabled_at timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- When the URL first answered with 2xx; null before, and then it gets one webhook a minute: webhooks can't be
  -- aimed at servers that never subscribed.
  proven_at timestamptz,
  -- Until when replays of this endpoint use up what its destination takes.
  replayed_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((previous_secret is null) = (previous_until is null)),
  check (active = (disabled_reason is null)),
  check (active = (disabled_at is null))
);
create index webhook_endpoint_by_merchant on webhook_endpoint (merchant_id, created_at desc, id desc);
create index webhook_endpoint_by_destination on webhook_endpoint (destination, replayed_until);
select allow('{api}', '{select}', '{table webhook_endpoint}',
  '{id, merchant_id, url, destination, description, event_types, previous_until, active, disabled_reason,
  disabled_at, failing_since, proven_at, replayed_until, version, created_at, updated_at}');
select allow('{api}', '{insert}', '{table webhook_endpoint}',
  '{id, merchant_id, url, destination, description, event_types, secret, created_at, updated_at}');
select allow('{api}', '{update}', '{table webhook_endpoint}',
  '{url, destination, description, event_types, active, disabled_reason, disabled_at, failing_since, proven_at,
  replayed_until, version, updated_at}');
select allow('{api}', '{delete}', '{table webhook_endpoint}');
select allow('{notifier}', '{select}', '{table webhook_endpoint}');
select allow('{notifier}', '{update}', '{table webhook_endpoint}',
  '{active, disabled_reason, disabled_at, failing_since, proven_at, version, updated_at}');
select withhold('{api}', '{table webhook_endpoint}', '{secret, previous_secret}');
select withhold('{worker, indexer}', '{table webhook_endpoint}');

-- Replaces an endpoint's secret without reading the previous one, which signs beside the new one until the
-- given time; null when it ends at once.
create function rotate_webhook_secret(
  of_merchant uuid, wanted_id uuid, new_secret text, overlap_until timestamptz, at timestamptz
) returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update webhook_endpoint set secret = new_secret,
    previous_secret = case when overlap_until is not null then secret end,
    previous_until = overlap_until, updated_at = at, version = version + 1
  where id = wanted_id and merchant_id = of_merchant
$$;
select allow('{api}', '{execute}',
  array['function rotate_webhook_secret(uuid, uuid, text, timestamptz, timestamptz)']);

-- The names of the keys that secrets of webhooks and authenticators are encrypted with, and how many with each.
-- Names are no secret: processes that lack one don't start, and the operator sees what is still to be
-- re-encrypted.
create function secret_keys_in_use() returns table (kind text, key_id text, secrets bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.kind, split_part(s.stored, ':', 3), count(*)
  from (
    select 'webhook' as kind, secret as stored from webhook_endpoint
    union all
    select 'webhook', previous_secret from webhook_endpoint where previous_secret is not null
    union all
    select 'authenticator', t.secret from auth."twoFactor" t
    union all
    select 'authenticator', t."backupCodes" from auth."twoFactor" t
  ) s
  group by 1, 2 order by 1, 2
$$;
select allow('{api, notifier}', '{execute}', '{function secret_keys_in_use()}');

-- Which notifier sends to which endpoint: one at a time has all of an endpoint's deliveries, so that no lease
-- has to be written for each of them. An expired lease belongs to a process that is gone. It is no part of the
-- endpoint, whose row merchants lock when they change it.
create table webhook_lease (
  endpoint_id uuid primary key,
  owner text not null,
  until timestamptz not null,
  -- Of an endpoint whose URL is not proven: when the next webhook may be sent. It outlives the lease.
  next_probe_at timestamptz
);
select allow('{notifier}', '{select, insert, update, delete}', '{table webhook_lease}');
select withhold('{api, worker, indexer}', '{table webhook_lease}');

-- The notifiers that are at work, so that each knows which part of the endpoints is its own.
create table notifier (
  owner text primary key,
  until timestamptz not null
);
select allow('{notifier}', '{select, insert, update, delete}', '{table notifier}');
select withhold('{api, worker, indexer}', '{table notifier}');

-- One event on its way to one endpoint. Without foreign keys: the fan-out locks the events and the endpoints of
-- what it inserts, so that checking each row again took half of its time. What deletes an event or an endpoint
-- deletes its deliveries.
create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null,
  -- Copied from the event, for lists by type.
  event_type text not null,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  -- All attempts that were made, and those since the schedule last began.
  attempts integer not null default 0 check (attempts >= 0),
  step integer not null default 0 check (step between 0 and attempts),
  next_attempt_at timestamptz not null default now(),
  -- HTTP status and error of the last attempt.
  last_status integer,
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((state = 'pending') = (finished_at is null))
);
-- What an endpoint is to be sent, the longest overdue first.
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at, event_id)
  where state = 'pending';
-- Failed deliveries, which the merchant may replay.
create index webhook_delivery_failed on webhook_delivery (endpoint_id, event_id)
  where state = 'failed';
-- In the order of the lists (events' ids grow with time), with all that they are filtered by.
create unique index webhook_delivery_listed on webhook_delivery (endpoint_id, event_id)
  include (state, event_type, id);
select allow('{api}', '{select, delete}', '{table webhook_delivery}');
select allow('{api}', '{insert}', '{table webhook_delivery}', '{endpoint_id, event_id, event_type}');
select allow('{api}', '{update}', '{table webhook_delivery}',
  '{state, step, next_attempt_at, last_error, finished_at}');
select allow('{notifier}', '{select, insert, update, delete}', '{table webhook_delivery}');
select withhold('{worker, indexer}', '{table webhook_delivery}');

-- One attempt of a delivery.
create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery (id) on delete cascade,
  number integer not null check (number > 0),
  at timestamptz not null,
  latency_ms integer not null check (latency_ms >= 0),
  -- The HTTP status of the answer; null when there was none.
  status integer,
  -- Why it counts as a failure; null for a success.
  error text,
  -- The beginning of the answer's body.
  answer text,
  primary key (delivery_id, number)
);
-- What endpoints answered, the oldest first: what retention looks for, however many attempts there were.
create index webhook_attempt_answered on webhook_attempt (at) where answer is not null;
select allow('{api}', '{select}', '{table webhook_attempt}');
select allow('{notifier}', '{select, insert}', '{table webhook_attempt}');
select allow('{notifier}', '{update}', '{table webhook_attempt}', '{answer}');
select withhold('{worker, indexer}', '{table webhook_attempt}');

-- How many deliveries an endpoint has, by the day (UTC) of their events, by state and by type: as with
-- invoices, changes are written beside the counters and added up later.
create table delivery_tally (
  endpoint_id uuid not null,
  day date not null,
  state text not null,
  event_type text not null,
  deliveries bigint not null,
  primary key (endpoint_id, day, state, event_type)
);
create index delivery_tally_empty on delivery_tally (day) where deliveries = 0;
select allow('{api}', '{select}', '{table delivery_tally}');
select allow('{notifier}', '{select, insert, update, delete}', '{table delivery_tally}');
select withhold('{worker, indexer}', '{table delivery_tally}');

-- What is not added up yet.
create table delivery_tally_change (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null,
  day date not null,
  state text not null,
  event_type text not null,
  deliveries integer not null
);
create index delivery_tally_change_by_endpoint on delivery_tally_change (endpoint_id);
select allow('{api}', '{select}', '{table delivery_tally_change}');
select allow('{notifier}', '{select, delete}', '{table delivery_tally_change}');
select withhold('{worker, indexer}', '{table delivery_tally_change}');

-- The day of a UUIDv7, which begins with milliseconds since 1970: RFC 9562, section 5.7.
create function day_of_id(id uuid) returns date language sql immutable parallel safe as $$
  select date '1970-01-01'
    + (('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 86400000)::integer
$$;

-- Counts deliveries that are created, changed or deleted.
create function tally_deliveries() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
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
