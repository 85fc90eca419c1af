-- The least sweeps that the chain's leader last worked with, by token. When they change, what was held for
-- being too little is looked at again.
alter table chain_state add column least_sweeps jsonb;
