-- Sending transactions: keys, transactions, their attempts, and the work that they carry. What is broadcast was
-- committed here first (ARCHITECTURE.md).

-- An account that sends transactions on a chain.
create table relayer_key (
  network_id text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  status text not null default 'active'
    check (status in ('active', 'draining', 'no_funds', 'quarantined')),
  -- The account nonce for which it was quarantined, and its status before: when the nonce turns out to be ours,
  -- the key continues as before, without a person.
  quarantine_nonce bigint,
  quarantined_from text check (quarantined_from in ('active', 'draining', 'no_funds')),
  -- Why it has its status.
  note text,
  -- The worker that sends with it, and until when no other may. The fence grows with each lease.
  lease_owner text,
  lease_until timestamptz not null default 'epoch',
  fence bigint not null default 0,
  next_nonce bigint not null check (next_nonce >= 0),
  -- In wei.
  balance numeric(78, 0),
  balance_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (network_id, address)
);
select allow('{api}', '{select}', '{table relayer_key}');
select allow('{worker}', '{select, insert, update}', '{table relayer_key}');
select withhold('{notifier, indexer}', '{table relayer_key}');

-- A transaction: one account nonce, whichever of its attempts is mined.
create table relayer_tx (
  id bigint generated always as identity primary key,
  network_id text not null,
  address text not null,
  account_nonce bigint not null check (account_nonce >= 0),
  kind text not null,
  target text not null,
  -- Null once it is too late to send it again: retention removes the bytes, the rest stays for ever.
  calldata text,
  gas_limit bigint not null check (gas_limit > 0),
  -- How many items it was made for.
  item_count integer not null default 1 check (item_count >= 1),
  -- signed: open; mined: a receipt was seen; final: too deep to be reorganised; nonce_taken: the nonce was used
  -- by a transaction that is not ours.
  state text not null default 'signed' check (state in ('signed', 'mined', 'final', 'nonce_taken')),
  -- What the mined attempt did: succeeded, reverted, or cancelled (an empty transfer to ourselves).
  outcome text check (outcome in ('succeeded', 'reverted', 'cancelled')),
  cancel_requested boolean not null default false,
  -- The foreign transaction that took the nonce: believed only while the chain has its block.
  taken_by evm_hash,
  mined_hash text,
  mined_block bigint,
  mined_block_hash text,
  -- What the mined attempt cost its sender, in wei, and whose it is: [{merchant, items, wei}]. The merchant is
  -- null for what is no merchant's, as a cancellation. Null without a receipt.
  gas_cost numeric(78, 0) check (gas_cost >= 0),
  gas_shares jsonb,
  created_at timestamptz not null default now(),
  mined_at timestamptz,
  -- When it reached the chain's confirmations; what it did counts from then on.
  confirmed_at timestamptz,
  unique (network_id, address, account_nonce),
  foreign key (network_id, address) references relayer_key (network_id, address),
  check ((state in ('mined', 'final')) = (mined_hash is not null and outcome is not null)),
  constraint relayer_tx_has_calldata check (calldata is not null or state in ('final', 'nonce_taken'))
);
-- What relayers look after: signed, mined and not final, or with a taken nonce that is not decided.
create index relayer_tx_unfinished on relayer_tx (network_id, address, account_nonce)
  where state in ('signed', 'mined') or (state = 'nonce_taken' and confirmed_at is null);
-- Those that are over and still have their bytes: what retention looks for, the oldest first.
create index relayer_tx_with_bytes on relayer_tx (network_id, confirmed_at)
  where calldata is not null and state in ('final', 'nonce_taken');
select allow('{api}', '{select}', '{table relayer_tx}',
  '{id, network_id, address, account_nonce, state, created_at, confirmed_at}');
select allow('{worker}', '{select, insert, update}', '{table relayer_tx}');
select withhold('{api}', '{table relayer_tx}',
  '{kind, target, calldata, gas_limit, item_count, outcome, cancel_requested, taken_by, mined_hash, mined_block,
  mined_block_hash, gas_cost, gas_shares, mined_at}');
select withhold('{notifier, indexer}', '{table relayer_tx}');

