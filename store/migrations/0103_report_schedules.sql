-- Reports that people have sent to themselves, and the file that a mail may carry.
create table report_schedule (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  -- To whom it goes: to whoever asked for it, as long as they belong to the merchant.
  person_id uuid not null references auth."user" (id) on delete cascade,
  report text not null check (report in ('transactions', 'days')),
  every text not null check (every in ('day', 'week', 'month')),
  locale text not null check (locale in ('en', 'de')),
  -- The end of the first period that was not sent, always at midnight in UTC.
  due_at timestamptz not null,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  unique (merchant_id, person_id, report, every)
);
create index report_schedule_due on report_schedule (due_at);
select allow('{api}', '{select, insert, update, delete}', '{table report_schedule}');
select withhold('{worker, notifier, indexer}', '{table report_schedule}');

alter table mail add column attachment text check (length(attachment) <= 2000000);
alter table mail add column attachment_name text check (attachment_name ~ '^[a-z0-9.-]{1,80}$');
alter table mail add constraint mail_attachment_named
  check (attachment is null or attachment_name is not null);
