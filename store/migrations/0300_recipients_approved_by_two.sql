-- An address that one owner has put on the list alone, while no rule was on, is no one's second opinion: once the rule
-- is on, only those count that another person has approved, and only after the merchant had the delay of a change of
-- the recipient to take them off again.
alter table approved_recipient
  -- Who has approved it, as it read then, and from when on it counts; null for what one owner has added alone.
  add column approved_by text check (length(approved_by) <= 400),
  add column usable_from timestamptz,
  add constraint approved_recipient_by_two check ((approved_by is null) = (usable_from is null));

create or replace function may_be_paid_to(of_merchant uuid, to_address text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from approval_policy p where p.merchant_id = of_merchant and p.recipient)
    or exists (select from merchant m where m.id = of_merchant and m.recipient = to_address)
    or exists (select from approved_recipient a
      where a.merchant_id = of_merchant and a.address = to_address and a.usable_from <= clock_timestamp())
$$;

create or replace function ask_for_approved_recipient(of_merchant uuid, wanted text, person uuid, by_name text)
returns text language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  needs boolean;
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'addApprovedRecipient')
    or not acts_as(of_merchant, person::text, '{owner}')
  then
    raise exception 'nobody who may has asked for this address' using errcode = '42501';
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

-- Does what a request has asked for, once it is approved by whom `ended_by` names. False when that can't be done any
-- more.
create or replace function carry_out_request(asked approval_request, at timestamptz, delay interval)
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
