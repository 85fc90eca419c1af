-- Which span of which trace something was asked for in, so that workers and notifiers carry the trace on. Only
-- where spans are sent to a collector has this any row, and none for longer than a week.
create table trace_context (
  -- An invoice, a refund or an x402 payment.
  object_id uuid primary key,
  trace_id text not null check (trace_id ~ '^[0-9a-f]{32}$'),
  span_id text not null check (span_id ~ '^[0-9a-f]{16}$'),
  at timestamptz not null default now()
);
create index trace_context_old on trace_context (at);
select allow('{api}', '{select, insert}', '{table trace_context}');
select allow('{worker}', '{select}', '{table trace_context}');
select allow('{notifier}', '{select, delete}', '{table trace_context}');
select withhold('{indexer}', '{table trace_context}');
