-- The API's database credentials can write any entry of the audit log and call any function in any user's name.
-- So rows that a rule protects carry an HMAC by a secret that API and workers have and the database does not. A
-- leader carries them out after it has verified the HMAC and stored the owners' notifications.
alter table recipient_change
  add column mac text check (length(mac) <= 160),
  -- When a leader has verified it and stored the owners' emails. It has no effect before.
  add column notified_at timestamptz;
alter table approval_request
  add column mac text check (length(mac) <= 160),
  -- When a leader has found it genuine.
  add column checked_at timestamptz,
  -- When a leader has carried it out, once it was approved.
  add column done_at timestamptz;
alter table approval_vote
  add column mac text check (length(mac) <= 160),
  -- What the voter was then.
  add column voter_role text check (voter_role in ('owner', 'finance'));
-- What was carried out by the releases before.
update approval_request a set done_at = a.ended_at
where a.state = 'approved' and not exists (
  select from refund r where r.id = a.refund_id and r.status = 'open' and r.deadline is null);
create index approval_request_to_follow on approval_request (id)
  where (state = 'open' and checked_at is null) or (state = 'approved' and done_at is null);
create index recipient_change_untold on recipient_change (id)
  where notified_at is null and state in ('needs_approval', 'waiting');
select allow('{worker}', '{select}', '{table approval_vote}');

