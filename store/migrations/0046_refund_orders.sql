-- The order that the refund key signs, besides what the merchant asked for: decided and stored before it
-- is signed.
alter table refund
  -- Under which number the hub spends it. One that the hub has spent for something else is replaced.
  add column order_number bigint check (order_number > 0),
  -- What may still be charged on the deposit, if this refund is what creates its contract.
  add column fee_left base_units,
  -- Why it is not signed or carried out yet, and since when; null while nothing is in its way.
  add column waiting_for text
    check (waiting_for in ('refund_limit', 'owner_approval', 'stopped')),
  add column waiting_since timestamptz,
  -- The order that the hub's owner is asked to approve: its digest, and its last good second, which
  -- becomes the deadline when it is signed.
  add column offer_digest evm_hash,
  add column offer_deadline bigint,
  add constraint refund_waiting_since check ((waiting_for is null) = (waiting_since is null)),
  add constraint refund_ordered check ((order_number is null) = (fee_left is null)),
  add constraint refund_offered check (
    (offer_digest is null) = (offer_deadline is null)
    and (offer_digest is null or order_number is not null));
create unique index refund_order on refund (network_id, order_number)
  where order_number is not null;

-- Orders that may still take of what the hub refunds within a day.
create index refund_in_flight on refund (network_id)
  where status in ('open', 'mined') and deadline is not null;
-- What waits for room, in the order in which it was asked for.
create index refund_in_turn on refund (network_id, token, id) where waiting_for = 'refund_limit';

-- The newest number of an order on each chain: the hub keeps what is spent in a bitmap, where numbers
-- that follow each other cost least. The row is locked by whoever signs, so that what is promised within
-- the hub's limit is added up by one process at a time.
create table refund_sequence (
  network_id text primary key,
  last bigint not null check (last >= 0)
);
select allow('{worker}', '{select, insert, update}', '{table refund_sequence}');
select withhold('{api, notifier, indexer}', '{table refund_sequence}');

-- `refund_waits`: a refund waits for the hub's limit, or for its owner's approval.
alter table worker_alarm drop constraint worker_alarm_kind_check;
alter table worker_alarm add constraint worker_alarm_kind_check check (
  kind in ('turn', 'aside', 'operator', 'fee_ceiling', 'nonce', 'refund_waits'));
