-- Money that went astray: what merchants accept after all, and what goes back to where it came from.

-- Whether refunds may go to others than the payment's sender. Set by the operator only, so that a
-- stolen API key can't refund everything to itself.
alter table merchant add column refunds_any boolean not null default false;

alter table invoice
  -- What the merchant took for enough; null while amountExpected is asked for.
  add column accepted_amount positive_units,
  -- Of the invoice's own token: what refunds have brought back, late payments included.
  add column refunded_amount base_units not null default 0,
  -- What has left the on-time money by refunds, or is promised to them.
  add column returned_amount base_units not null default 0;

alter table payment
  -- When the merchant accepted a late payment; it is counted from then on.
  add column accepted_at timestamptz,
  -- The parts that refunds have brought back, and that are promised to refunds on their way.
  add column refunded base_units not null default 0,
  add column refunding base_units not null default 0,
  add constraint payment_accepted check (accepted_at is null or kind = 'counted');

-- One signed payment out of a deposit to whomever the merchant names.
create table refund (
  -- Also the name under which the hub spends it.
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  idempotency_key external_reference not null,
  network_id text not null,
  token evm_address not null,
  amount positive_units not null,
  recipient evm_address not null,
  -- The payment that the merchant named; null for on-time money as a whole.
  payment_id uuid references payment (id),
  -- open: promised; mined: seen on-chain; confirmed: at the chain's depth; failed: can't be any more.
  status text not null default 'open' check (status in ('open', 'mined', 'confirmed', 'failed')),
  -- The last good second in chain time, signed for. It is written before anything is sent, and once.
  deadline bigint,
  tx_hash evm_hash,
  block_number bigint,
  block_hash evm_hash,
  error text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  mined_at timestamptz,
  confirmed_at timestamptz,
  unique (invoice_id, idempotency_key),
  check ((status in ('mined', 'confirmed')) = (tx_hash is not null))
);
-- Refunds that may run out of time.
create index refund_waiting on refund (network_id, deadline) where status = 'open';
create index refund_moved on refund (network_id, id) where status in ('mined', 'confirmed');

-- Whose money a refund is: its amount, shared over payments.
create table refund_part (
  refund_id uuid not null references refund (id),
  payment_id uuid not null references payment (id),
  amount positive_units not null,
  primary key (refund_id, payment_id)
);
create index refund_part_by_payment on refund_part (payment_id);
