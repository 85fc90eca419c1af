-- What is known of each chain, and the addresses that are watched there.

-- Where the workers of a chain are. Progress is stored, never held in memory only.
create table chain_state (
  network_id text primary key,
  chain_id bigint not null,
  genesis_hash text not null,
  -- The leader's head, and its chain time.
  head bigint not null default 0,
  head_hash text,
  head_time timestamptz,
  -- When the head was last read from a node, and when it last moved: a chain may stand still while its nodes
  -- answer.
  head_seen_at timestamptz,
  head_moved_at timestamptz,
  -- The time of the newest block that has the chain's confirmations.
  confirmed_time timestamptz,
  -- The indexer's head as of the last complete projection.
  projected_block bigint not null default 0,
  -- Up to which block the hub's distributions, and the events of x402 channels, are booked.
  distributions_block bigint,
  channels_block bigint,
  -- When deposit balances were last compared with the ledger.
  healed_at timestamptz,
  -- The least amounts worth a sweep that the leader last worked with, by token. When they change, what was held
  -- for being too little is decided again.
  least_sweeps jsonb,
  -- When a refusal last showed that a hub is not as it was last read: it is read again soon.
  hub_read_requested_at timestamptz,
  -- Why nodes don't answer; null while they do.
  rpc_error text
);
select allow('{api}', '{select}', '{table chain_state}');
select allow('{worker}', '{select, insert, update}', '{table chain_state}');
select allow('{indexer}', '{select}', '{table chain_state}', '{network_id, genesis_hash, head}');
select withhold('{notifier, indexer}', '{table chain_state}');

-- The newest blocks of each chain, by which a reorganisation is noticed and dated.
create table chain_block (
  network_id text not null,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  time timestamptz not null,
  primary key (network_id, number)
);
select allow('{worker}', '{select, insert, update, delete}', '{table chain_block}');
select allow('{indexer}', '{select}', '{table chain_block}', '{network_id, number, hash}');
select withhold('{api, notifier, indexer}', '{table chain_block}');

-- The newest header of each chain, as the nodes of its RPC URLs returned it: the indexer's process reads it
-- once for all processes, and notifies them.
create table chain_head (
  network_id text primary key,
  number bigint not null check (number >= 0),
  hash evm_hash not null,
  parent_hash evm_hash not null,
  time timestamptz not null,
  -- In wei.
  base_fee_per_gas numeric(78, 0) not null check (base_fee_per_gas >= 0),
  gas_limit numeric(78, 0) not null check (gas_limit >= 0),
  -- When the nodes last returned it, and when they returned it first.
  announced_at timestamptz not null,
  moved_at timestamptz not null
);
select allow('{api, worker}', '{select}', '{table chain_head}');
select allow('{indexer}', '{select, insert, update, delete}', '{table chain_head}');
select withhold('{notifier}', '{table chain_head}');

-- What the node behind each RPC URL returned last. The URL itself may hold a key, its host holds none.
create table chain_node (
  network_id text not null,
  -- The URL's place in the configuration.
  position smallint not null check (position >= 0),
  host text not null,
  -- Null before its first answer.
  head bigint,
  -- When it last returned another block than before, or was first asked.
  moved_at timestamptz not null,
  -- Why the node is not used: it answers for another chain, is on a branch of its own, or names a block far
  -- above what every other node returns.
  fault text check (fault in ('wrong_chain', 'forked', 'ahead')),
  primary key (network_id, position)
);
select allow('{api, worker}', '{select}', '{table chain_node}');
select allow('{indexer}', '{select, insert, update, delete}', '{table chain_node}');
select withhold('{notifier}', '{table chain_node}');

-- Optional tokens of the registry that the index follows: from then on they may be offered. They stay, even
-- when the hub no longer lists them: what was requested may still be paid.
create table indexed_token (
  network_id text not null,
  token evm_address not null,
  since timestamptz not null default now(),
  primary key (network_id, token)
);
select allow('{api, worker}', '{select}', '{table indexed_token}');
select allow('{indexer}', '{select, insert}', '{table indexed_token}');
select withhold('{notifier}', '{table indexed_token}');

create domain watched_kind as text check (value in ('deposit', 'forwarder'));

-- Every address whose incoming transfers are recorded, on every chain, for ever. Invoices are never deleted, so
-- that a foreign key would only cost time: it took a sixth of the database's time for an invoice.
create table watched (
  address evm_address primary key,
  kind watched_kind not null,
  -- Written together with the invoice or forwarder that refers to the merchant.
  merchant_id uuid not null,
  invoice_id uuid,
  check ((kind = 'deposit') = (invoice_id is not null))
);
select allow('{api, worker, indexer}', '{select}', '{table watched}');
select allow('{api}', '{insert}', '{table watched}', '{address, kind, merchant_id, invoice_id}');
select withhold('{notifier}', '{table watched}');
