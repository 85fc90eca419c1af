-- Several secret keys of a merchant, each with a name and scopes, and publishable keys that can be read again.
alter table api_key
  add column id uuid not null default gen_random_uuid(),
  add column name text not null default 'Default',
  -- What the key opens (core/access/scopes.ts); null for a key that opens everything.
  add column scopes text[],
  -- A publishable key as it is: it stands in websites anyway. Null for those made before it was stored.
  add column readable text;
alter table api_key
  add constraint api_key_name_sane check (length(name) between 1 and 100) not valid,
  add constraint api_key_scopes_known check (scopes is null or kind = 'secret' and cardinality(scopes) > 0
    and scopes <@ '{read, invoices, refunds, x402}') not valid,
  add constraint api_key_secret_unreadable check (readable is null or kind = 'publishable') not valid;
create unique index api_key_by_id on api_key (id);
-- Still one publishable key at a time.
drop index api_key_active;
create unique index api_key_publishable on api_key (merchant_id)
  where kind = 'publishable' and revoked_at is null;

-- As for replace_api_key of 02_access: an owner or a developer with a second factor, whose change the audit log shows.
create function require_key_change(person uuid, of_merchant uuid, of_action text, of_key uuid) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from member m join auth."user" u on u.id = m.person_id
    join audit_entry e on e.merchant_id = m.merchant_id and e.actor = 'person'
      and e.actor_id = person::text and e.at > clock_timestamp() - interval '1 minute'
      and e.action = of_action and lower(e.object_id) is not distinct from of_key::text
    where m.merchant_id = of_merchant and m.person_id = person and m.role in ('owner', 'developer')
      and u."twoFactorEnabled"
      and not exists (select from audit_outcome o where o.entry_id = e.id)
  ) then
    raise exception 'no permitted actor requested a change of this key' using errcode = '42501';
  end if;
  -- Changes of one merchant's keys follow each other.
  perform from merchant where id = of_merchant for no key update;
end $$;

-- Null when the merchant has as many active keys of the kind as it may have.
create function create_api_key(person uuid, of_merchant uuid, of_kind text, new_name text, new_scopes text[],
  new_hash bytea, new_hint text, new_readable text, most integer) returns uuid language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made uuid;
begin
  perform require_key_change(person, of_merchant, 'createApiKey', null);
  insert into api_key (hash, merchant_id, kind, name, scopes, hint, readable)
  select new_hash, of_merchant, of_kind, new_name, new_scopes, new_hint, new_readable
  where most > (select count(*) from api_key
    where merchant_id = of_merchant and kind = of_kind and revoked_at is null)
  returning id into made;
  return made;
end $$;

-- Replaces an active key by one with its name and scopes. Null when it is not active.
create function rotate_api_key(person uuid, of_merchant uuid, of_key uuid, new_hash bytea, new_hint text,
  new_readable text) returns uuid language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  old api_key;
  made uuid;
begin
  perform require_key_change(person, of_merchant, 'replaceApiKey', of_key);
  update api_key set revoked_at = now()
  where id = of_key and merchant_id = of_merchant and revoked_at is null returning * into old;
  if old.id is null then return null; end if;
  insert into api_key (hash, merchant_id, kind, name, scopes, hint, readable)
  values (new_hash, of_merchant, old.kind, old.name, old.scopes, new_hint,
    case old.kind when 'publishable' then new_readable end)
  returning id into made;
  return made;
end $$;

-- False when it was not active.
create function revoke_api_key(person uuid, of_merchant uuid, of_key uuid) returns boolean language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform require_key_change(person, of_merchant, 'revokeApiKey', of_key);
  update api_key set revoked_at = now()
  where id = of_key and merchant_id = of_merchant and revoked_at is null;
  return found;
end $$;
select allow('{api}', '{execute}', array[
  'function create_api_key(uuid, uuid, text, text, text[], bytea, text, text, integer)',
  'function rotate_api_key(uuid, uuid, uuid, bytea, text, text)',
  'function revoke_api_key(uuid, uuid, uuid)']);

-- For the operator: all active keys of a kind are replaced by one that opens everything. False when there is no such
-- merchant.
create function replace_api_keys(of_merchant uuid, of_kind text, new_hash bytea, new_hint text, new_readable text)
returns boolean language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from merchant where id = of_merchant for no key update;
  if not found then return false; end if;
  update api_key set revoked_at = now()
  where merchant_id = of_merchant and kind = of_kind and revoked_at is null;
  insert into api_key (hash, merchant_id, kind, hint, readable)
  values (new_hash, of_merchant, of_kind, new_hint, new_readable);
  return true;
end $$;
