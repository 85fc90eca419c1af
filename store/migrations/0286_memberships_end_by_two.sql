-- An owner alone must not be able to shut the others out of what protects them: who owned a merchant until a moment
-- ago is told what an owner is told, the links in their mails stay good, and where changes need a second person, the
-- end of an owner's or finance member's membership needs one, too.

-- Who was an owner, and until when. Written by the table of members itself, whichever way a membership ends.
create table former_owner (
  merchant_id uuid not null references merchant (id),
  person_id uuid not null references auth."user" (id) on delete cascade,
  until timestamptz not null default clock_timestamp(),
  primary key (merchant_id, person_id)
);
select allow('{api}', '{select}', '{table former_owner}');
select withhold('{worker, notifier, indexer}', '{table former_owner}');

create function note_former_owner() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into former_owner (merchant_id, person_id) values (old.merchant_id, old.person_id)
  on conflict (merchant_id, person_id) do update set until = clock_timestamp();
  return null;
end $$;
create trigger owner_demoted after update of role on member for each row
  when (old.role = 'owner' and new.role <> 'owner') execute function note_former_owner();
create trigger owner_removed after delete on member for each row
  when (old.role = 'owner') execute function note_former_owner();

-- Ends a change by the link of whoever owned the merchant when the link was made, whoever owns it now. False when
-- there is none that could be ended.
create function cancel_change_by_link(of_link bytea, by_name text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  link record;
begin
  select c.id, c.merchant_id, l.person_id into link
  from recipient_change_link l join recipient_change c on c.id = l.change_id where l.token_hash = of_link;
  if link.id is null
    or not has_open_entry(link.merchant_id, 'person', link.person_id::text, 'cancelRecipientChange')
  then
    raise exception 'nobody who may has ended this change' using errcode = '42501';
  end if;
  update recipient_change set state = 'cancelled', ended_at = clock_timestamp(), ended_by = by_name
  where id = link.id and state in ('needs_approval', 'waiting');
  return found;
end $$;

-- The end of a membership, or of a role, that waits for a second person.
alter table approval_request add column member_id uuid references auth."user" (id);
-- The role that the member is to have; null for none.
alter table approval_request add column wanted_role text
  check (wanted_role in ('owner', 'finance', 'developer', 'support', 'reader'));
alter table approval_request drop constraint approval_request_kind_check;
alter table approval_request add constraint approval_request_kind_check
  check (kind in ('recipient', 'refund', 'policy', 'member')) not valid;
alter table approval_request add constraint approval_request_member
  check ((kind = 'member') = (member_id is not null)) not valid;
create unique index approval_request_of_member on approval_request (merchant_id, member_id)
  where kind = 'member' and state = 'open';

-- Gives a member a role, or none. The owners are locked first, so that two of them can't remove each other and leave
-- nobody. Says what became of it.
create function set_member(merchant uuid, person uuid, new_role text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  owners integer;
  old_role text;
begin
  select count(*) into owners from (
    select 1 from member m where m.merchant_id = merchant and m.role = 'owner'
    order by m.person_id for update) locked;
  select m.role into old_role from member m
  where m.merchant_id = merchant and m.person_id = person for update;
  if old_role is null then return 'unknown'; end if;
  if old_role = 'owner' and owners < 2 and new_role is distinct from 'owner' then return 'last_owner'; end if;
  if new_role is null then
    delete from member m where m.merchant_id = merchant and m.person_id = person;
  else
    update member m set role = new_role where m.merchant_id = merchant and m.person_id = person;
  end if;
  return 'done';
end $$;

-- Whether somebody could approve what was asked for then: an owner or somebody of finance with a second factor, who
-- was that when the rules began or a day before.
create function may_approve(of_merchant uuid, person uuid, asked_at timestamptz) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select acts_as(of_merchant, person::text, '{owner, finance}') and exists (
    select from member m left join approval_policy p on p.merchant_id = m.merchant_id
    where m.merchant_id = of_merchant and m.person_id = person
      and (m.role_since <= asked_at - interval '24 hours' or m.role_since <= p.on_since))
$$;

-- The only way in which the API changes a membership: for an owner with a second factor whom the open entry of the
-- audit log names. While anything needs a second person, an owner or somebody of finance loses that role only with
-- the approval of somebody who neither asks nor is meant.
create function change_membership(merchant uuid, person uuid, new_role text, by_person uuid, by_name text)
returns text language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  old_role text;
  needs boolean;
begin
  if not has_open_entry(merchant, 'person', by_person::text,
      case when new_role is null then 'removeMember' else 'changeMember' end)
    or not acts_as(merchant, by_person::text, '{owner}')
  then
    raise exception 'nobody who may has changed this member' using errcode = '42501';
  end if;
  -- Rules that are being changed come before or after.
  perform from merchant m where m.id = merchant for share;
  select p.on_since is not null into needs from approval_policy p where p.merchant_id = merchant;
  select m.role into old_role from member m
  where m.merchant_id = merchant and m.person_id = person for update;
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

-- As processes of the release before call it: for the owner whom the open entry names.
create or replace function change_member(merchant uuid, person uuid, new_role text)
returns table (outcome text, role_before text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  entry audit_entry;
  came text;
begin
  select m.role into role_before from member m where m.merchant_id = merchant and m.person_id = person;
  select e.* into entry from audit_entry e
  where e.merchant_id = merchant and e.actor = 'person' and e.object_id = person::text
    and e.action = case when new_role is null then 'removeMember' else 'changeMember' end
  order by e.id desc limit 1;
  if entry.id is null then
    raise exception 'nobody who may has changed this member' using errcode = '42501';
  end if;
  came := change_membership(merchant, person, new_role, entry.actor_id::uuid, entry.actor_name);
  outcome := case when came in ('done', 'unknown') then came else 'last_owner' end;
  return next;
end $$;

-- Does what a request has asked for, once it is approved. False when that can't be done any more.
create function carry_out_request(asked approval_request, at timestamptz, delay interval) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if asked.kind = 'recipient' then
    update recipient_change set state = 'waiting', waits_since = at,
      force_at = at + greatest(delay, interval '0')
    where id = asked.change_id and state = 'needs_approval';
  elsif asked.kind = 'refund' then
    update work_item set not_before = now(), updated_at = now()
    where dedupe_key = 'refund:' || asked.refund_id and state = 'queued';
  elsif asked.kind = 'member' then
    return set_member(asked.merchant_id, asked.member_id, asked.wanted_role) = 'done';
  else
    perform put_policy(asked.merchant_id, asked.wanted_recipient, asked.wanted_refunds_above);
  end if;
  return true;
end $$;

-- The people whose votes for a request count: who still is an owner or of finance, with a second factor, without a
-- break since they voted.
create function votes_that_count(of_request uuid) returns setof approval_vote
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select v.* from approval_vote v join approval_request a on a.id = v.request_id
  join member m on m.merchant_id = a.merchant_id and m.person_id = v.person_id
  where v.request_id = of_request and m.role_since <= v.at
    and acts_as(a.merchant_id, v.person_id::text, '{owner, finance}')
$$;

-- Approves a request: for an owner or somebody of finance, with a second factor, who has not asked for it, is not
-- whom it is about, has not approved it before, and was that when the rules began or a day before the request. A vote
-- counts while the voter is that. Says what came of it.
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
    raise exception 'nobody who may has approved this' using errcode = '42501';
  end if;
  asked := lock_request(of_request, of_merchant);
  at := clock_timestamp();
  if asked.id is null then return 'unknown'; end if;
  if asked.state <> 'open' or asked.expires_at <= at then return 'ended'; end if;
  if asked.actor = 'person' and asked.actor_id = person::text then return 'own'; end if;
  if asked.member_id = person then return 'own'; end if;
  if not may_approve(of_merchant, person, asked.created_at) then return 'new'; end if;
  -- Who votes now stays what they are until it is counted.
  perform from member m where m.merchant_id = of_merchant
    and m.person_id in (select v.person_id from approval_vote v where v.request_id = of_request)
  order by m.person_id for share;
  delete from approval_vote v where v.request_id = of_request and v.person_id = person
    and not exists (select from votes_that_count(of_request) c where c.person_id = person);
  insert into approval_vote (request_id, person_id, person_name) values (of_request, person, by_name)
  on conflict do nothing;
  if not found then return 'twice'; end if;
  if (select count(*) from votes_that_count(of_request)) < asked.needed then return 'counted'; end if;
  if not carry_out_request(asked, at, delay) then
    update approval_request set state = 'refused', ended_at = at, ended_by = by_name
    where id = of_request;
    return 'ended';
  end if;
  update approval_request set state = 'approved', ended_at = at, ended_by = by_name
  where id = of_request;
  return 'approved';
end $$;

select allow('{api}', '{execute}', array[
  'function cancel_change_by_link(bytea, text)',
  'function change_membership(uuid, uuid, text, uuid, text)',
  'function votes_that_count(uuid)',
  'function acts_as(uuid, text, text[])']);
