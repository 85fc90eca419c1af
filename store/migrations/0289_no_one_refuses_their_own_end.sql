-- Refuses a request: whoever could approve it, and whoever has asked for it; not the one whose membership it would end,
-- or an owner could never be removed. False when it is not open, or not theirs to refuse.
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
  if asked.member_id = person and asked.actor_id <> person::text then return false; end if;
  perform end_request(asked, 'refused', by_name);
  return true;
end $$;
