-- remit: statements
-- What servers noted of channels that nobody has paid into.
create index concurrently if not exists x402_channel_voucher_unpromised
  on x402_channel_voucher (network_id, stored_at) where max_claimable is null;
