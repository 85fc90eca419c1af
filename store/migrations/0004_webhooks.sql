-- Webhooks: where merchants want to hear of events, and what became of each delivery.

create table webhook_endpoint (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  url text not null check (length(url) between 1 and 2048),
  description text not null default '' check (length(description) <= 1000),
  -- Null: every type of event, those that come later included.
  event_types text[] check (cardinality(event_types) > 0),
  secret text not null,
  -- Signs beside the new one for a while after a rotation.
  previous_secret text,
  previous_until timestamptz,
  active boolean not null default true,
  -- merchant: switched off; gone: it answered 410; failing: nothing but failures for days.
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing')),
  disabled_at timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((previous_secret is null) = (previous_until is null)),
  check (active = (disabled_reason is null)),
  check (active = (disabled_at is null))
);
create index webhook_endpoint_by_merchant on webhook_endpoint (merchant_id, created_at desc, id desc);

-- The place in the order in which merchants read their events. It is given by the notifier, one
-- statement at a time, so that nobody who reads in this order can pass by an event that is committed
-- later; null until the event has been made into deliveries.
alter table outbox add column position bigint;
-- For this endpoint alone and whatever its filter, e.g. a test; null for all that want the type.
alter table outbox add column endpoint_id uuid;
create sequence outbox_position;
-- Ids grow with time: old events are found at the beginning.
alter table outbox drop constraint outbox_pkey;
alter table outbox add primary key (id);
create index outbox_waiting on outbox (id) where position is null;
create unique index outbox_by_merchant on outbox (merchant_id, position)
  where position is not null;

-- One event on its way to one endpoint.
create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  event_id uuid not null references outbox (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  -- All attempts that were made, and those since the schedule last began.
  attempts integer not null default 0 check (attempts >= 0),
  step integer not null default 0 check (step between 0 and attempts),
  next_attempt_at timestamptz not null default now(),
  last_status integer,
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Events' ids grow with time, so this is also the order in which deliveries are listed.
  unique (endpoint_id, event_id),
  check ((state = 'pending') = (finished_at is null))
);
-- What an endpoint is to be sent, the longest overdue first.
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at, event_id)
  where state = 'pending';
create index webhook_delivery_by_event on webhook_delivery (event_id);

-- Which process is sending a delivery. It is not a part of the delivery, whose every change costs an
-- entry in each of its indexes. A lease that ran out belongs to a process that is gone.
create table webhook_lease (
  delivery_id uuid primary key,
  endpoint_id uuid not null,
  owner text not null,
  until timestamptz not null
);
create index webhook_lease_by_endpoint on webhook_lease (endpoint_id);

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
