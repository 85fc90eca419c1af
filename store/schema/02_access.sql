-- Merchants, their API keys, and requests with an Idempotency-Key.

create table merchant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  -- Where the merchant's money goes; null until it has one.
  recipient evm_address,
  -- Grows with each change of the on-chain registry entry; a hub accepts growing versions only.
  config_version integer not null default 0 check (config_version >= 0),
  -- Whether refunds may go to others than the payment's sender. Set by the operator only, so that a stolen API
  -- key can't refund everything to itself.
  refunds_any boolean not null default false,
  -- The service's fee of x402 payments, in hundredths of a percent, and the most of it for one payment, in
  -- millionths of a whole token, regardless of the token's decimals. The hub keeps the cap in 40 bits.
  x402_fee_bps integer not null default 0 check (x402_fee_bps between 0 and 1000),
  x402_fee_cap base_units not null default 0
    constraint merchant_fee_cap_fits check (x402_fee_cap < 1099511627776),
  created_at timestamptz not null default now()
);
-- Merchants whose registry entry is not their first one: a chain that is added learns of them before all else.
create index merchant_replaced on merchant (id) where config_version > 1;
select allow('{api, worker}', '{select}', '{table merchant}');
select withhold('{notifier, indexer}', '{table merchant}');

-- Merchants are never deleted: what is owed to them outlives them.
create function keep_merchant() returns trigger language plpgsql as $$
begin
  raise exception 'merchants are never deleted';
end $$;
create trigger merchant_kept before delete on merchant
  for each statement execute function keep_merchant();

-- Reads a merchant and keeps it as it is until the transaction ends.
create function lock_merchant(wanted_id uuid) returns setof merchant
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from merchant where id = wanted_id for share
$$;
select allow('{worker}', '{execute}', '{function lock_merchant(uuid)}');

create table api_key (
  -- SHA-256 of the key, which is stored nowhere.
  hash bytea primary key check (length(hash) = 32),
  merchant_id uuid not null references merchant (id),
  kind text not null check (kind in ('secret', 'publishable')),
  -- Its last characters.
  hint text not null,
  -- To the minute; null before the first request.
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
-- One valid key of a kind at a time: rotation revokes the old one in the same statement.
create unique index api_key_active on api_key (merchant_id, kind) where revoked_at is null;
create index api_key_by_merchant on api_key (merchant_id, created_at desc);
select allow('{api}', '{select}', '{table api_key}');
select allow('{api}', '{update}', '{table api_key}', '{last_used_at}');
select withhold('{worker, notifier, indexer}', '{table api_key}');

-- The only way in which the API creates or revokes a key: for an owner or a developer with a second factor, and
-- never without the open entry of the audit log that names them, so that stolen credentials of the API create
-- no key unseen. Without a hash the active key is revoked.
create function replace_api_key(person uuid, of_merchant uuid, of_kind text, new_hash bytea,
  new_hint text) returns boolean language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from member m join auth."user" u on u.id = m.person_id
    join audit_entry e on e.merchant_id = m.merchant_id and e.actor = 'person'
      and e.actor_id = person::text and e.at > clock_timestamp() - interval '1 minute'
      and e.action = case when new_hash is null then 'revokeApiKey' else 'replaceApiKey' end
    where m.merchant_id = of_merchant and m.person_id = person and m.role in ('owner', 'developer')
      and u."twoFactorEnabled"
      and not exists (select from audit_outcome o where o.entry_id = e.id)
  ) then
    raise exception 'no permitted actor requested a change of this key' using errcode = '42501';
  end if;
  update api_key set revoked_at = now()
  where merchant_id = of_merchant and kind = of_kind and revoked_at is null;
  if new_hash is null then
    return found;
  end if;
  insert into api_key (hash, merchant_id, kind, hint)
  values (new_hash, of_merchant, of_kind, new_hint);
  return true;
end $$;
select allow('{api}', '{execute}', array['function replace_api_key(uuid, uuid, text, bytea, text)']);

-- Requests with an Idempotency-Key, stored before they are carried out. What such a request creates has its id
-- from here, so that a repeat after a crash finds it, or creates it for the first time, and never twice.
create table idempotency_key (
  merchant_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of the method, the path and the body's JSON value: another spelling of one value is the same
  -- request.
  request_hash bytea not null check (length(request_hash) = 32),
  object_id uuid not null,
  -- The process that carries it out, and until when no other may.
  owner uuid not null,
  leased_until timestamptz not null,
  -- The answer that repeats get; null while there is none.
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
