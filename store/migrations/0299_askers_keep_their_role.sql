-- Whether the requester of a request could still ask for it. A key stands for the merchant.
create function asker_may(asked approval_request) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select asked.actor = 'key' or acts_as(asked.merchant_id, asked.actor_id,
    case asked.kind when 'refund' then '{owner, finance}'::text[] else '{owner}' end)
$$;

-- As in 0286, and what somebody has asked for who could not ask for it any more ends as refused: an owner who was
-- removed leaves nothing behind that one other person could put in force.
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
  -- A member is changed under the lock of all owners; whoever asks and votes stays what they are until it is counted.
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
