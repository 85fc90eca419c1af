-- As before, and a merchant or the strangers of one network cause at most twenty times `most` within an hour to all
-- mailboxes together: otherwise one could write to any number of people, and everyone's mails would wait behind it.
-- Operators are trusted, and receipts are bounded by session and network. The second lock makes others of the same
-- cause wait, and then count this one.
create or replace function store_link_mail(
  new_id uuid, caused_by text, to_recipient text, with_subject text, with_body text, most integer
) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mailbox constant text := lower(regexp_replace(to_recipient, '[+][^@]*@', '@'));
  bounded_as constant text := case when caused_by <> 'operator' and caused_by not like 'receipt %'
    then 'links:' || caused_by end;
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
  if bounded_as is not null then
    perform pg_advisory_xact_lock(hashtextextended('mails as ' || bounded_as, 0));
    if (select count(*) from mail
        where counted_as = bounded_as and created_at > clock_timestamp() - interval '1 hour') >= 20 * most then
      return false;
    end if;
  end if;
  insert into mail (id, recipient, subject, body, kind, link_from, counted_as, created_at)
  values (new_id, to_recipient, with_subject, with_body, 'link', caused_by, bounded_as, clock_timestamp());
  return true;
end $$;
