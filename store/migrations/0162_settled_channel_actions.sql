-- remit: statements
-- Whether a settled action lies in a block whose events are not booked yet is asked at every turn.
create index concurrently if not exists x402_channel_action_settled
  on x402_channel_action (network_id, block_number) where status = 'settled';
