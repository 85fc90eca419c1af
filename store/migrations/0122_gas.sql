-- What relayers have spent on gas, by the receipts, and for whom.

-- What the mined transaction has cost its sender, in wei, and what of it is whose: [{merchant, items, wei}]. The
-- merchant is null for what was nobody's, as a cancellation. Null while no receipt is known, and for transactions
-- from before there were these columns.
alter table relayer_tx add column gas_cost numeric(78, 0) check (gas_cost >= 0);
alter table relayer_tx add column gas_shares jsonb;

-- The same of transactions that no reorganisation reaches, added up in the transaction that makes them final.
create table gas_spent (
  network_id text not null,
  -- When the receipt was seen, UTC.
  day date not null,
  merchant_id uuid references merchant (id),
  items bigint not null check (items >= 0),
  wei numeric(78, 0) not null check (wei >= 0),
  constraint gas_spent_of_day unique nulls not distinct (network_id, day, merchant_id)
);

-- By key and hour, for as long as it says how fast a key is spending.
create table gas_hour (
  network_id text not null,
  address text not null,
  hour timestamptz not null,
  wei numeric(78, 0) not null check (wei >= 0),
  primary key (network_id, address, hour)
);

select allow('{worker}', '{select, insert, update}', '{table gas_spent}');
select allow('{worker}', '{select, insert, update, delete}', '{table gas_hour}');
select allow('{api}', '{select}', '{table gas_spent, table gas_hour}');
select withhold('{notifier, indexer}', '{table gas_spent, table gas_hour}');
select withhold('{api}', '{table relayer_tx}', '{gas_cost, gas_shares}');
