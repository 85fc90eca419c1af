-- remit: statements
-- The few refunds that are not confirmed among any number of others, for the list of refunds by status.
create index concurrently if not exists refund_unconfirmed
  on refund (merchant_id, status, created_at, id) where status in ('open', 'mined', 'failed');
create index concurrently if not exists external_refund_unconfirmed
  on external_refund (merchant_id, status, created_at, id) where status in ('mined', 'failed');
-- Refunds are found by their transaction.
create index concurrently if not exists refund_by_tx on refund (tx_hash) where tx_hash is not null;
create index concurrently if not exists external_refund_by_tx on external_refund (tx_hash);
-- Overpaid invoices, which the merchant decides about.
create index concurrently if not exists invoice_overpaid on invoice (merchant_id, paid_at desc)
  where received_amount - returned_amount > amount_expected;
