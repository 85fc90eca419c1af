-- remit: statements
-- Channels of which the chain's state is to be read.
create index concurrently if not exists x402_channel_unread on x402_channel (network_id, created_at)
  where base_hash is null;
-- Those that were read at blocks which others replace.
create index concurrently if not exists x402_channel_by_base on x402_channel (network_id, base_block);
