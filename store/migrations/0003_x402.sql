-- x402: endpoints with a price, the payments for them, and how forwarders are paid out.

-- Where a merchant's x402 payments go: one address on every chain, derived from the merchant alone.
create table forwarder (
  merchant_id uuid primary key references merchant (id),
  address evm_address not null unique,
  hub evm_address not null,
  created_at timestamptz not null default now()
);

-- What one chain has said about a forwarder.
create table forwarder_on_chain (
  merchant_id uuid not null references forwarder (merchant_id),
  network_id text not null,
  token evm_address not null,
  -- The last distribution that the hub refused, and the registry version it was tried with: it is
  -- not tried again before either time has passed or the version has grown.
  failed_at timestamptz,
  failed_version integer,
  failure text,
  -- The place of the last distribution that is booked, and the head when one was last sent along with
  -- payments: what was mined up to there need not be paid out again.
  booked_block bigint,
  booked_log_index integer,
  sent_block bigint,
  primary key (merchant_id, network_id, token)
);

create table x402_endpoint (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  -- As it was registered, and in the form in which URLs are compared.
  url text not null check (length(url) between 1 and 2048),
  url_key text not null,
  network_id text not null,
  token_symbol text not null,
  asset evm_address not null,
  amount positive_units not null,
  description text not null check (length(description) <= 1000),
  -- Each payment in a transaction of its own, for merchants who use the hash as a key.
  own_transaction boolean not null default false,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- One per URL and price.
create unique index x402_endpoint_price
  on x402_endpoint (merchant_id, url_key, network_id, asset, amount) where active;
create index x402_endpoint_by_merchant on x402_endpoint (merchant_id, created_at desc, id desc);

-- One EIP-3009 authorization in favour of a forwarder, claimed before anything is signed for it.
create table x402_payment (
  id uuid primary key,
  merchant_id uuid not null,
  endpoint_id uuid,
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  authorization_nonce evm_hash not null,
  pay_to evm_address not null,
  amount positive_units not null,
  -- Unix seconds of chain time, both exclusive: EIP-3009.
  valid_after base_units not null,
  valid_before base_units not null,
  signature text not null check (signature ~ '^0x[0-9a-f]*$'),
  -- The payer has code, so that the token asks it (ERC-1271) instead of recovering a key.
  is_wallet boolean not null,
  status text not null default 'pending' check (status in ('pending', 'settled', 'failed')),
  reason text,
  tx_hash evm_hash,
  -- Of the token's Transfer.
  log_index integer,
  block_number bigint,
  block_hash evm_hash,
  -- Mined by somebody else's transaction, so that no relayer of ours watches over it.
  is_foreign boolean not null default false,
  -- The chain's head when it was claimed: evidence is looked for from here on, and a little before.
  claimed_block bigint not null,
  -- Who is writing out the one success, until when, and when it was written.
  answer_owner uuid,
  answer_until timestamptz,
  answered_at timestamptz,
  -- The caller's own identifier (extension payment-identifier), bound to the payload it came with.
  payment_identifier text,
  distribution_id uuid,
  -- This payment's share of the fee of its distribution.
  fee numeric(78, 0) check (fee between 0 and amount),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  confirmed_at timestamptz,
  -- The claim: no authorization is ever carried out for two payments. Whoever asks by nonce alone
  -- finds it by the same index.
  constraint x402_payment_claim unique (authorization_nonce, payer, asset, network_id),
  -- No transfer on-chain ever pays for two.
  unique (tx_hash, log_index, network_id),
  check ((status = 'settled') = (tx_hash is not null)),
  check ((status = 'settled') = (settled_at is not null)),
  check ((status = 'failed') = (reason is not null))
)
-- A payment's row is written five times within seconds; what no index knows of stays in its page.
with (fillfactor = 50);
create index x402_payment_by_merchant on x402_payment (merchant_id, created_at desc, id desc);
-- What is promised of a payer's balance, or may not be known to be gone from it.
create index x402_payment_unconfirmed on x402_payment (network_id, asset, payer)
  where status <> 'failed' and confirmed_at is null;
create index x402_payment_expiring on x402_payment (network_id, valid_before)
  where status = 'pending';
create index x402_payment_foreign on x402_payment (network_id, block_number)
  where status = 'settled' and is_foreign;
create index x402_payment_undistributed on x402_payment (network_id, pay_to, block_number, log_index)
  where status = 'settled' and distribution_id is null;
create index x402_payment_of_distribution on x402_payment (distribution_id)
  where distribution_id is not null;

-- One payout of a forwarder, by the hub's event, whoever asked for it. Booked at the chain's
-- confirmations.
create table x402_distribution (
  id uuid primary key,
  merchant_id uuid not null,
  network_id text not null,
  token evm_address not null,
  tx_hash evm_hash not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash evm_hash not null,
  block_time timestamptz not null,
  treasury evm_address not null,
  remitted base_units not null,
  -- What the collector received, fees held from earlier ones included, and the fee held this time.
  fee base_units not null,
  fee_held base_units not null,
  -- What the forwarder had received that belongs to no payment.
  unattributed numeric(78, 0) not null,
  unique (network_id, tx_hash, log_index)
);
create index x402_distribution_order
  on x402_distribution (merchant_id, network_id, token, block_number, log_index);

-- Up to which block the hub's distributions are booked.
alter table chain_state add column distributions_block bigint;

-- Contract wallets travel in a lane of their own, because each may burn what gas it is given.
alter table work_item drop constraint work_item_kind_check;
alter table work_item add constraint work_item_kind_check check (
  kind in ('configure', 'sweep', 'deploy', 'distribute', 'x402', 'x402_wallet', 'refund')
);
-- What a mined transaction left undone, and payouts on their way, among millions of settled items.
create index work_item_assigned on work_item (tx_id) where state = 'assigned';
create index work_item_distributing on work_item (network_id)
  where kind = 'distribute' and state in ('queued', 'assigned');
-- What waits for a person, which whoever asks whether all is well is told.
create index work_item_review on work_item (network_id, kind) where state = 'review';
