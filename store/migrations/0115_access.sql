-- What guards people's access, kept by the database: sessions end with what they were begun with, merchants
-- invite a bounded number of people, and when something was changed is said by the database's own clock.

-- The API names who changed what, and not when.
delete from access_rule where process = 'api' and privilege = 'insert'
  and object in ('table audit_entry', 'table audit_outcome');
do $$
begin
  if to_regrole(quote_ident(database_role('api'))) is not null then
    execute format('revoke insert on audit_entry, audit_outcome from %I', database_role('api'));
  end if;
end $$;
select allow('{api}', '{insert}', '{table audit_entry}', '{merchant_id, actor, actor_id, actor_name,
  role, action, object_id, before, after, address, agent, trace_id}');
select allow('{api}', '{insert}', '{table audit_outcome}', '{entry_id, status, object_id}');

-- Sessions, and sign-ins that wait for their second factor, were begun with what has changed now.
create or replace function auth.end_sessions() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  delete from auth.session where "userId" = new.id;
  delete from auth.verification where value = new.id::text;
  return new;
end $$;
drop trigger second_factor on auth."user";
create trigger second_factor after update on auth."user" for each row
  when (coalesce(new."twoFactorEnabled", false) <> coalesce(old."twoFactorEnabled", false))
  execute function auth.end_sessions();

create function auth.end_sessions_of_account() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  delete from auth.session where "userId" = new."userId";
  delete from auth.verification where value = new."userId"::text;
  return new;
end $$;
create trigger password after update on auth.account for each row
  when (new.password is distinct from old.password)
  execute function auth.end_sessions_of_account();

-- Whoever is removed from a merchant, or from those who run the deployment, signs in again for whatever is
-- left to them. To whom nothing is left, no passkey is either.
create function end_access() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from auth.session where "userId" = old.person_id;
  if not exists (select from member where person_id = old.person_id)
    and not exists (select from operator where person_id = old.person_id) then
    delete from auth.passkey where "userId" = old.person_id;
  end if;
  return old;
end $$;
create trigger access_ended after delete on member for each row execute function end_access();
create trigger access_ended after delete on operator for each row execute function end_access();

-- So many invitations of a merchant can be accepted at the same time. Who invites at the same moment waits.
create function bound_invitations() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('invitations of ' || new.merchant_id, 0));
  if (select count(*) from invitation
      where merchant_id = new.merchant_id and accepted_at is null and expires_at > now()) >= 50 then
    raise exception 'the merchant has 50 invitations that can still be accepted'
      using errcode = '23514', constraint = 'invitations_open';
  end if;
  return new;
end $$;
create trigger bounded before insert on invitation for each row execute function bound_invitations();

-- A report that could not be written holds up no other: it is tried again later, and why is kept.
alter table report_schedule add column attempts smallint not null default 0;
alter table report_schedule add column try_at timestamptz;
alter table report_schedule add column failure text check (length(failure) <= 300);