-- A signed form of a transaction: the first, one with a higher fee, or a cancellation.
create table relayer_attempt (
  network_id text not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  tx_id bigint not null references relayer_tx (id),
  seq integer not null check (seq > 0),
  is_cancel boolean not null default false,
  -- The signed bytes; null once it is too late to send them again.
  raw text,
  -- In wei per gas.
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  last_error text,
  broadcast_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (network_id, hash),
  unique (tx_id, seq)
);
select allow('{api}', '{select}', '{table relayer_attempt}',
  '{network_id, hash, tx_id, seq, is_cancel, max_priority_fee_per_gas}');
select allow('{worker}', '{select, insert, update}', '{table relayer_attempt}');
select withhold('{api}', '{table relayer_attempt}', '{raw, max_fee_per_gas, last_error, broadcast_at, created_at}');
select withhold('{notifier, indexer}', '{table relayer_attempt}');

-- What is to be done on a chain, once: a relayer puts items of a kind together into transactions.
create table work_item (
  id bigint generated always as identity primary key,
  network_id text not null,
  -- configure: a merchant's registry entry; sweep: a deposit; deploy: a forwarder; distribute: a forwarder's
  -- payout; x402: a payment by signature; x402_wallet: one by a contract wallet, in a lane of its own, because
  -- each may burn the gas that it is given; x402_channel: an action of channels; refund, x402_refund: an order
  -- of the refund key.
  kind text not null check (kind in ('configure', 'sweep', 'deploy', 'distribute', 'x402', 'x402_wallet',
    'x402_channel', 'refund', 'x402_refund')),
  -- Names what it does, so that it is queued once.
  dedupe_key text not null unique,
  payload jsonb not null,
  -- held: it was tried and failed for no reason that the chain knows; it is sent again on request. review: it
  -- waits for a person.
  state text not null default 'queued'
    check (state in ('queued', 'assigned', 'settled', 'failed', 'review', 'held')),
  tx_id bigint references relayer_tx (id),
  -- Of its event in the transaction.
  log_index integer,
  -- What came of it; for a queued item, why it is not sent.
  result jsonb,
  tries integer not null default 0,
  -- The newest transaction that has ever carried it. It stays when the item is queued again, because bytes of
  -- that transaction may still be mined. Null: nothing was ever signed for it.
  carried_by bigint,
  -- An item that must have settled first, e.g. the registry entry that a sweep pays to.
  waits_for bigint references work_item (id),
  -- Why the hub does not take it now, in a word; `result` says it in a sentence. It is tried again when the hub
  -- is seen to have changed, and now and then.
  hub_wait text check (hub_wait in ('stopped', 'merchant_change', 'refund_limit')),
  -- The most items that may share a transaction with this one; shrinks after a reverted batch.
  batch_limit integer not null default 100 check (batch_limit > 0),
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint work_item_queued_check check ((state = 'queued') <= (tx_id is null)),
  constraint work_item_assigned_check check ((state = 'assigned') <= (tx_id is not null)),
  constraint work_item_held_check check ((state = 'held') <= (tx_id is null))
);
create index work_item_by_tx on work_item (tx_id) where tx_id is not null;
create index work_item_waiting on work_item (waits_for) where waits_for is not null;
-- What transactions left undone, which is little however many items they carried, and payouts on their way.
create index work_item_assigned on work_item (tx_id) where state = 'assigned';
create index work_item_distributing on work_item (network_id)
  where kind = 'distribute' and state in ('queued', 'assigned');
-- What waits for a person, for readiness and figures.
create index work_item_review on work_item (network_id, kind) where state = 'review';
-- What may be sent now, by kind and time, without what waits for other work: neither a backlog of one kind nor
-- thousands that wait for one entry make it longer to find.
create index work_item_due on work_item (network_id, kind, not_before, id)
  where state = 'queued' and waits_for is null;
create index work_item_blocked on work_item (network_id, kind, waits_for, id)
  where state = 'queued' and waits_for is not null;
-- What contract wallets have in flight.
create index work_item_wallets_assigned on work_item (network_id)
  where kind = 'x402_wallet' and state = 'assigned';
create index work_item_hub_wait on work_item (network_id, kind, hub_wait)
  where state = 'queued' and hub_wait is not null;
-- Whether any action of channels is pending is asked at every turn.
create index work_item_channels on work_item (network_id)
  where kind = 'x402_channel' and state in ('queued', 'assigned');
