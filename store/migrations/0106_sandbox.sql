-- Events that people ask for in a sandbox, to see what their endpoints would receive. The API writes no event
-- about what it has not seen, so it only asks; a notifier of a sandbox makes the event, and in live nobody.
create table sample_event (
  -- Of the event that is made.
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  type text not null check (length(type) <= 60),
  created_at timestamptz not null default now()
);
create index sample_event_waiting on sample_event (created_at, id);
select allow('{api}', '{insert}', '{table sample_event}');
-- Rows that are taken are locked, which takes the right to update.
select allow('{notifier}', '{select, update, delete}', '{table sample_event}');
select withhold('{api, worker, indexer}', '{table sample_event}');
