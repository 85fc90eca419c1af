-- The indexer tells nodes of the chain that the ledger follows from others, by blocks that the ledger has stored.
select allow('{indexer}', '{select}', '{table chain_state}', '{network_id, genesis_hash, head}');
select allow('{indexer}', '{select}', '{table chain_block}', '{network_id, number, hash}');
