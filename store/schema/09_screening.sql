-- Payers' addresses that a service of the operator's is asked about before their money is sent on.

-- What is known of an address.
create table screening (
  address evm_address primary key,
  -- The last answer; null before the first.
  verdict text check (verdict in ('allow', 'hold')),
  decided_by text check (decided_by in ('service', 'operator')),
  -- The service's own words, or the operator's.
  note text check (length(note) <= 200),
  decided_at timestamptz,
  -- Until when the service's answer counts; null for an operator's, which counts until it is withdrawn.
  valid_until timestamptz,
  -- When the service is to be asked; null while it need not be.
  ask_at timestamptz default now(),
  -- How often it gave no answer in a row, and why not the last time.
  failures integer not null default 0 check (failures >= 0),
  fault text check (length(fault) <= 200),
  since timestamptz not null default now(),
  check ((verdict is null) = (decided_by is null) and (verdict is null) = (decided_at is null))
);
create index screening_due on screening (ask_at) where ask_at is not null;
create index screening_open on screening (since) where verdict is distinct from 'allow';
select allow('{api}', '{select}', '{table screening}');
select allow('{worker}', '{select, update, delete}', '{table screening}');
select withhold('{notifier, indexer}', '{table screening}');

-- Invoices to recalculate when money of this address is released.
create table screening_waiter (
  address evm_address not null references screening (address),
  invoice_id uuid not null references invoice (id) on delete cascade,
  primary key (address, invoice_id)
);
create index screening_waiter_by_invoice on screening_waiter (invoice_id);
select allow('{worker}', '{select, insert, delete}', '{table screening_waiter}');
select withhold('{api, notifier, indexer}', '{table screening_waiter}');

-- Queues addresses without a valid answer, and notifies the workers. The API may not write answers, so that
-- stolen credentials clear no address.
create function want_screening(payers text[]) returns void language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into screening as s (address)
  select distinct payer from unnest(payers) as payer order by 1
  on conflict (address) do update set verdict = null, decided_by = null, note = null,
    decided_at = null, valid_until = null, ask_at = now(), since = now()
    where s.ask_at is null and s.valid_until <= now();
  if found then perform pg_notify('screening', ''); end if;
end $$;
select allow('{api, worker}', '{execute}', '{function want_screening(text[])}');
