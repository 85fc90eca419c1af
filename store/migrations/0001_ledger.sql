-- The ledger: merchants, invoices, payments in, settlements out, and what merchants are told.
-- Amounts are base units in numeric(78,0), wide enough for any uint256. Addresses and hashes are
-- lower-case hexadecimal text. Chains are named by their registry id ("base", "sepolia").

-- What one column can say by itself is a domain: Postgres keeps a domain's check ready, while it reads
-- a table's check anew for every statement, which made up a quarter of the cost of an invoice.
create domain evm_address as text check (value ~ '^0x[0-9a-f]{40}$');
create domain evm_hash as text check (value ~ '^0x[0-9a-f]{64}$');
create domain base_units as numeric(78, 0) check (value >= 0);
create domain positive_units as numeric(78, 0) check (value > 0);
create domain external_reference as text check (length(value) between 1 and 255);
create domain invoice_reference as text check (length(value) = 10);
create domain invoice_status as text check (value in ('pending', 'partial', 'paid', 'completed'));
create domain settlement_readiness as text check (
  value in ('none', 'due', 'no_recipient', 'below_gas_threshold', 'failed')
);
create domain watched_kind as text check (value in ('deposit', 'forwarder'));

create table merchant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  recipient evm_address,
  -- Grows with each change of the on-chain registry entry; the hub accepts growing versions only.
  config_version integer not null default 0 check (config_version >= 0),
  x402_fee_bps integer not null default 0 check (x402_fee_bps between 0 and 1000),
  x402_fee_cap base_units not null default 0,
  created_at timestamptz not null default now()
);

-- What is owed to merchants outlives them.
create function keep_merchant() returns trigger language plpgsql as $$
begin
  raise exception 'merchants are never deleted';
end $$;
create trigger merchant_kept before delete on merchant
  for each statement execute function keep_merchant();

create table api_key (
  hash bytea primary key check (length(hash) = 32),
  merchant_id uuid not null references merchant (id),
  kind text not null check (kind in ('secret', 'publishable')),
  hint text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
-- One valid key of a kind at a time: rotation revokes the old one in the same statement.
create unique index api_key_active on api_key (merchant_id, kind) where revoked_at is null;

create table invoice (
  id uuid primary key,
  -- Taken from the key that was just looked up. A reference would make all of a merchant's creations
  -- lock its one row; the trigger above keeps merchants in its place.
  merchant_id uuid not null,
  external_ref external_reference,
  reference invoice_reference not null unique,
  token_symbol text not null,
  chains text[] not null check (cardinality(chains) > 0),
  amount_expected positive_units not null,
  -- The highest fee that may ever be taken; the deposit address commits to it.
  fee_cap base_units not null,
  platform_fee numeric(78, 0) not null check (platform_fee between 0 and fee_cap),
  -- The recipient named at creation; the deposit address commits to it. Null: the merchant's own.
  recipient evm_address,
  hub evm_address not null,
  -- Unique because the address in `watched` is; whose an address is, is looked up there.
  deposit_address evm_address not null,
  metadata jsonb not null default '{}',
  expires_at timestamptz,
  -- Set by an explicit expiry through the API; payments in later blocks are late.
  closed_at timestamptz,
  -- Set once invoice.expired has been written to the outbox.
  expiry_announced_at timestamptz,
  status invoice_status not null default 'pending',
  target_network text,
  pending_amount base_units not null default 0,
  received_amount base_units not null default 0,
  late_amount base_units not null default 0,
  amount_remitted base_units not null default 0,
  -- What the confirmed sweeps had moved when the invoice was completed; null before.
  completed_amount numeric(78, 0),
  settlement_state settlement_readiness not null default 'none',
  settlement_error text,
  -- Counts the changes a merchant can see, so that events about one invoice have an order.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  completed_at timestamptz,
  unique (merchant_id, external_ref)
);
create index invoice_by_merchant on invoice (merchant_id, created_at desc, id desc);
-- Deposits that the healing loop goes round, in the order of ids.
create index invoice_open on invoice (id) where status <> 'completed';
create index invoice_settlement_due on invoice (settlement_state) where settlement_state <> 'none';
create index invoice_expiring on invoice (least(expires_at, closed_at))
  where expiry_announced_at is null and status in ('pending', 'partial')
    and (expires_at is not null or closed_at is not null);

-- Every address whose incoming transfers are recorded, on every chain, for ever.
create table watched (
  address evm_address primary key,
  kind watched_kind not null,
  -- Written together with the invoice or forwarder that refers to the merchant.
  merchant_id uuid not null,
  invoice_id uuid references invoice (id),
  check ((kind = 'deposit') = (invoice_id is not null))
);

create sequence payment_detected_order;

-- One transfer of a token to a deposit address, as seen on-chain.
create table payment (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  network_id text not null,
  tx_hash evm_hash not null,
  log_index integer not null check (log_index >= 0),
  token evm_address not null,
  sender evm_address not null,
  amount positive_units not null,
  -- counted: on time; late: after the expiry; foreign: another token, or a chain not on the invoice.
  kind text not null check (kind in ('counted', 'late', 'foreign')),
  status text not null check (status in ('pending', 'confirmed', 'reverted')),
  block_number bigint not null,
  block_hash evm_hash not null,
  block_time timestamptz not null,
  fee numeric(78, 0) not null default 0 check (fee between 0 and amount),
  detected_order bigint not null default nextval('payment_detected_order'),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  reverted_at timestamptz,
  -- A log's index counts the whole block, so it is another one when the transaction moves.
  unique (network_id, tx_hash, log_index, block_hash),
  check ((status = 'confirmed') <= (confirmed_at is not null))
);
create index payment_by_invoice on payment (invoice_id, detected_order);
create index payment_open on payment (network_id, block_number) where status = 'pending';
create index payment_standing on payment (network_id, block_number) where status <> 'reverted';

-- One sweep of a deposit address: an exact amount to the recipient and, at most once, the fee.
create table settlement (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  network_id text not null,
  token text not null,
  round integer not null check (round > 0),
  amount positive_units not null,
  fee numeric(78, 0) not null check (fee between 0 and amount),
  -- The part of fee that the token refused to pay out and that still lies in the deposit.
  fee_owed numeric(78, 0) not null default 0 check (fee_owed between 0 and fee),
  recipient evm_address not null,
  -- The registry version the sweep insists on; 0 when the invoice names its own recipient.
  registry_version integer not null check (registry_version >= 0),
  -- open: promised; mined: seen on-chain; confirmed: at the chain's depth; failed: moved nothing.
  status text not null check (status in ('open', 'mined', 'confirmed', 'failed')),
  tx_hash text,
  block_number bigint,
  block_hash text,
  error text,
  created_at timestamptz not null default now(),
  mined_at timestamptz,
  confirmed_at timestamptz,
  unique (network_id, invoice_id, token, round)
);
create index settlement_by_invoice on settlement (invoice_id);

-- What merchants will be told, written in the transaction that changed the state.
create table outbox (
  id uuid not null,
  -- Written together with a change of what belongs to the merchant.
  merchant_id uuid not null,
  type text not null,
  object_id uuid not null,
  version integer not null,
  data json not null,
  created_at timestamptz not null default now(),
  -- Ids grow with time, so this is also the order in which a merchant reads its events.
  primary key (merchant_id, id)
);
create unique index outbox_order on outbox (object_id, version);