-- Stores an HMAC of what the same transaction has just made, once.
create function put_mac(of_kind text, of_id uuid, person uuid, as_role text, given text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if of_kind = 'change' then
    update recipient_change set mac = given where id = of_id and mac is null;
  elsif of_kind = 'request' then
    update approval_request set mac = given where id = of_id and mac is null;
  else
    update approval_vote set mac = given, voter_role = as_role
    where request_id = of_id and person_id = person and mac is null;
  end if;
end $$;

-- Workers' emails to owners. The API sends them, and can neither remove nor change them: it marks an email as
-- sent with an HMAC, and any other mark is ignored.
create table owner_mail (
  id uuid primary key,
  recipient text not null check (length(recipient) <= 254 and recipient !~ '[\r\n]'),
  subject text not null check (length(subject) <= 200 and subject !~ '[\r\n]'),
  body text not null check (length(body) <= 20000),
  -- Sent before others: it has a link that stops a change.
  has_stop_link boolean not null default false,
  -- Under what it is counted, where its number within an hour is bounded.
  counted_as text check (length(counted_as) <= 64),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  failure text check (length(failure) <= 400),
  sent_mac text check (length(sent_mac) <= 160)
);
create index owner_mail_due on owner_mail (has_stop_link desc, due_at) where sent_mac is null;
create index owner_mail_old on owner_mail (created_at);
create index owner_mail_counted on owner_mail (counted_as, created_at) where counted_as is not null;
select allow('{worker}', '{select, insert, delete}', '{table owner_mail}');
select allow('{api}', '{select}', '{table owner_mail}');
select withhold('{notifier, indexer}', '{table owner_mail}');

-- Takes one that is due, for this process alone until its lease ends.
create function take_owner_mail(lease interval) returns setof owner_mail
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update owner_mail set attempts = least(attempts + 1, 100), due_at = clock_timestamp() + least(lease, interval '5 minutes')
  where id = (
    select id from owner_mail where sent_mac is null and due_at <= clock_timestamp()
    order by has_stop_link desc, due_at limit 1 for update skip locked)
  returning *
$$;

-- Notes that one was sent, or why not, or with neither that it has to be sent again.
create function note_owner_mail(of_mail uuid, new_mac text, reason text, pause interval) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update owner_mail set sent_mac = new_mac, failure = reason,
    due_at = clock_timestamp() + least(pause, interval '30 minutes')
  where id = of_mail
$$;

-- Recipients of owners' notifications: current owners, owners until so long ago, and holders of a link that
-- stops this change.
create function owners_to_notify(of_merchant uuid, since interval, of_change uuid)
returns table (person_id uuid, email text) language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select u.id, u.email from auth."user" u
  left join member m on m.merchant_id = of_merchant and m.person_id = u.id
  where u.id in (
    select o.person_id from member o where o.merchant_id = of_merchant and o.role = 'owner'
    union select f.person_id from former_owner f
    where f.merchant_id = of_merchant and f.until > clock_timestamp() - since
    union select l.person_id from recipient_change_link l where l.change_id = of_change)
  order by m.role_since, u.email
$$;
select allow('{worker}', '{insert}', '{table recipient_change_link}');

-- The API can't redirect notifications: it changes no address, and removes no former owner.
create function auth.keep_reachable() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_user = database_role('api') and (tg_op = 'UPDATE'
    or exists (select from former_owner f where f.person_id = old.id))
  then
    raise exception 'the address of a user is not changed here' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_address before update of email on auth."user" for each row
  when (new.email is distinct from old.email) execute function auth.keep_reachable();
create trigger keep_former_owner before delete on auth."user" for each row execute function auth.keep_reachable();

-- Memberships that began, ended or changed, and that owners are not notified of yet. Written by a trigger on
-- the table of members; the statement that changes one names the actor.
create table member_change (
  id bigint generated always as identity primary key,
  merchant_id uuid not null references merchant (id),
  name text not null,
  email text not null,
  role_before text,
  role_after text,
  by_name text,
  at timestamptz not null default clock_timestamp()
);
select allow('{worker}', '{select, delete}', '{table member_change}');
select withhold('{api, notifier, indexer}', '{table member_change}');

create function note_member_change() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  was text;
  now_is text;
  whose uuid;
  of_merchant uuid;
begin
  if tg_op <> 'INSERT' then was := old.role; whose := old.person_id; of_merchant := old.merchant_id; end if;
  if tg_op <> 'DELETE' then now_is := new.role; whose := new.person_id; of_merchant := new.merchant_id; end if;
  if was is distinct from now_is and (was in ('owner', 'finance') or now_is in ('owner', 'finance')) then
    insert into member_change (merchant_id, name, email, role_before, role_after, by_name)
    select of_merchant, u.name, u.email, was, now_is, nullif(current_setting('remit.member_by', true), '')
    from auth."user" u where u.id = whose;
  end if;
  return null;
end $$;
create trigger member_changed after insert or update or delete on member for each row
  execute function note_member_change();

-- As in 0286, and it says who has changed the member.
create or replace function change_membership(merchant uuid, person uuid, new_role text, by_person uuid, by_name text)
returns text language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  old_role text;
  needs boolean;
begin
  if not has_open_entry(merchant, 'person', by_person::text,
      case when new_role is null then 'removeMember' else 'changeMember' end)
    or not acts_as(merchant, by_person::text, '{owner}')
  then
    raise exception 'no permitted actor changed this member' using errcode = '42501';
  end if;
  -- Rules that are being changed come before or after.
  perform from merchant m where m.id = merchant for share;
  select p.on_since is not null into needs from approval_policy p where p.merchant_id = merchant;
  select m.role into old_role from member m
  where m.merchant_id = merchant and m.person_id = person for update;
  perform set_config('remit.member_by', by_name, true);
  if not coalesce(needs, false) or old_role is null or old_role not in ('owner', 'finance')
    or new_role is not distinct from old_role or new_role = 'owner'
  then
    return set_member(merchant, person, new_role);
  end if;
  if old_role = 'owner' and not exists (
    select from member m where m.merchant_id = merchant and m.role = 'owner' and m.person_id <> person)
  then
    return 'last_owner';
  end if;
  if not exists (
    select from member m where m.merchant_id = merchant and m.person_id not in (person, by_person)
      and may_approve(merchant, m.person_id, clock_timestamp()))
  then
    return 'alone';
  end if;
  insert into approval_request (id, merchant_id, kind, member_id, wanted_role, actor, actor_id, actor_name, needed)
  values (gen_random_uuid(), merchant, 'member', person, new_role, 'person', by_person::text, by_name, 1)
  on conflict do nothing;
  return case when found then 'asked' else 'open' end;
end $$;

-- Whether the request can still be carried out.
create function can_be_done(asked approval_request) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select asked.kind <> 'member' or exists (
    select from member m where m.merchant_id = asked.merchant_id and m.person_id = asked.member_id
      and (m.role <> 'owner' or asked.wanted_role = 'owner' or exists (
        select from member o
        where o.merchant_id = m.merchant_id and o.role = 'owner' and o.person_id <> m.person_id)))
$$;

-- As in 0299; what is approved is carried out by a leader, once it has checked the HMACs.
create or replace function approve_request(
  of_request uuid, of_merchant uuid, person uuid, by_name text, delay interval
) returns text language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
  at timestamptz;
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'approveRequest')
    or not acts_as(of_merchant, person::text, '{owner, finance}')
  then
    raise exception 'no permitted approver approved this' using errcode = '42501';
  end if;
  asked := lock_with_people(of_request, of_merchant);
  at := clock_timestamp();
  if asked.id is null then return 'unknown'; end if;
  if asked.state <> 'open' or asked.expires_at <= at then return 'ended'; end if;
  if not asker_may(asked) then
    perform end_request(asked, 'refused', 'the end of the requester''s role');
    return 'ended';
  end if;
  if asked.actor = 'person' and asked.actor_id = person::text then return 'own'; end if;
  if asked.member_id = person then return 'own'; end if;
  if not may_approve(of_merchant, person, asked.created_at) then return 'new'; end if;
  delete from approval_vote v where v.request_id = of_request and v.person_id = person
    and not exists (select from votes_that_count(of_request) c where c.person_id = person);
  insert into approval_vote (request_id, person_id, person_name) values (of_request, person, by_name)
  on conflict do nothing;
  if not found then return 'twice'; end if;
  if (select count(*) from votes_that_count(of_request)) < asked.needed then return 'counted'; end if;
  if not can_be_done(asked) then
    perform end_request(asked, 'refused', by_name);
    return 'ended';
  end if;
  update approval_request set state = 'approved', ended_at = at, ended_by = by_name
  where id = of_request;
  return 'approved';
