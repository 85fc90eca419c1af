-- Numbers that the hub has spent for orders which are in no row here: a failover has lost the commit that signed them.
-- Until the order is read back from the chain, no refund of the account that paid it is signed.
create table lost_refund_order (
  network_id text not null,
  order_number bigint not null check (order_number > 0),
  hub evm_address not null,
  found_at timestamptz not null default now(),
  -- When its refund was found or made; null until then.
  read_back_at timestamptz,
  primary key (network_id, order_number)
);
select allow('{worker}', '{select, insert}', '{table lost_refund_order}');
select withhold('{api, notifier, indexer}', '{table lost_refund_order}');
