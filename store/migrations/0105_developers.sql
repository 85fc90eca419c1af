-- What developers of a merchant see and do alone: their API keys, and the requests that came with them.

-- When a request came with the key, to the minute.
alter table api_key add column last_used_at timestamptz;
create index api_key_by_merchant on api_key (merchant_id, created_at desc);
select allow('{api}', '{update}', '{table api_key}', '{last_used_at}');

-- The only way in which the API makes a key, or ends one: for an owner or a developer with a second
-- factor, and never without the entry of the audit log that is open at this moment and names them. Whoever
-- has the API's credentials can't make a key that nobody sees. Without a hash the key in force ends.
create function replace_api_key(person uuid, of_merchant uuid, of_kind text, new_hash bytea,
  new_hint text) returns boolean language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from member m join auth."user" u on u.id = m.person_id
    join audit_entry e on e.merchant_id = m.merchant_id and e.actor = 'person'
      and e.actor_id = person::text and e.at > clock_timestamp() - interval '1 minute'
      and e.action = case when new_hash is null then 'revokeApiKey' else 'replaceApiKey' end
    where m.merchant_id = of_merchant and m.person_id = person and m.role in ('owner', 'developer')
      and u."twoFactorEnabled"
      and not exists (select from audit_outcome o where o.entry_id = e.id)
  ) then
    raise exception 'nobody who may has asked for a change of this key' using errcode = '42501';
  end if;
  update api_key set revoked_at = now()
  where merchant_id = of_merchant and kind = of_kind and revoked_at is null;
  if new_hash is null then
    return found;
  end if;
  insert into api_key (hash, merchant_id, kind, hint)
  values (new_hash, of_merchant, of_kind, new_hint);
  return true;
end $$;
select allow('{api}', '{execute}',
  '{"function replace_api_key(uuid, uuid, text, bytea, text)"}');

-- What merchants' servers have asked for in the last seven days: no body, no query, no header.
create table api_request (
  trace_id uuid primary key,
  merchant_id uuid not null references merchant (id),
  at timestamptz not null,
  method text not null check (length(method) <= 8),
  -- As the router has it, e.g. /v1/invoices/:id.
  route text not null check (length(route) <= 100),
  path text not null check (length(path) <= 300),
  status smallint not null,
  ms integer not null check (ms >= 0),
  -- The last characters of the key that came with it.
  key_hint text check (length(key_hint) <= 8),
  -- Why it failed, by the table of errors or in the words of x402.
  reason text check (length(reason) <= 100)
);
create index api_request_by_merchant on api_request (merchant_id, at desc, trace_id desc);
create index api_request_failed on api_request (merchant_id, at desc, trace_id desc)
  where status >= 400 or reason is not null;
create index api_request_old on api_request using brin (at);
select allow('{api}', '{select, insert, delete}', '{table api_request}');
select withhold('{worker, notifier, indexer}', '{table api_request}');
