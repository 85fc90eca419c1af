-- The bytes of a transaction are needed for as long as it may be sent once more. What it did, and under
-- which hashes, stays for ever.
alter table relayer_tx alter column calldata drop not null;
alter table relayer_tx add constraint relayer_tx_has_calldata
  check (calldata is not null or state in ('final', 'nonce_taken'));
alter table relayer_attempt alter column raw drop not null;
-- Those that are over and still have their bytes: what retention looks for, the oldest first.
create index relayer_tx_with_bytes on relayer_tx (network_id, confirmed_at)
  where calldata is not null and state in ('final', 'nonce_taken');
