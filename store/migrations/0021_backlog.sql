-- What may be sent now, by kind and time, without what waits for other work: neither a backlog of one kind
-- nor thousands that wait for one entry make it longer to find.
create index work_item_due on work_item (network_id, kind, not_before, id)
  where state = 'queued' and waits_for is null;
create index work_item_blocked on work_item (network_id, kind, waits_for, id)
  where state = 'queued' and waits_for is not null;
drop index work_item_queued;

-- What a worker sees that an operator must know of. It says so again as long as it lasts: a worker that
-- died is heard until its time is over.
create table worker_alarm (
  network_id text not null,
  worker_id text not null,
  kind text not null check (kind in ('turn', 'aside', 'operator', 'fee_ceiling', 'nonce')),
  subject text not null,
  detail text not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (network_id, worker_id, kind, subject)
);
