-- What is looked for among many is found in an index that holds nothing else.

-- What endpoints answered, the oldest first: what retention looks for, however many attempts there were.
create index webhook_attempt_answered on webhook_attempt (at) where answer is not null;

-- For sharing a payout's fee: the last payout before it that paid the collector, and those since then that
-- held their fee back. A merchant may have paid no fee for years, or held none.
create index x402_distribution_paid on x402_distribution
  (merchant_id, network_id, token, block_number, log_index) where fee > 0;
create index x402_distribution_held on x402_distribution
  (merchant_id, network_id, token, block_number, log_index) include (fee_held) where fee_held > 0;
