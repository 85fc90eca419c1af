-- Why a node is not asked at all: it answers for another chain, or is on a branch of its own.
alter table chain_node add column fault text check (fault in ('wrong_chain', 'forked'));
