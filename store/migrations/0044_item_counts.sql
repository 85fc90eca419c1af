-- How many items a transaction was made for. It used to follow from its gas limit, which now also counts
-- what its tokens cost and the distributions after its payments.
alter table relayer_tx add column item_count integer not null default 1 check (item_count >= 1);

select withhold('{api}', '{table relayer_tx}', '{item_count}');
