-- Strangers are counted by the network that they come from, too: one of them can't use up what all of them may have
-- sent to a mailbox. `caused_by` is a merchant, `operator`, `stranger`, or `stranger` and a digest of the network;
-- all strangers together may cause three times as many as each.
create or replace function store_link_mail(
  new_id uuid, caused_by text, to_recipient text, with_subject text, with_body text, most integer
) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mailbox constant text := lower(regexp_replace(to_recipient, '[+][^@]*@', '@'));
  of_cause bigint;
  of_strangers bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('mails to ' || mailbox, 0));
  select count(*) filter (where link_from = caused_by),
    count(*) filter (where link_from like 'stranger%')
  into of_cause, of_strangers from mail
  where kind = 'link' and lower(regexp_replace(recipient, '[+][^@]*@', '@')) = mailbox
    and created_at > clock_timestamp() - interval '1 hour';
  if of_cause >= most or (caused_by like 'stranger%' and of_strangers >= 3 * most) then
    return false;
  end if;
  insert into mail (id, recipient, subject, body, kind, link_from, created_at)
  values (new_id, to_recipient, with_subject, with_body, 'link', caused_by, clock_timestamp());
  return true;
end $$;
