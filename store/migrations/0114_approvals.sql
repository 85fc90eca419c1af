-- What a merchant wants two people to stand behind, and what waits for the second of them.

-- Since when somebody may approve: an owner who lets a second self in must not be able to approve with it at once.
alter table member add column role_since timestamptz not null default clock_timestamp();
update member set role_since = created_at;
create function note_role_since() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not (old.role in ('owner', 'finance') and new.role in ('owner', 'finance')) then
    new.role_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger role_since before update of role on member for each row
  when (old.role is distinct from new.role) execute function note_role_since();

create table approval_policy (
  merchant_id uuid primary key references merchant (id),
  -- Whether changes of the recipient need a second person.
  recipient boolean not null,
  -- Above how much refunds do, in millionths of a whole token, whichever it is; null for none.
  refunds_above numeric(78, 0) check (refunds_above >= 0),
  -- Since when just this holds.
  since timestamptz not null,
  -- Since when anything has needed one, without a break; null while nothing does.
  on_since timestamptz,
  check ((on_since is not null) = (recipient or refunds_above is not null))
);
select allow('{api, worker}', '{select}', '{table approval_policy}');
select withhold('{notifier, indexer}', '{table approval_policy}');

create table approval_request (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  kind text not null check (kind in ('recipient', 'refund', 'policy')),
  change_id uuid unique references recipient_change (id),
  refund_id uuid unique references refund (id),
  -- What is to hold, for a policy.
  wanted_recipient boolean,
  wanted_refunds_above numeric(78, 0) check (wanted_refunds_above >= 0),
  actor text not null check (actor in ('person', 'key')),
  actor_id text not null,
  actor_name text not null check (length(actor_name) <= 400),
  -- How many people have to approve: a key is nobody.
  needed smallint not null check (needed in (1, 2)),
  state text not null default 'open' check (state in ('open', 'approved', 'refused', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '72 hours',
  ended_at timestamptz,
  ended_by text check (length(ended_by) <= 400),
  check ((kind = 'recipient') = (change_id is not null)),
  check ((kind = 'refund') = (refund_id is not null)),
  check ((kind = 'policy') = (wanted_recipient is not null)),
  check ((state = 'open') = (ended_at is null))
);
create index approval_request_by_merchant on approval_request (merchant_id, created_at desc);
create unique index approval_request_policy on approval_request (merchant_id)
  where kind = 'policy' and state = 'open';
create index approval_request_open on approval_request (expires_at) where state = 'open';
create index approval_request_ended on approval_request (refund_id)
  where kind = 'refund' and state in ('refused', 'expired');
select allow('{api, worker}', '{select}', '{table approval_request}');
select withhold('{notifier, indexer}', '{table approval_request}');

-- Whoever has asked is in no row, and nobody is in two.
create table approval_vote (
  request_id uuid not null references approval_request (id),
  person_id uuid not null references auth."user" (id),
  person_name text not null check (length(person_name) <= 400),
  at timestamptz not null default clock_timestamp(),
  primary key (request_id, person_id)
);
select allow('{api}', '{select}', '{table approval_vote}');
select withhold('{worker, notifier, indexer}', '{table approval_vote}');

-- A change that needs an approval begins to wait when it has it.
create or replace function ask_for_recipient(
  new_id uuid, of_merchant uuid, to_recipient text, by_actor text, by_id text, by_name text,
  delay interval
) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  needs boolean;
  at timestamptz := clock_timestamp();
begin
  if not has_open_entry(of_merchant, by_actor, by_id, 'changeRecipient')
    or not (by_actor = 'key' or by_actor = 'person' and acts_as(of_merchant, by_id, '{owner}'))
  then
    raise exception 'nobody who may has asked for another recipient' using errcode = '42501';
  end if;
  -- Rules that are being changed come before or after.
  select p.recipient into needs from approval_policy p where p.merchant_id = of_merchant for share;
  needs := coalesce(needs, false);
  insert into recipient_change (id, merchant_id, recipient, replaces, actor, actor_id, actor_name,
    state, waits_since, force_at)
  select new_id, m.id, to_recipient, m.recipient, by_actor, by_id, by_name,
    case when needs then 'needs_approval' else 'waiting' end,
    case when not needs then at end, case when not needs then at + greatest(delay, interval '0') end
  from merchant m where m.id = of_merchant
  on conflict do nothing;
  if not found then return false; end if;
  if needs then
    insert into approval_request (id, merchant_id, kind, change_id, actor, actor_id, actor_name, needed)
    values (gen_random_uuid(), of_merchant, 'recipient', new_id, by_actor, by_id, by_name,
      case by_actor when 'person' then 1 else 2 end);
  end if;
  return true;
end $$;

-- A change that ends while it needs an approval takes its request along.
create function end_request_of_change() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update approval_request set state = 'refused', ended_at = clock_timestamp(), ended_by = new.ended_by
  where change_id = new.id and state = 'open';
  return null;
end $$;
create trigger request_of_change after update on recipient_change for each row
  when (old.state = 'needs_approval' and new.state in ('cancelled', 'replaced'))
  execute function end_request_of_change();

-- Has a refund that was just asked for wait for an approval.
create function hold_refund(of_refund uuid, by_actor text, by_id text, by_name text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_merchant uuid;
  until timestamptz;
begin
  select i.merchant_id into strict of_merchant
  from refund r join invoice i on i.id = r.invoice_id where r.id = of_refund and r.status = 'open';
  if not has_open_entry(of_merchant, by_actor, by_id, 'createRefund') then
    raise exception 'nobody has asked for this refund' using errcode = '42501';
  end if;
  insert into approval_request (id, merchant_id, kind, refund_id, actor, actor_id, actor_name, needed)
  values (gen_random_uuid(), of_merchant, 'refund', of_refund, by_actor, by_id, by_name,
    case by_actor when 'person' then 1 else 2 end)
  returning expires_at into until;
  update work_item set not_before = until where dedupe_key = 'refund:' || of_refund and state = 'queued';
end $$;

create function put_policy(of_merchant uuid, of_recipient boolean, above numeric) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  insert into approval_policy as p (merchant_id, recipient, refunds_above, since, on_since)
  values (of_merchant, of_recipient, above, clock_timestamp(),
    case when of_recipient or above is not null then clock_timestamp() end)
  on conflict (merchant_id) do update set recipient = excluded.recipient,
    refunds_above = excluded.refunds_above, since = excluded.since,
    on_since = case when excluded.on_since is not null then coalesce(p.on_since, excluded.on_since) end
$$;

-- Changes what needs a second person: for an owner. While anything does, the change itself needs one; otherwise it
-- holds at once, as long as there are two who could approve. Says which.
create function ask_for_policy(
  of_merchant uuid, person uuid, by_name text, of_recipient boolean, above numeric
) returns text language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  approvers integer;
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'changeApprovalPolicy')
    or not acts_as(of_merchant, person::text, '{owner}')
  then
    raise exception 'nobody who may has asked for other rules' using errcode = '42501';
  end if;
  perform from merchant where id = of_merchant for update;
  if exists (select from approval_policy p where p.merchant_id = of_merchant and p.on_since is not null)
  then
    insert into approval_request (id, merchant_id, kind, wanted_recipient, wanted_refunds_above, actor,
      actor_id, actor_name, needed)
    values (gen_random_uuid(), of_merchant, 'policy', of_recipient, above, 'person', person::text,
      by_name, 1)
    on conflict do nothing;
    return case when found then 'asked' else 'open' end;
  end if;
  select count(*) into approvers from member m join auth."user" u on u.id = m.person_id
  where m.merchant_id = of_merchant and m.role in ('owner', 'finance') and u."twoFactorEnabled";
  if approvers < 2 and (of_recipient or above is not null) then return 'alone'; end if;
  perform put_policy(of_merchant, of_recipient, above);
  return 'done';
end $$;

-- Locks what a request is about before the request itself, as whoever ends a change does.
create function lock_request(of_request uuid, of_merchant uuid) returns approval_request
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  perform from recipient_change c join approval_request a on a.change_id = c.id
  where a.id = of_request and a.merchant_id = of_merchant for update of c;
  select * into asked from approval_request
  where id = of_request and merchant_id = of_merchant for update;
  return asked;
end $$;

-- Approves a request: for an owner or somebody of finance, with a second factor, who has not asked for it, has not
-- approved it before, and was that when the rules began or a day before the request. Says what came of it.
create function approve_request(
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
  if not exists (
    select from member m left join approval_policy p on p.merchant_id = m.merchant_id
    where m.merchant_id = of_merchant and m.person_id = person
      and (m.role_since <= asked.created_at - interval '24 hours' or m.role_since <= p.on_since))
  then
    return 'new';
  end if;
  insert into approval_vote (request_id, person_id, person_name) values (of_request, person, by_name)
  on conflict do nothing;
  if not found then return 'twice'; end if;
  if (select count(*) from approval_vote v where v.request_id = of_request) < asked.needed then
    return 'counted';
  end if;
  update approval_request set state = 'approved', ended_at = at, ended_by = by_name
  where id = of_request;
  if asked.kind = 'recipient' then
    update recipient_change set state = 'waiting', waits_since = at,
      force_at = at + greatest(delay, interval '0')
    where id = asked.change_id and state = 'needs_approval';
  elsif asked.kind = 'refund' then
    update work_item set not_before = now(), updated_at = now()
    where dedupe_key = 'refund:' || asked.refund_id and state = 'queued';
  else
    perform put_policy(of_merchant, asked.wanted_recipient, asked.wanted_refunds_above);
  end if;
  return 'approved';
end $$;

create function end_request(asked approval_request, how text, by_name text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update approval_request set state = how, ended_at = clock_timestamp(), ended_by = by_name
  where id = asked.id;
  update recipient_change set state = how, ended_at = clock_timestamp(), ended_by = by_name
  where id = asked.change_id and state = 'needs_approval';
end $$;

-- Refuses a request: whoever could approve it, and whoever has asked for it. False when it is not open.
create function refuse_request(of_request uuid, of_merchant uuid, person uuid, by_name text)
returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'refuseRequest')
    or not acts_as(of_merchant, person::text, '{owner, finance}')
  then
    raise exception 'nobody who may has refused this' using errcode = '42501';
  end if;
  asked := lock_request(of_request, of_merchant);
  if asked.state is distinct from 'open' then return false; end if;
  perform end_request(asked, 'refused', by_name);
  return true;
end $$;

-- Ends requests that nobody has approved in time; the answer is how many.
create function expire_requests() returns integer language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  old record;
  asked approval_request;
  ended integer := 0;
begin
  for old in select id, merchant_id from approval_request
    where state = 'open' and expires_at <= clock_timestamp() order by id
  loop
    asked := lock_request(old.id, old.merchant_id);
    if asked.state = 'open' then
      perform end_request(asked, 'expired', 'time');
      ended := ended + 1;
    end if;
  end loop;
  return ended;
end $$;

select allow('{api}', '{execute}', array[
  'function hold_refund(uuid, text, text, text)',
  'function ask_for_policy(uuid, uuid, text, boolean, numeric)',
  'function approve_request(uuid, uuid, uuid, text, interval)',
  'function refuse_request(uuid, uuid, uuid, text)']);
select allow('{worker}', '{execute}', '{"function expire_requests()"}');
