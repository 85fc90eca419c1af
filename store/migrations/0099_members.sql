-- Owners look after the people of their merchant. The API's role has no right to change a member or an
-- invitation but by these functions, which keep what must always hold.

select allow('{api}', '{insert}', '{table invitation}');

-- Changes the role of a member, or ends the membership where no role is given. The owners are locked first, so
-- that two of them can't remove each other and leave nobody. Says what became of it, and the role before.
create function change_member(merchant uuid, person uuid, new_role text)
returns table (outcome text, role_before text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  owners integer;
  old_role text;
begin
  select count(*) into owners from (
    select 1 from member m where m.merchant_id = merchant and m.role = 'owner'
    order by m.person_id for update) locked;
  select m.role into old_role from member m
  where m.merchant_id = merchant and m.person_id = person for update;
  if old_role is null then
    return query select 'unknown', null::text;
  elsif old_role = 'owner' and owners < 2 and new_role is distinct from 'owner' then
    return query select 'last_owner', old_role;
  else
    if new_role is null then
      delete from member m where m.merchant_id = merchant and m.person_id = person;
    else
      update member m set role = new_role where m.merchant_id = merchant and m.person_id = person;
    end if;
    return query select 'done', old_role;
  end if;
end $$;
select allow('{api}', '{execute}', '{"function change_member(uuid, uuid, text)"}');

-- Takes an invitation back, as long as nobody has accepted it.
create function revoke_invitation(merchant uuid, invited uuid) returns boolean
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with revoked as (
    delete from invitation i
    where i.id = invited and i.merchant_id = merchant and i.accepted_at is null
    returning 1)
  select exists (select from revoked)
$$;
select allow('{api}', '{execute}', '{"function revoke_invitation(uuid, uuid)"}');
