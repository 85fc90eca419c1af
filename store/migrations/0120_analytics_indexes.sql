-- remit: statements
-- By which the operator reads the rows of some days, whosever they are: they lie in the order of time, so that
-- an index of a few pages is enough.
create index concurrently if not exists payment_by_day on payment using brin (confirmed_at);
create index concurrently if not exists settlement_by_day on settlement using brin (created_at);
create index concurrently if not exists refund_by_day on refund using brin (created_at);
create index concurrently if not exists x402_payment_by_day on x402_payment using brin (confirmed_at);
create index concurrently if not exists invoice_by_day on invoice using brin (paid_at);
create index concurrently if not exists x402_distribution_by_day
  on x402_distribution using brin (block_time);
create index concurrently if not exists movement_tally_by_day on movement_tally (day);
