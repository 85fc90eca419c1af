-- Where a merchant's money goes: changes of the recipient, approved recipients, and approvals by a second
-- person.

-- Changes of a merchant's recipient. One that the merchant requests waits before it is active, so that the
-- merchant's owners can stop it.
create table recipient_change (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  recipient evm_address not null,
  -- The one that it was to replace; null for the first one.
  replaces evm_address,
  actor text not null check (actor in ('person', 'key')),
  -- The person's id, or the last characters of the key; and the name as it read then.
  actor_id text not null check (length(actor_id) <= 100),
  actor_name text not null check (length(actor_name) <= 400),
  state text not null default 'waiting' check (state in ('needs_approval', 'waiting', 'in_force', 'cancelled',
    'refused', 'expired', 'replaced', 'impossible')),
  created_at timestamptz not null default clock_timestamp(),
  -- Since when its delay runs, and from when on it may be active; null while it needs an approval.
  waits_since timestamptz,
  force_at timestamptz,
  -- The registry version by which hubs are notified of it; null while none is.
  version integer check (version > 0),
  -- When hubs were notified that it ended, where they had been notified of it.
  withdrawn_at timestamptz,
  ended_at timestamptz,
  -- Who or what has ended it, as it read then.
  ended_by text check (length(ended_by) <= 400),
  check ((waits_since is null) = (force_at is null)),
  check (state not in ('waiting', 'in_force') or force_at is not null),
  check ((state in ('needs_approval', 'waiting')) = (ended_at is null))
);
create index recipient_change_by_merchant on recipient_change (merchant_id, created_at desc);
-- One at a time.
create unique index recipient_change_open on recipient_change (merchant_id)
  where state in ('needs_approval', 'waiting');
-- What leaders have to look after.
create index recipient_change_waiting on recipient_change (force_at) where state = 'waiting';
create index recipient_change_to_withdraw on recipient_change (id)
  where version is not null and withdrawn_at is null
    and state in ('cancelled', 'refused', 'expired', 'impossible');
select allow('{api, worker}', '{select}', '{table recipient_change}');
select withhold('{notifier, indexer}', '{table recipient_change}');

-- The links in owners' emails that stop a change.
create table recipient_change_link (
  -- SHA-256 of what the link holds.
  token_hash bytea primary key check (length(token_hash) = 32),
  change_id uuid not null references recipient_change (id),
  person_id uuid not null references auth."user" (id)
);
select allow('{api}', '{select, insert}', '{table recipient_change_link}');
select withhold('{worker, notifier, indexer}', '{table recipient_change_link}');

-- What a merchant wants two people to approve.
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

