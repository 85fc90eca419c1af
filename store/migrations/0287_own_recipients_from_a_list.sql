-- Recipients of a merchant's own that invoices may name, and addresses that x402 payments may go to, while changes of
-- where the money goes need a second person: otherwise whoever may create an invoice decides alone where its money goes.
create table approved_recipient (
  merchant_id uuid not null references merchant (id),
  address evm_address not null,
  -- Who has asked for it, as it read then.
  added_by text not null check (length(added_by) <= 400),
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, address)
);
select allow('{api}', '{select}', '{table approved_recipient}');
select withhold('{notifier, indexer, worker}', '{table approved_recipient}');

alter table approval_request add column wanted_address text check (
  octet_length(wanted_address) = 42 and rtrim(wanted_address, '0123456789abcdef') = '0x');
alter table approval_request drop constraint approval_request_kind_check;
alter table approval_request add constraint approval_request_kind_check
  check (kind in ('recipient', 'refund', 'policy', 'member', 'address')) not valid;
alter table approval_request add constraint approval_request_address
  check ((kind = 'address') = (wanted_address is not null)) not valid;
create unique index approval_request_of_address on approval_request (merchant_id, wanted_address)
  where kind = 'address' and state = 'open';

-- Whether money of a merchant may be asked for to this address.
create function may_be_paid_to(of_merchant uuid, to_address text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from approval_policy p where p.merchant_id = of_merchant and p.recipient)
    or exists (select from merchant m where m.id = of_merchant and m.recipient = to_address)
    or exists (select from approved_recipient a
      where a.merchant_id = of_merchant and a.address = to_address)
$$;

-- Holds for whoever writes the rows. It sees what the statement sees, so that both decide alike.
create function require_approved_recipient() returns trigger language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not may_be_paid_to(new.merchant_id, to_jsonb(new) ->> tg_argv[0]) then
    raise exception 'the merchant has not approved this recipient'
      using errcode = '42501', constraint = 'recipient_approved';
  end if;
  return new;
end $$;
create trigger recipient_approved before insert on invoice for each row
  when (new.recipient is not null) execute function require_approved_recipient('recipient');
create trigger recipient_approved before insert on x402_own_address for each row
  execute function require_approved_recipient('address');

-- Adds an address to the list: for an owner with a second factor whom the open entry of the audit log names. It
-- needs a second person where changes of the recipient do. Says what came of it.
create function ask_for_approved_recipient(of_merchant uuid, wanted text, person uuid, by_name text)
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
  if exists (select from approved_recipient where merchant_id = of_merchant and address = wanted) then
    return 'done';
  end if;
  if coalesce(needs, false) then
    insert into approval_request (id, merchant_id, kind, wanted_address, actor, actor_id, actor_name, needed)
    values (gen_random_uuid(), of_merchant, 'address', wanted, 'person', person::text, by_name, 1)
    on conflict do nothing;
    return case when found then 'asked' else 'open' end;
  end if;
  insert into approved_recipient (merchant_id, address, added_by) values (of_merchant, wanted, by_name)
  on conflict do nothing;
  return 'done';
end $$;

-- Takes an address off the list: it only takes power away. False when it is not there.
create function remove_approved_recipient(of_merchant uuid, given text, person uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not has_open_entry(of_merchant, 'person', person::text, 'removeApprovedRecipient')
    or not acts_as(of_merchant, person::text, '{owner}')
  then
    raise exception 'nobody who may has removed this address' using errcode = '42501';
  end if;
  delete from approved_recipient where merchant_id = of_merchant and address = given;
  return found;
end $$;

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
    insert into approved_recipient (merchant_id, address, added_by)
    values (asked.merchant_id, asked.wanted_address, asked.actor_name)
    on conflict do nothing;
  else
    perform put_policy(asked.merchant_id, asked.wanted_recipient, asked.wanted_refunds_above);
  end if;
  return true;
end $$;

-- One refund of a merchant after the other is held against what the others come to.
create function lock_refund_sum(of_merchant uuid) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('refunds of ' || of_merchant, 0))
$$;

select allow('{api}', '{execute}', array[
  'function may_be_paid_to(uuid, text)',
  'function ask_for_approved_recipient(uuid, text, uuid, text)',
  'function remove_approved_recipient(uuid, text, uuid)',
  'function lock_refund_sum(uuid)']);
