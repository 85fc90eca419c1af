-- Mails that can be caused with any address are bounded for each recipient by who causes them: strangers together,
-- and each merchant by itself, so that none uses up what another may send. Warnings, which are never left out, wait
-- in a queue of their own. What stands from before is in the queue of the others.
alter table mail
  add column kind text not null default 'notice' check (kind in ('link', 'warning', 'notice')),
  add column link_from text check (length(link_from) <= 64),
  add constraint mail_link_from check ((kind = 'link') = (link_from is not null));
create index mail_warnings on mail (due_at) where sent_at is null and kind = 'warning';
create index mail_links on mail (lower(regexp_replace(recipient, '[+][^@]*@', '@')), created_at) where kind = 'link';

-- Stores one, unless so many were stored for the mailbox within an hour; whatever stands behind a + is no mailbox
-- of its own. The lock makes others that are stored for the same mailbox wait, and then count this one.
create function store_link_mail(
  new_id uuid, caused_by text, to_recipient text, with_subject text, with_body text, most integer
) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mailbox constant text := lower(regexp_replace(to_recipient, '[+][^@]*@', '@'));
begin
  perform pg_advisory_xact_lock(hashtextextended('mails to ' || mailbox, 0));
  if most <= (
    select count(*) from mail
    where kind = 'link' and lower(regexp_replace(recipient, '[+][^@]*@', '@')) = mailbox
      and link_from = caused_by and created_at > clock_timestamp() - interval '1 hour'
  ) then
    return false;
  end if;
  insert into mail (id, recipient, subject, body, kind, link_from, created_at)
  values (new_id, to_recipient, with_subject, with_body, 'link', caused_by, clock_timestamp());
  return true;
end $$;
select allow('{api}', '{execute}',
  '{"function store_link_mail(uuid, text, text, text, text, integer)"}');
