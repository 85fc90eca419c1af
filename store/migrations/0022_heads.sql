-- One look at a chain's head serves every process: the indexer's announces it here, and notifies.

-- The newest header of each chain, as the nodes of its RPC URLs showed it.
create table chain_head (
  network_id text primary key,
  number bigint not null check (number >= 0),
  hash evm_hash not null,
  parent_hash evm_hash not null,
  time timestamptz not null,
  -- In wei.
  base_fee_per_gas numeric(78, 0) not null check (base_fee_per_gas >= 0),
  gas_limit numeric(78, 0) not null check (gas_limit >= 0),
  -- When the nodes last showed it, and when they showed it first.
  announced_at timestamptz not null,
  moved_at timestamptz not null
);

-- What the node behind each RPC URL showed last. The URL itself may hold a key, its host holds none.
create table chain_node (
  network_id text not null,
  -- The URL's place in the configuration.
  position smallint not null check (position >= 0),
  host text not null,
  -- Null while it has shown none.
  head bigint,
  -- When it last showed another block than before, or was asked first.
  moved_at timestamptz not null,
  primary key (network_id, position)
);

-- When the leader's own head last moved, by its clock: a chain may stand still while its nodes answer.
alter table chain_state add column head_moved_at timestamptz;