-- What waits for the approval of others than its requester.
create table approval_request (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  kind text not null check (kind in ('recipient', 'refund', 'policy', 'member', 'address')),
  -- What is requested, by kind. A change of the recipient, or a refund.
  change_id uuid unique references recipient_change (id),
  refund_id uuid unique references refund (id),
  -- Another policy.
  wanted_recipient boolean,
  wanted_refunds_above numeric(78, 0) check (wanted_refunds_above >= 0),
  -- The end of a member's role: the role that they are to have, null for none.
  member_id uuid references auth."user" (id),
  wanted_role text check (wanted_role in ('owner', 'finance', 'developer', 'support', 'reader')),
  -- An address for the list of approved recipients.
  wanted_address text check (
    octet_length(wanted_address) = 42 and rtrim(wanted_address, '0123456789abcdef') = '0x'),
  actor text not null check (actor in ('person', 'key')),
  actor_id text not null,
  actor_name text not null check (length(actor_name) <= 400),
  -- How many people have to approve: a key is no person.
  needed smallint not null check (needed in (1, 2)),
  state text not null default 'open' check (state in ('open', 'approved', 'refused', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '72 hours',
  ended_at timestamptz,
  ended_by text check (length(ended_by) <= 400),
  constraint approval_request_recipient check ((kind = 'recipient') = (change_id is not null)),
  constraint approval_request_refund check ((kind = 'refund') = (refund_id is not null)),
  constraint approval_request_policy_check check ((kind = 'policy') = (wanted_recipient is not null)),
  constraint approval_request_member check ((kind = 'member') = (member_id is not null)),
  constraint approval_request_address check ((kind = 'address') = (wanted_address is not null)),
  constraint approval_request_ended_check check ((state = 'open') = (ended_at is null))
);
create index approval_request_by_merchant on approval_request (merchant_id, created_at desc);
create unique index approval_request_policy on approval_request (merchant_id)
  where kind = 'policy' and state = 'open';
create index approval_request_open on approval_request (expires_at) where state = 'open';
create index approval_request_ended on approval_request (refund_id)
  where kind = 'refund' and state in ('refused', 'expired');
create unique index approval_request_of_address on approval_request (merchant_id, wanted_address)
  where kind = 'address' and state = 'open';
-- For each member and each role to be given: an open request for less must not keep others from requesting
-- more, or a member would hold up their own removal by having an accomplice request a change of the role.
create unique index approval_request_of_member
  on approval_request (merchant_id, member_id, coalesce(wanted_role, ''))
  where kind = 'member' and state = 'open';
select allow('{api, worker}', '{select}', '{table approval_request}');
select withhold('{notifier, indexer}', '{table approval_request}');

-- Approvals of a request: never its requester's, and one of each person.
create table approval_vote (
  request_id uuid not null references approval_request (id),
  person_id uuid not null references auth."user" (id),
  person_name text not null check (length(person_name) <= 400),
  at timestamptz not null default clock_timestamp(),
  primary key (request_id, person_id)
);
select allow('{api}', '{select}', '{table approval_vote}');
select withhold('{worker, notifier, indexer}', '{table approval_vote}');

-- Addresses that invoices may name as recipient, and that x402 payments may go to, while changes of the
-- recipient need approval: otherwise a person who may create invoices decides alone where their money goes. An
-- address that one owner has added alone, before the rule, is no second opinion: it counts once another person
-- has approved it, and the merchant had the delay of a change of the recipient to remove it.
create table approved_recipient (
  merchant_id uuid not null references merchant (id),
  address evm_address not null,
  -- Who has requested it, as it read then.
  added_by text not null check (length(added_by) <= 400),
  -- Who has approved it, as it read then, and from when on it counts; null for what one owner has added alone.
  approved_by text check (length(approved_by) <= 400),
  usable_from timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, address),
  constraint approved_recipient_by_two check ((approved_by is null) = (usable_from is null))
);
select allow('{api}', '{select}', '{table approved_recipient}');
select withhold('{worker, notifier, indexer}', '{table approved_recipient}');

-- The only way in which the API requests another recipient: for an owner with a second factor or for a key, and
-- never without the open entry of the audit log that names them. A change that needs an approval begins to wait
-- when it has it. False when another change is open.
create function ask_for_recipient(
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
    raise exception 'no permitted actor requested another recipient' using errcode = '42501';
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
select allow('{api}', '{execute}', array['function ask_for_recipient(uuid, uuid, text, text, text, text, interval)']);

-- Cancels a change that is not active: for an owner, also without a second factor, because it only keeps what
-- is; or for a key. False when there is none to cancel.
create function cancel_recipient_change(
  of_change uuid, of_merchant uuid, by_actor text, by_id text, by_name text
) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not has_open_entry(of_merchant, by_actor, by_id, 'cancelRecipientChange')
    or not (by_actor = 'key' or by_actor = 'person' and exists (
      select from member m
      where m.merchant_id = of_merchant and m.person_id::text = by_id and m.role = 'owner'))
  then
    raise exception 'no permitted actor ended this change' using errcode = '42501';
  end if;
  update recipient_change set state = 'cancelled', ended_at = clock_timestamp(), ended_by = by_name
  where id = of_change and merchant_id = of_merchant and state in ('needs_approval', 'waiting');
  return found;
end $$;
select allow('{api}', '{execute}', array['function cancel_recipient_change(uuid, uuid, text, text, text)']);

-- Cancels a change by the link of a person who owned the merchant when the link was made. False when there is
-- none to cancel.
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
    raise exception 'no permitted actor ended this change' using errcode = '42501';
  end if;
  update recipient_change set state = 'cancelled', ended_at = clock_timestamp(), ended_by = by_name
  where id = link.id and state in ('needs_approval', 'waiting');
  return found;
end $$;
select allow('{api}', '{execute}', array['function cancel_change_by_link(bytea, text)']);

-- The newest version of a merchant's registry entry that any hub may know.
create function newest_entry_version(of_merchant uuid) returns bigint
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select greatest(m.config_version,
    (select max(greatest(e.version, e.change_version)) from registry_entry e
      where e.merchant_id = m.id),
    (select max(c.version) from recipient_change c where c.merchant_id = m.id))
  from merchant m where m.id = of_merchant
$$;

-- Gives a waiting change the version by which hubs are notified of it, once; null when it no longer waits.
create function number_recipient_change(of_change uuid) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  change recipient_change;
begin
  select * into change from recipient_change where id = of_change for update;
  if change.state is distinct from 'waiting' then return null; end if;
  if change.version is null then
    perform from merchant where id = change.merchant_id for update;
    update recipient_change set version = 1 + newest_entry_version(change.merchant_id)
    where id = of_change returning version into change.version;
  end if;
  return change.version;
end $$;
select allow('{worker}', '{execute}', '{function number_recipient_change(uuid)}');

-- Makes a change active that has waited until its time, and for as long as workers are configured to wait.
-- Returns its merchant, or null when it is not time, or the change was ended.
create function put_recipient_in_force(of_change uuid, least_delay interval) returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  change recipient_change;
  newest bigint;
begin
  select * into change from recipient_change where id = of_change for update;
  if change.state is distinct from 'waiting'
    or greatest(change.force_at, change.waits_since + least_delay) > clock_timestamp()
  then
    return null;
  end if;
  perform from merchant where id = change.merchant_id for update;
  newest := newest_entry_version(change.merchant_id);
  -- The one that hubs know, unless it was used up.
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
select allow('{worker}', '{execute}', array['function put_recipient_in_force(uuid, interval)']);

-- Ends a change that can't become active.
create function refuse_recipient_change(of_change uuid, reason text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update recipient_change set state = 'impossible', ended_at = clock_timestamp(), ended_by = reason
  where id = of_change and state = 'waiting'
$$;
select allow('{worker}', '{execute}', array['function refuse_recipient_change(uuid, text)']);

-- Has the active recipient take a newer version than a change that was ended and hubs know of, once. Returns
-- its merchant, or null when nothing is to be withdrawn.
create function withdraw_recipient_change(of_change uuid) returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  change recipient_change;
begin
  select * into change from recipient_change where id = of_change for update;
  if change.version is null or change.withdrawn_at is not null
    or change.state not in ('cancelled', 'refused', 'expired', 'impossible')
  then
    return null;
  end if;
  perform from merchant where id = change.merchant_id for update;
  -- Another recipient may have taken a newer one meanwhile.
  update merchant m set config_version = 1 + newest_entry_version(m.id)
  where m.id = change.merchant_id and m.config_version <= change.version;
  update recipient_change set withdrawn_at = clock_timestamp() where id = of_change;
  return change.merchant_id;
end $$;
select allow('{worker}', '{execute}', '{function withdraw_recipient_change(uuid)}');

-- Whether money of a merchant may be requested to this address.
create function may_be_paid_to(of_merchant uuid, to_address text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from approval_policy p where p.merchant_id = of_merchant and p.recipient)
    or exists (select from merchant m where m.id = of_merchant and m.recipient = to_address)
    or exists (select from approved_recipient a
      where a.merchant_id = of_merchant and a.address = to_address and a.usable_from <= clock_timestamp())
$$;
select allow('{api}', '{execute}', array['function may_be_paid_to(uuid, text)']);

-- Refuses rows that send money to an address that is not approved, whichever process writes them. It sees what
-- the statement sees, so that both decide alike. Its code is that of a unique violation: where one statement
-- stores invoices of several merchants, each is then retried alone, and only this one fails.
create function require_approved_recipient() returns trigger language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not may_be_paid_to(new.merchant_id, to_jsonb(new) ->> tg_argv[0]) then
    raise exception 'the merchant has not approved this recipient'
      using errcode = '23505', constraint = 'recipient_approved';
  end if;
  return new;
end $$;
create trigger recipient_approved before insert on invoice for each row
  when (new.recipient is not null) execute function require_approved_recipient('recipient');
create trigger recipient_approved before insert on x402_own_address for each row
  execute function require_approved_recipient('address');

-- Adds an address to the list: for an owner with a second factor whom the open entry of the audit log names. It
-- needs approval where changes of the recipient do. Returns done, waiting, asked, or open where it was
-- requested before.
create function ask_for_approved_recipient(of_merchant uuid, wanted text, person uuid, by_name text)
returns text language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  needs boolean;
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'addApprovedRecipient')
    or not acts_as(of_merchant, person::text, '{owner}')
  then
    raise exception 'no permitted actor requested this address' using errcode = '42501';
  end if;
  -- Rules that are being changed come before or after.
  perform from merchant m where m.id = of_merchant for share;
  select p.recipient into needs from approval_policy p where p.merchant_id = of_merchant;
  if coalesce(needs, false) then
    if exists (
      select from approved_recipient a
      where a.merchant_id = of_merchant and a.address = wanted and a.usable_from is not null)
    then
      return case when may_be_paid_to(of_merchant, wanted) then 'done' else 'waiting' end;
    end if;
    insert into approval_request (id, merchant_id, kind, wanted_address, actor, actor_id, actor_name, needed)
    values (gen_random_uuid(), of_merchant, 'address', wanted, 'person', person::text, by_name, 1)
    on conflict do nothing;
    return case when found then 'asked' else 'open' end;
  end if;
  insert into approved_recipient (merchant_id, address, added_by) values (of_merchant, wanted, by_name)
  on conflict do nothing;
  return 'done';
end $$;
select allow('{api}', '{execute}', array['function ask_for_approved_recipient(uuid, text, uuid, text)']);

-- Removes an address from the list, without an approval: it only takes power away. False when it is not there.
create function remove_approved_recipient(of_merchant uuid, given text, person uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'removeApprovedRecipient')
    or not acts_as(of_merchant, person::text, '{owner}')
  then
    raise exception 'no permitted actor removed this address' using errcode = '42501';
  end if;
  delete from approved_recipient where merchant_id = of_merchant and address = given;
  return found;
end $$;
select allow('{api}', '{execute}', array['function remove_approved_recipient(uuid, text, uuid)']);

-- Makes a policy active.
create function put_policy(of_merchant uuid, of_recipient boolean, above numeric) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  insert into approval_policy as p (merchant_id, recipient, refunds_above, since, on_since)
  values (of_merchant, of_recipient, above, clock_timestamp(),
    case when of_recipient or above is not null then clock_timestamp() end)
  on conflict (merchant_id) do update set recipient = excluded.recipient,
    refunds_above = excluded.refunds_above, since = excluded.since,
    on_since = case when excluded.on_since is not null then coalesce(p.on_since, excluded.on_since) end
$$;

-- Changes what needs approval: for an owner. While anything does, the change itself needs one; otherwise it is
-- active at once, as long as there are two who could approve. Returns asked, open, alone or done.
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
    raise exception 'no permitted actor requested other rules' using errcode = '42501';
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
select allow('{api}', '{execute}', array['function ask_for_policy(uuid, uuid, text, boolean, numeric)']);

-- The only way in which the API changes a membership: for an owner with a second factor whom the open entry of
-- the audit log names. While anything needs approval, an owner or a finance member loses that role only with
-- the approval of a person who neither requests it nor is meant.
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
    raise exception 'no permitted actor changed this member' using errcode = '42501';
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
select allow('{api}', '{execute}', array['function change_membership(uuid, uuid, text, uuid, text)']);

-- Has a refund that was just requested wait for an approval.
create function hold_refund(of_refund uuid, by_actor text, by_id text, by_name text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_merchant uuid;
  operation text;
  until timestamptz;
begin
  select merchant_id, case when x402_payment_id is null then 'createRefund' else 'createX402Refund' end
  into strict of_merchant, operation
  from refund where id = of_refund and status = 'open';
  if not has_open_entry(of_merchant, by_actor, by_id, operation) then
    raise exception 'no permitted actor requested this refund' using errcode = '42501';
  end if;
  insert into approval_request (id, merchant_id, kind, refund_id, actor, actor_id, actor_name, needed)
  values (gen_random_uuid(), of_merchant, 'refund', of_refund, by_actor, by_id, by_name,
    case by_actor when 'person' then 1 else 2 end)
  returning expires_at into until;
  update work_item set not_before = until where dedupe_key = 'refund:' || of_refund and state = 'queued';
end $$;
select allow('{api}', '{execute}', array['function hold_refund(uuid, text, text, text)']);

-- Locks what a request is about before the request itself, as the end of a change does.
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

-- Whether the requester of a request could still request it. A key stands for the merchant.
create function asker_may(asked approval_request) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select asked.actor = 'key' or acts_as(asked.merchant_id, asked.actor_id,
    case asked.kind when 'refund' then '{owner, finance}'::text[] else '{owner}' end)
$$;

-- Whether a person could approve what was requested then: an owner or finance member with a second factor,
-- since the rules began or a day before the request.
create function may_approve(of_merchant uuid, person uuid, asked_at timestamptz) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select acts_as(of_merchant, person::text, '{owner, finance}') and exists (
    select from member m left join approval_policy p on p.merchant_id = m.merchant_id
    where m.merchant_id = of_merchant and m.person_id = person
      and (m.role_since <= asked_at - interval '24 hours' or m.role_since <= p.on_since))
$$;

-- The votes for a request of those who have been owners or finance members, with a second factor, without a
-- break since they voted.
create function votes_that_count(of_request uuid) returns setof approval_vote
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select v.* from approval_vote v join approval_request a on a.id = v.request_id
  join member m on m.merchant_id = a.merchant_id and m.person_id = v.person_id
  where v.request_id = of_request and m.role_since <= v.at
    and acts_as(a.merchant_id, v.person_id::text, '{owner, finance}')
$$;
select allow('{api}', '{execute}', '{function votes_that_count(uuid)}');

-- Carries out an approved request; `ended_by` names who approved it. False when that is no longer
-- possible.
create function carry_out_request(asked approval_request, at timestamptz, delay interval)
returns boolean language plpgsql set search_path = pg_catalog, public, pg_temp as $$
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
  elsif asked.kind = 'address' then
    insert into approved_recipient as r (merchant_id, address, added_by, approved_by, usable_from)
    values (asked.merchant_id, asked.wanted_address, asked.actor_name, asked.ended_by,
      at + greatest(delay, interval '0'))
    on conflict (merchant_id, address) do update
    set added_by = excluded.added_by, approved_by = excluded.approved_by, usable_from = excluded.usable_from
    where r.usable_from is null;
  else
    perform put_policy(asked.merchant_id, asked.wanted_recipient, asked.wanted_refunds_above);
  end if;
  return true;
end $$;

-- Ends a request without carrying it out.
create function end_request(asked approval_request, how text, by_name text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update approval_request set state = how, ended_at = clock_timestamp(), ended_by = by_name
  where id = asked.id;
  update recipient_change set state = how, ended_at = clock_timestamp(), ended_by = by_name
  where id = asked.change_id and state = 'needs_approval';
end $$;

-- Approves a request: for an owner or finance member with a second factor who has not requested it, is not the
-- one it is about, has not approved it before, and was that when the rules began or a day before the request. A
-- vote counts while the voter is that. What its requester could no longer request ends as refused: an owner who
-- was removed leaves nothing behind that one other person could make active. Returns what came of it.
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
    raise exception 'no permitted approver approved this' using errcode = '42501';
  end if;
  asked := lock_request(of_request, of_merchant);
  at := clock_timestamp();
  if asked.id is null then return 'unknown'; end if;
  if asked.state <> 'open' or asked.expires_at <= at then return 'ended'; end if;
  -- A member is changed under the lock of all owners; requester and voters stay what they are until it is counted.
  if asked.kind = 'member' then
    perform from member m where m.merchant_id = of_merchant and m.role = 'owner'
    order by m.person_id for update;
  end if;
  perform from member m where m.merchant_id = of_merchant
    and (asked.actor = 'person' and m.person_id::text = asked.actor_id
      or m.person_id in (select v.person_id from approval_vote v where v.request_id = of_request))
  order by m.person_id for share;
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
  asked.ended_by := by_name;
  if not carry_out_request(asked, at, delay) then
    update approval_request set state = 'refused', ended_at = at, ended_by = by_name
    where id = of_request;
    return 'ended';
  end if;
  update approval_request set state = 'approved', ended_at = at, ended_by = by_name
  where id = of_request;
  return 'approved';
end $$;
select allow('{api}', '{execute}', array['function approve_request(uuid, uuid, uuid, text, interval)']);

-- Refuses a request: for those who could approve it, and its requester. A request that ends a membership is
-- withdrawn by its requester alone: a member with two accounts would refuse the end of each with the other. All
-- others withhold their approval, and it expires. False when it is not open, or not theirs to refuse.
create function refuse_request(of_request uuid, of_merchant uuid, person uuid, by_name text)
returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  asked approval_request;
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'refuseRequest')
    or not acts_as(of_merchant, person::text, '{owner, finance}')
  then
    raise exception 'no permitted approver refused this' using errcode = '42501';
  end if;
  asked := lock_request(of_request, of_merchant);
  if asked.state is distinct from 'open' then return false; end if;
  if asked.kind = 'member' and asked.actor_id <> person::text then return false; end if;
  perform end_request(asked, 'refused', by_name);
  return true;
end $$;
select allow('{api}', '{execute}', array['function refuse_request(uuid, uuid, uuid, text)']);

-- Ends requests that were not approved in time; returns how many.
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
select allow('{worker}', '{execute}', '{function expire_requests()}');

-- A change that ends while it needs an approval ends its request.
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
