-- What each hub in use was last seen to be. One look serves every process of a chain.
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
  primary key (network_id, hub)
);

-- Which tokens a hub sweeps, and how much of each it refunds, in base units.
create table hub_token (
  network_id text not null,
  hub evm_address not null,
  token evm_address not null,
  is_listed boolean not null,
  -- Within any 24 hours; null without a limit.
  refund_limit base_units,
  -- What is left of it now; null without a limit.
  refund_room base_units,
  primary key (network_id, hub, token),
  foreign key (network_id, hub) references hub_state (network_id, hub) on delete cascade
);

-- A refusal has shown that a chain's hubs are not as they were last seen: they are to be looked at soon.
alter table chain_state add column hub_look_asked_at timestamptz;

-- Why the hub does not take this queued item now, in a word; `result` says it in a sentence. It is tried
-- again when the hub is seen to have changed, and now and then.
alter table work_item add column hub_wait text
  check (hub_wait in ('stopped', 'merchant_change', 'refund_limit'));
create index work_item_hub_wait on work_item (network_id, kind, hub_wait)
  where state = 'queued' and hub_wait is not null;

select allow('{worker}', '{select, insert, update, delete}', '{table hub_state, table hub_token}');
select allow('{api}', '{select}', '{table hub_state, table hub_token}');
select withhold('{notifier, indexer}', '{table hub_state, table hub_token}');
