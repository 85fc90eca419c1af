-- Refuses a request: whoever could approve it, and whoever has asked for it. Only the asker withdraws a request that
-- ends a membership: a member with two accounts would refuse the end of each with the other. Everyone else withholds
-- the approval, and the request expires. False when it is not open, or not theirs to refuse.
create or replace function refuse_request(of_request uuid, of_merchant uuid, person uuid, by_name text)
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
  if asked.kind = 'member' and asked.actor_id <> person::text then return false; end if;
  perform end_request(asked, 'refused', by_name);
  return true;
end $$;

-- For each member and each role to be given: an open request for less must not keep others from asking for more, or a
-- member would hold up their own removal by having an accomplice ask for a change of the role.
drop index approval_request_of_member;
create unique index approval_request_of_member on approval_request (merchant_id, member_id, coalesce(wanted_role, ''))
  where kind = 'member' and state = 'open';
