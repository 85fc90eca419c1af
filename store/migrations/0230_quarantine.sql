-- What can't be worked on, kept so that it outlives processes, and so that an operator sees and releases it.
create table quarantine (
  id bigint generated always as identity primary key,
  network_id text not null,
  part text not null,
  subject text not null,
  fault text not null,
  reason text not null,
  times integer not null check (times > 0),
  first_at timestamptz not null,
  last_at timestamptz not null default now(),
  retry_at timestamptz not null,
  unique (part, subject, network_id)
);

select allow('{worker}', '{select, insert, update, delete}', '{table quarantine}');
select allow('{api}', '{select}', '{table quarantine}');
select withhold('{notifier, indexer}', '{table quarantine}');
