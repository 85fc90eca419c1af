-- That somebody else used an account nonce is believed of the transaction that did it, in a block of the
-- chain, and only for as long as the chain has that block.
alter table relayer_tx add column taken_by evm_hash;

-- The account nonce for which a key was quarantined, and what it was before: when it turns out that the
-- nonce was ours, the key goes on as before, without a person.
alter table relayer_key add column quarantine_nonce bigint;
alter table relayer_key add column quarantined_from text
  check (quarantined_from in ('active', 'draining', 'no_funds'));
update relayer_key k set quarantine_nonce = taken.nonce
from (
  select network_id, address, min(account_nonce) as nonce from relayer_tx
  where state = 'nonce_taken' and confirmed_at is null group by network_id, address
) taken
where k.network_id = taken.network_id and k.address = taken.address and k.status = 'quarantined';

-- What transactions left undone, which is little however many items they carried.
create index work_item_undone on work_item (tx_id) where state = 'assigned';
