-- The API's role could exchange an owner's account for another one with the same id, in one statement that the foreign
-- keys of memberships let pass, and so have an owner's mails sent elsewhere. An id stays with its address, and the
-- account of a member, of a former owner and of who has a link that stops a change stays where it is.
create or replace function auth.keep_reachable() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_user = database_role('api') and (tg_op = 'UPDATE'
    or exists (select from member m where m.person_id = old.id)
    or exists (select from former_owner f where f.person_id = old.id)
    or exists (select from recipient_change_link l where l.person_id = old.id))
  then
    raise exception 'the id and address of a user stay the same' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
drop trigger keep_address on auth."user";
create trigger keep_address before update of id, email on auth."user" for each row
  when (new.id <> old.id or new.email is distinct from old.email) execute function auth.keep_reachable();
create index recipient_change_link_of_person on recipient_change_link (person_id);

-- An owner to whom no mail can be stored would keep all owners' mails from being stored.
alter table auth."user" add constraint user_email_sendable
  check (length(email) <= 254 and email !~ '[[:cntrl:][:space:]]') not valid;

-- An invitation takes no role away: while anything needs approval, ending the role of an owner or a finance member
-- does, too. So of those only an invitation as owner changes the role.
create or replace function accept_invitation(hash bytea, person uuid, at timestamptz) returns setof member
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with accepted as (
    update invitation i set accepted_at = at, accepted_by = person
    from auth."user" u
    where i.token_hash = hash and i.accepted_at is null and i.expires_at > at
      and u.id = person and u.email = i.email
    returning i.merchant_id, i.role
  )
  insert into member as m (merchant_id, person_id, role, created_at)
  select a.merchant_id, person, a.role, at from accepted a
  on conflict (merchant_id, person_id) do update set role = case
    when m.role in ('owner', 'finance') and excluded.role <> 'owner' then m.role else excluded.role end
  returning *
$$;

-- When a leader has found that a mail was sent by a process with the keys; from then on nothing of it changes. Until
-- then due_at is when it was said to be sent.
alter table owner_mail add column proven_at timestamptz;
create index owner_mail_unproven on owner_mail (due_at) where sent_mac is not null and proven_at is null;
select allow('{worker}', '{update}', '{table owner_mail}', '{sent_mac, due_at, proven_at}');

create or replace function note_owner_mail(of_mail uuid, new_mac text, reason text, pause interval) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update owner_mail set sent_mac = new_mac, failure = reason,
    due_at = clock_timestamp() + greatest(least(pause, interval '30 minutes'), interval '0')
  where id = of_mail and proven_at is null
$$;

-- The policies that held before the present one: a refund is judged by the one that held when it was requested.
create table former_approval_policy (
  merchant_id uuid not null references merchant (id),
  refunds_above numeric(78, 0) check (refunds_above >= 0),
  -- It held until the next one.
  since timestamptz not null,
  primary key (merchant_id, since)
);
select allow('{api, worker}', '{select}', '{table former_approval_policy}');
select withhold('{notifier, indexer}', '{table former_approval_policy}');

create or replace function put_policy(of_merchant uuid, of_recipient boolean, above numeric) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  insert into former_approval_policy (merchant_id, refunds_above, since)
  select p.merchant_id, p.refunds_above, p.since
  from approval_policy p where p.merchant_id = of_merchant
  on conflict do nothing;
  insert into approval_policy as p (merchant_id, recipient, refunds_above, since, on_since)
  values (of_merchant, of_recipient, above, clock_timestamp(),
    case when of_recipient or above is not null then clock_timestamp() end)
  on conflict (merchant_id) do update set recipient = excluded.recipient,
    refunds_above = excluded.refunds_above, since = excluded.since,
    on_since = case when excluded.on_since is not null then coalesce(p.on_since, excluded.on_since) end
$$;

-- The moment of the statement: a transaction may have been open since before the policy.
alter table refund alter column created_at set default clock_timestamp();

-- As before, and not once it is signed: what waits for an approval is left out of what the others come to.
create or replace function hold_refund(of_refund uuid, by_actor text, by_id text, by_name text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_merchant uuid;
  operation text;
  until timestamptz;
begin
  select merchant_id, case when x402_payment_id is null then 'createRefund' else 'createX402Refund' end
  into of_merchant, operation
  from refund where id = of_refund and status = 'open' and order_number is null for share;
  if of_merchant is null or not has_open_entry(of_merchant, by_actor, by_id, operation) then
    raise exception 'no one has requested this refund' using errcode = '42501';
  end if;
  insert into approval_request (id, merchant_id, kind, refund_id, actor, actor_id, actor_name, needed)
  values (gen_random_uuid(), of_merchant, 'refund', of_refund, by_actor, by_id, by_name,
    case by_actor when 'person' then 1 else 2 end)
  returning expires_at into until;
  update work_item set not_before = until where dedupe_key = 'refund:' || of_refund and state = 'queued';
end $$;

-- An own address that was removed is used again only where it would be taken as a new one.
create trigger recipient_approved_again before update of removed_at on x402_own_address for each row
  when (old.removed_at is not null and new.removed_at is null)
  execute function require_approved_recipient('address');
