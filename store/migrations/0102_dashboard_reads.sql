-- What the dashboard's pages read; the indexes for it are built by 0117, while traffic goes on.
delete from access_rule
where process = 'api' and object = 'table x402_distribution' and privilege = 'nothing';
select allow('{api}', '{select}', '{table x402_distribution}');

-- Which invoices somebody likes to look at: a name for what stands in the address of the page.
create table saved_view (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  person_id uuid not null references auth."user" (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) <= 1000),
  created_at timestamptz not null default now(),
  unique (merchant_id, person_id, name)
);
select allow('{api}', '{select, insert, update, delete}', '{table saved_view}');
select withhold('{worker, notifier, indexer}', '{table saved_view}');
