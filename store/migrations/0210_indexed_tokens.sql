-- Optional tokens (registry) that the index follows: from then on they may be offered. They stay, whatever the
-- hub lists later: what was asked for may still be paid.
create table indexed_token (
  network_id text not null,
  token evm_address not null,
  since timestamptz not null default now(),
  primary key (network_id, token)
);

select allow('{indexer}', '{select, insert}', '{table indexed_token}');
select allow('{api, worker}', '{select}', '{table indexed_token}');
select withhold('{notifier}', '{table indexed_token}');
