-- The notifiers that are at work, so that each knows which part of the endpoints is its own.
create table notifier (
  owner text primary key,
  until timestamptz not null
);
select allow('{notifier}', '{select, insert, update, delete}', '{table notifier}');
select withhold('{api, worker, indexer}', '{table notifier}');
