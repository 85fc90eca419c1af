-- remit: statements
-- Indexes of tables that may be large, each built while traffic goes on: payouts in the order of their list,
-- settlements that failed, changes by operators, and x402 payments for reports of parts of days.
create index concurrently if not exists x402_distribution_by_time
  on x402_distribution (merchant_id, block_time, id);
create index concurrently if not exists settlement_unsent
  on settlement (merchant_id, created_at, id) where status = 'failed';
create index concurrently if not exists audit_entry_by_operator
  on audit_entry (id desc) where actor = 'operator';
create index concurrently if not exists x402_payment_confirmed
  on x402_payment (merchant_id, confirmed_at) where confirmed_at is not null;
