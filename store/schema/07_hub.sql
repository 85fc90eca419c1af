-- The hub contract on each chain: which hubs there are, what was last read of them, and the registry of
-- merchants.

-- The hubs that this deployment pays through, as a worker or the operator has named them. The API may not add
-- one: money that is sent to what a foreign hub commands is that hub's.
create table known_hub (
  address evm_address primary key,
  created_at timestamptz not null default now()
);
select allow('{worker}', '{select, insert}', '{table known_hub}');
select withhold('{api, notifier, indexer}', '{table known_hub}');

-- Refuses an address of a hub that no worker has named.
create function refuse_strange_hub() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from known_hub where address = new.hub) then
    raise insufficient_privilege using message = 'no worker has named the hub ' || new.hub;
  end if;
  return new;
end $$;

-- What was last read of each hub in use. One read serves every process of a chain.
create table hub_state (
  network_id text not null,
  hub evm_address not null,
  -- The block whose state this is.
  block bigint not null check (block >= 0),
  seen_at timestamptz not null default now(),
  -- What guardian or owner have stopped: 1 sweeps, 2 distributions, 4 refunds and rescues, 8 registry.
  stops smallint not null check (stops between 0 and 255),
  owner evm_address not null,
  pending_owner evm_address not null,
  guardian evm_address not null,
  config_signer evm_address not null,
  refund_signer evm_address not null,
  fee_collector evm_address not null,
  -- In seconds.
  owner_delay bigint not null check (owner_delay >= 0),
  config_delay bigint not null check (config_delay >= 0),
  -- Up to which block the hub's events have been read.
  news_block bigint not null default 0 check (news_block >= 0),
  -- Where it differs from the configuration of the chain's leader, in sentences.
  differences text[] not null default '{}',
  primary key (network_id, hub)
);
select allow('{api}', '{select}', '{table hub_state}');
select allow('{worker}', '{select, insert, update, delete}', '{table hub_state}');
select withhold('{notifier, indexer}', '{table hub_state}');

-- Which tokens a hub sweeps, and how much of each it refunds, in base units.
create table hub_token (
  network_id text not null,
  hub evm_address not null,
  token evm_address not null,
  is_listed boolean not null,
  -- Within any 24 hours, and what is left of it now; both null without a limit.
  refund_limit base_units,
  refund_room base_units,
  primary key (network_id, hub, token),
  foreign key (network_id, hub) references hub_state (network_id, hub) on delete cascade
);
select allow('{api}', '{select}', '{table hub_token}');
select allow('{worker}', '{select, insert, update, delete}', '{table hub_token}');
select withhold('{notifier, indexer}', '{table hub_token}');

-- What guardian or owner have stopped, and since when.
create table hub_stop (
  network_id text not null,
  hub evm_address not null,
  part text not null check (part in ('sweeps', 'distributions', 'refunds', 'registry')),
  since timestamptz not null,
  -- Null where the event was not seen.
  stopped_by evm_address,
  primary key (network_id, hub, part),
  foreign key (network_id, hub) references hub_state (network_id, hub) on delete cascade
);
select allow('{api}', '{select}', '{table hub_stop}');
select allow('{worker}', '{select, insert, update, delete}', '{table hub_stop}');
select withhold('{notifier, indexer}', '{table hub_stop}');

-- Calls that the hub's owner has proposed and may carry out from `ready_at` on.
create table hub_proposal (
  network_id text not null,
  hub evm_address not null,
  -- The hash of the call.
  id evm_hash not null,
  call text not null,
  -- The call in words.
  summary text not null,
  ready_at timestamptz not null,
  primary key (network_id, hub, id),
  foreign key (network_id, hub) references hub_state (network_id, hub) on delete cascade
);
select allow('{api}', '{select}', '{table hub_proposal}');
select allow('{worker}', '{select, insert, update, delete}', '{table hub_proposal}');
select withhold('{notifier, indexer}', '{table hub_proposal}');

-- Pending changes of a merchant's treasury. The merchant need not be one of ours: a stolen key signs anything.
create table hub_change (
  network_id text not null,
  hub evm_address not null,
  merchant_id uuid not null,
  treasury evm_address not null,
  version bigint not null,
  -- Null after a veto.
  ready_at timestamptz,
  primary key (network_id, hub, merchant_id),
  foreign key (network_id, hub) references hub_state (network_id, hub) on delete cascade
);
select allow('{api}', '{select}', '{table hub_change}');
select allow('{worker}', '{select, insert, update, delete}', '{table hub_change}');
select withhold('{notifier, indexer}', '{table hub_change}');

