-- Until when a payout after claims of ours is left alone, because its contract refuses it.
alter table x402_channel_action add column follow_after timestamptz;
