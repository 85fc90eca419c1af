-- What was settled in a block that is gone is owed again, also for callers.
select allow('{api}', '{select}', '{table chain_block}', '{network_id, number, hash}');
