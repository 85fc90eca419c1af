-- What owner and guardian of a hub have done and what the owner is about to do, for operators.
alter table hub_state
  -- Up to which block the hub's news have been read.
  add column news_block bigint not null default 0 check (news_block >= 0),
  -- Where it is not as the configuration of the chain's leader says, in sentences.
  add column differences text[] not null default '{}';

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

-- Another treasury of a merchant, who need not be one of ours: whoever has stolen the key signs anything.
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

select allow('{worker}', '{select, insert, update, delete}',
  '{table hub_stop, table hub_proposal, table hub_change}');
select allow('{api}', '{select}', '{table hub_stop, table hub_proposal, table hub_change}');
select withhold('{notifier, indexer}', '{table hub_stop, table hub_proposal, table hub_change}');
