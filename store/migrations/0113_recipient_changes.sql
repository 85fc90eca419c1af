-- Changes of where a merchant's money goes. One that is asked for by the merchant waits before it is in force,
-- so that those who own the merchant can stop it.
create table recipient_change (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  recipient evm_address not null,
  -- The one that it was to replace; null for the first one.
  replaces evm_address,
  actor text not null check (actor in ('person', 'key')),
  -- The person's id, or the last characters of the key.
  actor_id text not null check (length(actor_id) <= 100),
  -- As it read then.
  actor_name text not null check (length(actor_name) <= 400),
  state text not null default 'waiting' check (state in
    ('needs_approval', 'waiting', 'in_force', 'cancelled', 'refused', 'expired', 'replaced', 'impossible')),
  created_at timestamptz not null default clock_timestamp(),
  -- Since when its delay runs; null while it needs an approval.
  waits_since timestamptz,
  -- From when on it may be in force.
  force_at timestamptz,
  -- In which version hubs hear of it; null while none does.
  version integer check (version > 0),
  -- When hubs were told that it is no more, where they had heard of it.
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

-- By which owners stop a change from their mail.
create table recipient_change_link (
  -- SHA-256 of what the link holds.
  token_hash bytea primary key check (length(token_hash) = 32),
  change_id uuid not null references recipient_change (id),
  person_id uuid not null references auth."user" (id)
);
select allow('{api}', '{select, insert}', '{table recipient_change_link}');
select withhold('{worker, notifier, indexer}', '{table recipient_change_link}');

-- Whether the entry of the audit log is open at this moment that names who asks for this.
create function has_open_entry(of_merchant uuid, by_actor text, by_id text, of_action text)
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from audit_entry e
    where e.merchant_id = of_merchant and e.actor = by_actor and e.actor_id = by_id
      and e.action = of_action and e.at > clock_timestamp() - interval '1 minute'
      and not exists (select from audit_outcome o where o.entry_id = e.id))
$$;

-- Whether a person has this role or one of these at a merchant, and a second factor.
create function acts_as(of_merchant uuid, person text, roles text[])
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from member m join auth."user" u on u.id = m.person_id
    where m.merchant_id = of_merchant and m.person_id::text = person and m.role = any (roles)
      and u."twoFactorEnabled")
$$;

-- The only way in which the API asks for another recipient: for an owner with a second factor or for a key, and
-- never without the entry of the audit log that is open at this moment and names them. False when another change
-- is open.
create function ask_for_recipient(
  new_id uuid, of_merchant uuid, to_recipient text, by_actor text, by_id text, by_name text,
  delay interval
) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not has_open_entry(of_merchant, by_actor, by_id, 'changeRecipient')
    or not (by_actor = 'key' or by_actor = 'person' and acts_as(of_merchant, by_id, '{owner}'))
  then
    raise exception 'nobody who may has asked for another recipient' using errcode = '42501';
  end if;
  insert into recipient_change (id, merchant_id, recipient, replaces, actor, actor_id, actor_name,
    waits_since, force_at)
  select new_id, m.id, to_recipient, m.recipient, by_actor, by_id, by_name, t.now,
    t.now + greatest(delay, interval '0')
  from merchant m cross join (select clock_timestamp() as now) t where m.id = of_merchant
  on conflict do nothing;
  return found;
end $$;

-- Ends a change that is not in force: for an owner, also without a second factor, because it only keeps what is;
-- or for a key. False when there is none that could be ended.
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
    raise exception 'nobody who may has ended this change' using errcode = '42501';
  end if;
  update recipient_change set state = 'cancelled', ended_at = clock_timestamp(), ended_by = by_name
  where id = of_change and merchant_id = of_merchant and state in ('needs_approval', 'waiting');
  return found;
end $$;

-- The newest version of a merchant's registry entry that any hub may have heard of.
create function newest_entry_version(of_merchant uuid) returns bigint
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select greatest(m.config_version,
    (select max(greatest(e.version, e.change_version)) from registry_entry e
      where e.merchant_id = m.id),
    (select max(c.version) from recipient_change c where c.merchant_id = m.id))
  from merchant m where m.id = of_merchant
$$;

-- Gives a change that waits the version in which hubs hear of it, once; null when it does not wait any more.
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

-- Puts a change in force that has waited until its time, and for as long as workers are told to wait. The answer
-- is its merchant, or null when it is not its time, or it was ended.
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
  -- The one that hubs have heard of, unless somebody has used it up.
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

-- Ends a change that can't be put in force.
create function refuse_recipient_change(of_change uuid, reason text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update recipient_change set state = 'impossible', ended_at = clock_timestamp(), ended_by = reason
  where id = of_change and state = 'waiting'
$$;

-- Has the recipient that stays in force take a newer version than a change that was ended and hubs have heard
-- of, once. The answer is its merchant, or null when nothing is to be withdrawn.
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

select allow('{api}', '{execute}', array[
  'function ask_for_recipient(uuid, uuid, text, text, text, text, interval)',
  'function cancel_recipient_change(uuid, uuid, text, text, text)']);
select allow('{worker}', '{execute}', array[
  'function number_recipient_change(uuid)',
  'function put_recipient_in_force(uuid, interval)',
  'function refuse_recipient_change(uuid, text)',
  'function withdraw_recipient_change(uuid)']);
