-- Those who run a deployment, what they order, and what a sandbox shows.

-- People who run the deployment.
create table operator (
  person_id uuid primary key references auth."user" (id),
  created_at timestamptz not null default now()
);
create trigger access_ended after delete on operator for each row execute function end_access();
select allow('{api}', '{select}', '{table operator}');
select withhold('{worker, notifier, indexer}', '{table operator}');

-- For a person who has no account yet. Only the owner of the database, so only a command, writes one.
create table operator_invitation (
  -- SHA-256 of what the link holds.
  token_hash bytea primary key check (length(token_hash) = 32),
  email text not null check (email = lower(email) and length(email) <= 254),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references auth."user" (id),
  check ((accepted_at is null) = (accepted_by is null))
);
select allow('{api}', '{select}', '{table operator_invitation}');
select withhold('{worker, notifier, indexer}', '{table operator_invitation}');

-- The only way in which the API creates an operator: an open invitation, once, for the person with the address
-- that it was sent to.
create function accept_operator_invitation(hash bytea, person uuid, at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update operator_invitation i set accepted_at = at, accepted_by = person
  from auth."user" u
  where i.token_hash = hash and i.accepted_at is null and i.expires_at > at
    and u.id = person and u.email = i.email;
  if not found then
    return false;
  end if;
  insert into operator (person_id, created_at) values (person, at) on conflict do nothing;
  return true;
end $$;
select allow('{api}', '{execute}', array['function accept_operator_invitation(bytea, uuid, timestamptz)']);

-- What operators order of workers, which alone may touch relayers and their work. A chain's leader carries it
-- out by the same checks as the operator's command, and stores what came of it.
create table operator_order (
  id bigint generated always as identity primary key,
  person_id uuid not null references auth."user" (id),
  created_at timestamptz not null default clock_timestamp(),
  network_id text not null check (length(network_id) <= 60),
  kind text not null check (kind in ('revive', 'drain', 'resume', 'retry', 'fail')),
  -- The account of a relayer, or the number of a work item.
  subject text not null check (length(subject) <= 60),
  ended_at timestamptz,
  is_done boolean,
  answer text check (length(answer) <= 500),
  check ((ended_at is null) = (is_done is null))
);
create index operator_order_open on operator_order (network_id, id) where ended_at is null;
select allow('{api, worker}', '{select}', '{table operator_order}');
select allow('{worker}', '{update}', '{table operator_order}', '{ended_at, is_done, answer}');
select withhold('{notifier, indexer}', '{table operator_order}');

-- The only way in which the API orders something: for an operator with a second factor, and never without the
-- open entry of the audit log that names them.
create function order_work(person uuid, on_network text, of_kind text, of_subject text)
returns bigint language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new_id bigint;
begin
  if not exists (
    select from operator o join auth."user" u on u.id = o.person_id
    join audit_entry e on e.actor = 'operator' and e.actor_id = person::text
      and e.action = 'orderWork' and e.at > clock_timestamp() - interval '1 minute'
    where o.person_id = person and u."twoFactorEnabled"
      and not exists (select from audit_outcome a where a.entry_id = e.id)
  ) then
    raise exception 'no operator requested this' using errcode = '42501';
  end if;
  insert into operator_order (person_id, network_id, kind, subject)
  values (person, on_network, of_kind, of_subject) returning id into new_id;
  return new_id;
end $$;
select allow('{api}', '{execute}', array['function order_work(uuid, text, text, text)']);

-- Events that people request in a sandbox, to see what their endpoints would receive. The API writes no event
-- about what it has not seen, so that it only requests it; a notifier of a sandbox makes the event, and in live
-- none does. Rows that are taken are locked, which takes the right to update.
create table sample_event (
  -- Of the event that is made.
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  type text not null check (length(type) <= 60),
  created_at timestamptz not null default now()
);
create index sample_event_waiting on sample_event (created_at, id);
select allow('{api}', '{insert}', '{table sample_event}');
select allow('{notifier}', '{select, update, delete}', '{table sample_event}');
select withhold('{api, worker, indexer}', '{table sample_event}');
