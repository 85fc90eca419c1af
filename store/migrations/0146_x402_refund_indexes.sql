-- remit: statements
-- The refunds of a payment, each asked for once.
create unique index concurrently if not exists refund_of_x402_payment
  on refund (x402_payment_id, idempotency_key) where x402_payment_id is not null;
-- Those that hold payouts up.
create index concurrently if not exists refund_in_forwarder on refund (network_id, merchant_id, token)
  where x402_payment_id is not null and status in ('open', 'mined');
-- Those that no payout was bound to yet, and those of a payout.
create index concurrently if not exists refund_before_payout on refund (network_id, block_number)
  where x402_payment_id is not null and status = 'confirmed' and distribution_id is null;
create index concurrently if not exists refund_of_payout on refund (distribution_id)
  where distribution_id is not null;
