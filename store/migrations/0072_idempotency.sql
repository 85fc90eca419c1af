-- Requests that carry an Idempotency-Key, from before they are carried out. What such a request creates has
-- its id from here, so that a repeat after a crash finds it, or makes it for the first time, and never twice.
create table idempotency_key (
  merchant_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of the method, the path and the body.
  request_hash bytea not null check (length(request_hash) = 32),
  object_id uuid not null,
  -- Who carries it out, and until when nobody else may.
  owner uuid not null,
  leased_until timestamptz not null,
  status smallint,
  answer text,
  created_at timestamptz not null default now(),
  primary key (merchant_id, key),
  check ((status is null) = (answer is null))
);
create index idempotency_key_old on idempotency_key (created_at);
select allow('{api}', '{select, insert, update, delete}', '{table idempotency_key}');
select allow('{worker}', '{select}', '{table idempotency_key}', '{merchant_id, key, created_at}');
select allow('{worker}', '{delete}', '{table idempotency_key}');
select withhold('{worker}', '{table idempotency_key}',
  '{request_hash, object_id, owner, leased_until, status, answer}');
select withhold('{notifier, indexer}', '{table idempotency_key}');