select allow('{api}', '{select}', '{table work_item}');
select allow('{worker}', '{select, insert, update, delete}', '{table work_item}');
select withhold('{notifier, indexer}', '{table work_item}');

-- Notes each transaction that an item is assigned to.
create function note_carrier() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.carried_by := new.tx_id;
  return new;
end $$;
create trigger work_item_carried before update of tx_id on work_item for each row
  when (new.tx_id is not null) execute function note_carrier();

-- Whether an item that nothing has ever carried has waited for long enough to be withdrawn: callers choose
-- their own deadlines, and those who choose short ones must not take out of a batch what is about to be signed.
-- What is past `valid_before` (Unix seconds) has waited long enough.
create function may_withdraw(item work_item, valid_before numeric) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select item.carried_by is null and item.state <> 'assigned'
    and (item.updated_at <= clock_timestamp() - interval '10 seconds'
      or coalesce(valid_before <= extract(epoch from clock_timestamp()), false))
$$;

-- The least tip that a node of a chain has named in a refusal, for all workers of the chain.
create table tip_floor (
  network_id text primary key,
  -- In wei per gas.
  tip numeric(78, 0) not null check (tip >= 0),
  -- The node's refusal.
  words text not null check (length(words) <= 500),
  named_at timestamptz not null default now()
);
select allow('{worker}', '{select, insert, update}', '{table tip_floor}');
select withhold('{api, notifier, indexer}', '{table tip_floor}');

-- What final transactions have cost, added up in the transaction that makes them final.
create table gas_spent (
  network_id text not null,
  -- When the receipt was seen, UTC.
  day date not null,
  merchant_id uuid references merchant (id),
  items bigint not null check (items >= 0),
  wei numeric(78, 0) not null check (wei >= 0),
  constraint gas_spent_of_day unique nulls not distinct (network_id, day, merchant_id)
);
select allow('{api}', '{select}', '{table gas_spent}');
select allow('{worker}', '{select, insert, update}', '{table gas_spent}');
select withhold('{notifier, indexer}', '{table gas_spent}');

-- The same by key and hour, for as long as it shows how fast a key is spending.
create table gas_hour (
  network_id text not null,
  address text not null,
  hour timestamptz not null,
  wei numeric(78, 0) not null check (wei >= 0),
  primary key (network_id, address, hour)
);
select allow('{api}', '{select}', '{table gas_hour}');
select allow('{worker}', '{select, insert, update, delete}', '{table gas_hour}');
select withhold('{notifier, indexer}', '{table gas_hour}');

-- What a worker sees that an operator must know of. The worker renews it as long as it lasts: an alarm of a
-- dead worker ends with `until`.
create table worker_alarm (
  network_id text not null,
  worker_id text not null,
  -- turn: a loop's turns fail; aside: items are quarantined; operator: the hub does not let a key send;
  -- fee_ceiling: the network asks for more than nodes let through; nonce: an account nonce is used, and nothing
  -- shows by whom; refund_waits: a refund waits for the hub's limit or its owner; signer: a store of keys
  -- outside of the process does not sign; refused: nodes refuse a transaction again and again.
  kind text not null check (kind in ('turn', 'aside', 'operator', 'fee_ceiling', 'nonce', 'refund_waits',
    'signer', 'refused')),
  subject text not null,
  detail text not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (network_id, worker_id, kind, subject)
);
select allow('{api}', '{select}', '{table worker_alarm}');
select allow('{worker}', '{select, insert, update, delete}', '{table worker_alarm}');
select withhold('{notifier, indexer}', '{table worker_alarm}');

-- What can't be worked on and is retried more and more rarely, until an operator releases it. It outlives
-- processes.
create table quarantine (
  id bigint generated always as identity primary key,
  network_id text not null,
  -- Which part of the work, and what of it.
  part text not null,
  subject text not null,
  fault text not null,
  reason text not null,
  times integer not null check (times > 0),
  first_at timestamptz not null,
  last_at timestamptz not null default now(),
  retry_at timestamptz not null,
  unique (part, subject, network_id)
);
select allow('{api}', '{select}', '{table quarantine}');
select allow('{worker}', '{select, insert, update, delete}', '{table quarantine}');
select withhold('{notifier, indexer}', '{table quarantine}');
