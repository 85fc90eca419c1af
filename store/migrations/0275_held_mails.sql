-- A mail about money that is held, for members who want one: as soon as an event reports some.
alter table report_schedule drop constraint report_schedule_report_check;
alter table report_schedule drop constraint report_schedule_every_check;
alter table report_schedule add constraint report_schedule_what check (
  (report in ('transactions', 'days') and every in ('day', 'week', 'month'))
  or (report = 'held' and every = 'event'));

-- Up to which place among the merchant's events the mails have reported.
alter table report_schedule add column read_position bigint not null default 0;
