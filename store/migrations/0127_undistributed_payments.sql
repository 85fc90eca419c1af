-- remit: statements
-- What forwarders hold, without what merchants were paid at addresses of their own. The index
-- x402_payment_undistributed serves the release before this one, and goes with the next.
create index concurrently if not exists x402_payment_to_distribute
  on x402_payment (network_id, pay_to, block_number, log_index)
  where status = 'settled' and distribution_id is null and not direct;
