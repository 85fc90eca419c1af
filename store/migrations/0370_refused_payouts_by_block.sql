-- A payout counts as refused only while the block that shows it is the chain's.
alter table forwarder_on_chain add column failed_block bigint;
alter table forwarder_on_chain add column failed_block_hash text;
