-- remit: statements
-- A channel's newest deposit and claim say what all of them come to, however many there were.
create index concurrently if not exists x402_channel_event_by_name
  on x402_channel_event (network_id, channel_id, name, block_number, log_index);
drop index concurrently if exists x402_channel_event_of_channel;
-- Whether any action of channels is on its way is asked at every turn.
create index concurrently if not exists work_item_channels on work_item (network_id)
  where kind = 'x402_channel' and state in ('queued', 'assigned');