end $$;

-- Locks a request and what it is about, with those who have asked and voted, who stay what they are until the end of
-- the transaction. A member is changed under the lock of all owners.
create function lock_with_people(of_request uuid, of_merchant uuid) returns approval_request
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  asked := lock_request(of_request, of_merchant);
  if asked.kind = 'member' then
    perform from member m where m.merchant_id = of_merchant and m.role = 'owner'
    order by m.person_id for update;
  end if;
  perform from member m where m.merchant_id = of_merchant
    and (asked.actor = 'person' and m.person_id::text = asked.actor_id
      or m.person_id in (select v.person_id from approval_vote v where v.request_id = of_request))
  order by m.person_id for share;
  return asked;
end $$;

-- Locks an approved request for the leader that is to carry it out. Returns the users whose votes count, none
-- when the requester has lost the right to request it; null when it is not to be carried out, or not yet.
create function lock_approved(of_request uuid, of_merchant uuid) returns uuid[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  asked := lock_with_people(of_request, of_merchant);
  if asked.state is distinct from 'approved' or asked.done_at is not null
    or exists (select from recipient_change c
      where c.id = asked.change_id and c.notified_at is null and c.state = 'needs_approval')
  then
    return null;
  end if;
  if not asker_may(asked) then return '{}'; end if;
  return array(select v.person_id from votes_that_count(of_request) v);
end $$;

-- Carries out an approved request that the leader has locked and checked. False when that can't be done any more.
create function carry_out_checked(of_request uuid, delay interval) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  select * into strict asked from approval_request where id = of_request and state = 'approved' and done_at is null;
  perform set_config('remit.member_by',
    asked.actor_name || ', with the approval of ' || asked.ended_by || ',', true);
  if not carry_out_request(asked, clock_timestamp(), delay) then
    perform end_request(asked, 'refused', asked.ended_by);
    return false;
  end if;
  update approval_request set done_at = clock_timestamp() where id = of_request;
  return true;
end $$;

-- Notes that a request is genuine, or ends it, for a reason, before it was carried out. False when it was too late.
create function verify_request(of_request uuid, of_merchant uuid, reason text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  asked := lock_request(of_request, of_merchant);
  if not (asked.state = 'open' or asked.state = 'approved' and asked.done_at is null) then return false; end if;
  if reason is null then
    update approval_request set checked_at = clock_timestamp() where id = of_request;
  else
    perform end_request(asked, 'refused', reason);
  end if;
  return true;
end $$;

-- Records that owners were notified of a change, which starts its delay; or ends a forged one, with a reason.
-- False when another process has, or it is over.
create function verify_change(of_change uuid, delay interval, reason text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  at constant timestamptz := clock_timestamp();
begin
  update recipient_change set notified_at = case when reason is null then at end,
    force_at = case when reason is null and force_at is not null then greatest(force_at, at + delay) else force_at end,
    state = case when reason is null then state else 'impossible' end,
    ended_at = case when reason is not null then at end, ended_by = reason
  where id = of_change and notified_at is null and state in ('needs_approval', 'waiting');
  if not found then return false; end if;
  if reason is not null then
    update approval_request set state = 'refused', ended_at = at, ended_by = reason
    where change_id = of_change and (state = 'open' or state = 'approved' and done_at is null);
  end if;
  return true;
end $$;

-- As in 0113, and not before the owners' mails are written.
create or replace function put_recipient_in_force(of_change uuid, least_delay interval) returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  change recipient_change;
  newest bigint;
begin
  select * into change from recipient_change where id = of_change for update;
  if change.state is distinct from 'waiting' or change.notified_at is null
    or greatest(change.force_at, greatest(change.waits_since, change.notified_at) + least_delay) > clock_timestamp()
  then
    return null;
  end if;
  perform from merchant where id = change.merchant_id for update;
  newest := newest_entry_version(change.merchant_id);
  -- The one announced to hubs, unless it was used up.
  if change.version is null or change.version < newest then
    change.version := newest + 1;
  end if;
  update merchant set recipient = change.recipient, config_version = change.version
  where id = change.merchant_id;
  update recipient_change
  set state = 'in_force', version = change.version, ended_at = clock_timestamp(), ended_by = 'time'
  where id = of_change;
  -- What a hub says of this version is nothing foreign any more.
  update registry_entry set look_at = now(), look_from = coalesce(look_from, 0)
  where merchant_id = change.merchant_id;
  return change.merchant_id;
end $$;

-- Hubs hear of a change only once it is known to be genuine.
create or replace function number_recipient_change(of_change uuid) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  change recipient_change;
begin
  select * into change from recipient_change where id = of_change for update;
  if change.state is distinct from 'waiting' or change.notified_at is null then return null; end if;
  if change.version is null then
    perform from merchant where id = change.merchant_id for update;
    update recipient_change set version = 1 + newest_entry_version(change.merchant_id)
    where id = of_change returning version into change.version;
  end if;
  return change.version;
end $$;

select allow('{api}', '{execute}', array[
  'function put_mac(text, uuid, uuid, text, text)',
  'function take_owner_mail(interval)',
  'function note_owner_mail(uuid, text, text, interval)',
  'function owners_to_notify(uuid, interval, uuid)']);
select allow('{worker}', '{execute}', array[
  'function owners_to_notify(uuid, interval, uuid)',
  'function lock_approved(uuid, uuid)',
  'function carry_out_checked(uuid, interval)',
  'function verify_request(uuid, uuid, text)',
  'function verify_change(uuid, interval, text)']);
