-- The least tip that a node of a chain has named in a refusal, in wei per gas, for all workers of the chain.
create table tip_floor (
  network_id text primary key,
  tip numeric(78, 0) not null check (tip >= 0),
  words text not null check (length(words) <= 500),
  named_at timestamptz not null default now()
);
select allow('{worker}', '{select, insert, update}', '{table tip_floor}');
select withhold('{api, indexer, notifier}', '{table tip_floor}');
-- `refused`: nodes refuse a transaction again and again.
alter table worker_alarm drop constraint worker_alarm_kind_check;
alter table worker_alarm add constraint worker_alarm_kind_check check (
  kind in ('turn', 'aside', 'operator', 'fee_ceiling', 'nonce', 'refund_waits', 'signer', 'refused'));
-- `ahead`: a node names a block far above what every other shows.
alter table chain_node drop constraint chain_node_fault_check;
alter table chain_node add constraint chain_node_fault_check check (
  fault in ('wrong_chain', 'forked', 'ahead'));
