-- remit: statements
-- Whether a claim of the same receiver is on its way is asked before a payout is refused.
create index concurrently if not exists x402_channel_action_pending
  on x402_channel_action (network_id, receiver, token)
  where status = 'pending' and kind in ('claim', 'refund');
