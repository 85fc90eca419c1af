-- Which emails a member wants, besides those that are always sent and those that they schedule.
alter table member add column approval_emails boolean not null default true;
select allow('{api}', '{update}', '{table member}', '{approval_emails}');
