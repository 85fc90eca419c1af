-- How the last comparison of the ledger with each chain has ended, for figures and alerts.
create table reconciliation (
  network_id text primary key,
  checked_at timestamptz not null,
  differences integer not null check (differences >= 0)
);
select allow('{api}', '{select}', '{table reconciliation}');
select withhold('{worker, notifier, indexer}', '{table reconciliation}');
