-- Sending transactions. Everything that is broadcast was committed here first; see ARCHITECTURE.md.

-- What one chain's actors know about it. Progress is stored, never held in memory only.
create table chain_state (
  network_id text primary key,
  chain_id bigint not null,
  genesis_hash text not null,
  head bigint not null default 0,
  head_hash text,
  head_time timestamptz,
  -- The time of the newest block that has the chain's confirmations.
  confirmed_time timestamptz,
  -- When the head was last read from a node, by our own clock.
  head_seen_at timestamptz,
  -- The indexer's head as of the last complete projection.
  projected_block bigint not null default 0,
  -- When deposit balances were last compared with the ledger.
  healed_at timestamptz,
  rpc_error text
);

-- The newest blocks of each chain, by which a reorganisation is noticed and dated.
create table chain_block (
  network_id text not null,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  time timestamptz not null,
  primary key (network_id, number)
);

create table relayer_key (
  network_id text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  lease_owner text,
  lease_until timestamptz not null default 'epoch',
  fence bigint not null default 0,
  next_nonce bigint not null check (next_nonce >= 0),
  status text not null default 'active' check (status in ('active', 'draining', 'no_funds', 'quarantined')),
  balance numeric(78, 0),
  balance_at timestamptz,
  note text,
  created_at timestamptz not null default now(),
  primary key (network_id, address)
);

create table relayer_tx (
  id bigint generated always as identity primary key,
  network_id text not null,
  address text not null,
  account_nonce bigint not null check (account_nonce >= 0),
  kind text not null,
  target text not null,
  calldata text not null,
  gas_limit bigint not null check (gas_limit > 0),
  -- signed: open; mined: a receipt was seen; final: too deep to be reorganised; foreign: the nonce
  -- was used by a transaction that is not ours.
  state text not null default 'signed' check (state in ('signed', 'mined', 'final', 'foreign')),
  -- What the mined attempt did: succeeded, reverted, or cancelled (an empty transfer to ourselves).
  outcome text check (outcome in ('succeeded', 'reverted', 'cancelled')),
  cancel_requested boolean not null default false,
  mined_hash text,
  mined_block bigint,
  mined_block_hash text,
  created_at timestamptz not null default now(),
  mined_at timestamptz,
  -- When it reached the chain's confirmations; what it did counts from then on.
  confirmed_at timestamptz,
  unique (network_id, address, account_nonce),
  foreign key (network_id, address) references relayer_key (network_id, address),
  check ((state in ('mined', 'final')) = (mined_hash is not null and outcome is not null))
);
create index relayer_tx_open on relayer_tx (network_id, address, account_nonce) where state = 'signed';
create index relayer_tx_unfinal on relayer_tx (network_id, mined_block) where state = 'mined';

create table relayer_attempt (
  network_id text not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  tx_id bigint not null references relayer_tx (id),
  seq integer not null check (seq > 0),
  raw text not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  is_cancel boolean not null default false,
  last_error text,
  broadcast_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (network_id, hash),
  unique (tx_id, seq)
);

create table work_item (
  id bigint generated always as identity primary key,
  network_id text not null,
  kind text not null check (kind in ('configure', 'sweep', 'deploy', 'distribute', 'x402', 'refund')),
  dedupe_key text not null unique,
  payload jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'assigned', 'settled', 'failed', 'review')),
  tx_id bigint references relayer_tx (id),
  log_index integer,
  result jsonb,
  tries integer not null default 0,
  -- An item that must have settled first, e.g. the registry entry that a sweep pays to.
  waits_for bigint references work_item (id),
  -- The most items that may share a transaction with this one; shrinks after a reverted batch.
  batch_limit integer not null default 100 check (batch_limit > 0),
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'queued') <= (tx_id is null)),
  check ((state = 'assigned') <= (tx_id is not null))
);
create index work_item_queued on work_item (network_id, kind, not_before, id) where state = 'queued';
create index work_item_by_tx on work_item (tx_id) where tx_id is not null;
create index work_item_waiting on work_item (waits_for) where waits_for is not null;
