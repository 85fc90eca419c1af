-- A mail with a link that stops a change of where the money goes is sent before other warnings: it is good for as long
-- as the change waits. What a merchant's members can cause as often as they like is counted by whom it is about.
alter table mail
  add column has_stop_link boolean not null default false,
  add column counted_as text check (length(counted_as) <= 64);
drop index mail_warnings;
create index mail_warnings on mail (has_stop_link desc, due_at) where sent_at is null and kind = 'warning';
create index mail_counted on mail (counted_as, created_at) where counted_as is not null;