-- A merchant's entry in the registry of a hub, by what relayers did and what the chain's leader has read. A hub
-- that has an entry takes another treasury only after a delay, in which the guardian can veto it.
create table registry_entry (
  network_id text not null,
  hub evm_address not null,
  merchant_id uuid not null references merchant (id),
  -- The active entry; null while there is none.
  version bigint check (version > 0),
  treasury evm_address,
  -- Whether the active entry is none that this ledger has requested.
  is_foreign boolean not null default false,
  -- The newest change that waits, until this chain time at least, or that was vetoed: then it has no time, and
  -- its version is burnt.
  change_version bigint check (change_version > 0),
  change_treasury evm_address,
  change_ready_at timestamptz,
  -- When it is to be read, from the state of this block on; null while nothing is expected to change.
  look_at timestamptz,
  look_from bigint,
  seen_at timestamptz not null default now(),
  primary key (network_id, hub, merchant_id),
  check ((version is null) = (treasury is null)),
  check ((change_version is null) = (change_treasury is null)),
  check (change_version is not null or change_ready_at is null),
  check ((look_at is null) = (look_from is null))
);
create index registry_entry_due on registry_entry (network_id, look_at) where look_at is not null;
create index registry_entry_of_merchant on registry_entry (merchant_id);
-- Those that operators must know of.
create index registry_entry_alarming on registry_entry (network_id)
  where change_version is not null or is_foreign;
select allow('{api}', '{select}', '{table registry_entry}');
select allow('{worker}', '{select, insert, update}', '{table registry_entry}');
select withhold('{notifier, indexer}', '{table registry_entry}');

-- The version by which a merchant is paid at a hub, if it can be paid now: its newest one once that is active,
-- or after a veto the one before it, as far as this ledger has requested it. Null while a change waits.
create function payable_version(
  on_network text, at_hub text, of_merchant uuid, newest integer
) returns bigint language sql stable as $$
  select case
    when e.change_ready_at is not null or e.version > newest then null
    when c.state = 'settled' then newest::bigint
    when e.change_version >= newest and own.id is not null then e.version
  end
  from (select 'configure:' || on_network || ':' || at_hub || ':' || of_merchant || ':' as prefix) key
  left join work_item c on c.dedupe_key = key.prefix || newest
  left join registry_entry e on e.network_id = on_network and e.hub = at_hub
    and e.merchant_id = of_merchant
  left join work_item own on own.dedupe_key = key.prefix || e.version
    and own.state = 'settled' and own.payload->>'treasury' = e.treasury
$$;
select allow('{worker}', '{execute}', array['function payable_version(text, text, uuid, integer)']);

-- Makes sure that a merchant's registry entry of this version is on its way to the hub. Returns what a sweep is
-- to name, and the work item to wait for, or null when there is nothing to wait for. An entry that failed is
-- sent again, after a pause as long as it has been tried for, an hour at most: what was in its way passes, like
-- a signer that is being replaced, and until then it must not burn gas. One whose version is burnt is not sent
-- again, because a hub takes no version at or below the newest that it knows; the entry that it was to replace
-- is then the one that pays.
create function ensure_configured(
  on_network text, at_hub text, of_merchant uuid, wanted_treasury text, fee_bps integer,
  fee_cap numeric, wanted_version integer,
  out waits_for bigint, out version bigint, out treasury text
) language plpgsql as $$
#variable_conflict use_column
declare
  key text := 'configure:' || on_network || ':' || at_hub || ':' || of_merchant || ':'
    || wanted_version;
  item work_item;
  known registry_entry;
begin
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'configure', key, jsonb_build_object('hub', at_hub, 'merchantId', of_merchant,
    'treasury', wanted_treasury, 'feeBps', fee_bps, 'feeCap', fee_cap::text,
    'version', wanted_version))
  on conflict (dedupe_key) do nothing;
  select * into strict item from work_item where dedupe_key = key;
  ensure_configured.waits_for := case when item.state = 'settled' then null else item.id end;
  ensure_configured.version := wanted_version;
  ensure_configured.treasury := wanted_treasury;
  if item.state not in ('failed', 'review') then return; end if;
  select * into known from registry_entry e
  where e.network_id = on_network and e.hub = at_hub and e.merchant_id = of_merchant;
  if greatest(known.version, known.change_version) >= wanted_version then
    if payable_version(on_network, at_hub, of_merchant, wanted_version) is not null then
      ensure_configured.waits_for := null;
      ensure_configured.version := known.version;
      ensure_configured.treasury := known.treasury;
    end if;
    return;
  end if;
  update work_item set state = 'queued', tx_id = null, log_index = null, result = null,
    -- Signed again: the signer may be another one by now.
    payload = payload - 'carried',
    not_before = updated_at + least(updated_at - created_at, interval '1 hour'),
    updated_at = now()
  where id = item.id;
end $$;
select allow('{worker}', '{execute}',
  array['function ensure_configured(text, text, uuid, text, integer, numeric, integer)']);
